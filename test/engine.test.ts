import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { useClock } from './support/clock';

/*
 * The files of `engine` in one, because loading n8n-core takes longer than the tests of most of them: each by
 * itself, they take 2.5 times as long. To run one of them: npx jest test/engine/<its name>
 */
const folder = join(__dirname, 'engine');

useClock();
for (const file of readdirSync(folder)) {
	if (!file.endsWith('.test.ts')) continue;
	describe(file.replace('.test.ts', ''), () => {
		jest.requireActual(join(folder, file));
	});
}
