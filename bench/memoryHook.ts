/**
 * Loaded into n8n's main process (NODE_OPTIONS=--require): after the first SIGUSR2 it collects
 * garbage every second and measures the heap; the second SIGUSR2 writes the maximum, in MB, to the
 * file named in BENCH_MEMORY. n8n's Node.js strips the types.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const INTERVAL_MS = 1000;

let timer: NodeJS.Timeout | undefined;
let mostMb = 0;

process.on('SIGUSR2', () => {
	if (timer === undefined) {
		setFlagsFromString('--expose-gc');
		const collectGarbage = runInNewContext('gc') as () => void;
		const measure = () => {
			collectGarbage();
			const { heapUsed, external } = process.memoryUsage();
			mostMb = Math.max(mostMb, (heapUsed + external) / 1024 ** 2);
		};
		measure();
		timer = setInterval(measure, INTERVAL_MS);
		return;
	}
	clearInterval(timer);
	const file = process.env.BENCH_MEMORY ?? '';
	// Renamed when complete, because the benchmark waits for the file.
	writeFileSync(`${file}.part`, String(mostMb));
	renameSync(`${file}.part`, file);
});
