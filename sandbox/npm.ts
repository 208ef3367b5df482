/** Read at the start, because npm can end before anybody asks. */
const { ppid } = process;

/** Calls back when the npm that runs this process has ended: a signal to npm reaches only npm and its shell. */
export function whenNpmEnds(end: () => void): void {
	if (process.env.npm_lifecycle_event === undefined) return;
	const timer = setInterval(() => {
		if (process.ppid === ppid) return;
		clearInterval(timer);
		end();
	}, 500).unref();
}
