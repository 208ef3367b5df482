/**
 * Loaded into n8n's main process (NODE_OPTIONS=--require): the first SIGUSR2 starts the profiler, the
 * second writes the profile to the file named in BENCH_PROFILE. n8n's Node.js strips the types.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';

const INTERVAL_US = 500;

let session: Session | undefined;

process.on('SIGUSR2', () => {
	if (session === undefined) {
		session = new Session();
		session.connect();
		session.post('Profiler.enable');
		session.post('Profiler.setSamplingInterval', { interval: INTERVAL_US });
		session.post('Profiler.start');
		return;
	}
	session.post('Profiler.stop', (_error, { profile }) => {
		const file = process.env.BENCH_PROFILE ?? '';
		// Renamed when complete, because the benchmark waits for the file.
		writeFileSync(`${file}.part`, JSON.stringify(profile));
		renameSync(`${file}.part`, file);
	});
});
