/**
 * Loaded into n8n's main process (NODE_OPTIONS=--require): from the first SIGUSR2 on, the garbage is
 * collected every second and what is still in use then is noted; the second SIGUSR2 writes the most
 * it was, in MB, to the file named in BENCH_MEMORY. n8n's Node.js runs TypeScript as it is, as long
 * as nothing but types has to be taken out.
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
		const look = () => {
			collectGarbage();
			const { heapUsed, external } = process.memoryUsage();
			mostMb = Math.max(mostMb, (heapUsed + external) / 1024 ** 2);
		};
		look();
		timer = setInterval(look, INTERVAL_MS);
		return;
	}
	clearInterval(timer);
	const file = process.env.BENCH_MEMORY ?? '';
	// Under its name only once it is whole: somebody waits for it.
	writeFileSync(`${file}.part`, String(mostMb));
	renameSync(`${file}.part`, file);
});
