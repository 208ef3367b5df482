import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { IS_N8N_1, useN8n } from './e2e/n8n';

/*
 * The files of `e2e` in one, so that they share an n8n, which takes longer to start than most of
 * them take. To run one of them: npm run test:e2e -- -t <its name>
 */
const folder = join(__dirname, 'e2e');

/** In n8n 1 every operation, every promise, what errors say to do, the trigger, and what decides about accounts and leads; for the pictures of the docs, only the browser. */
const chosen = IS_N8N_1
	? /^(credentials|killed|labels|links|nextStep|operations|promises|trigger)\./
	: process.env.SCREENSHOTS
		? /^browser/
		: /./;

useN8n();
for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
	if (!file.endsWith('.test.ts') || !chosen.test(file)) continue;
	describe(file.replace('.test.ts', ''), () => {
		jest.requireActual(join(folder, file));
	});
}
