'use strict';

const { resolve } = require('node:path');
const { testEnvironment, modulePathIgnorePatterns, transform } = require('../jest.config.cjs');

const rootDir = resolve(__dirname, '..');

// Set here, because a variable in front of a command needs a Unix shell.
if (process.argv.includes('screenshots')) process.env.SCREENSHOTS = 'docs/images';
if (process.argv.includes('e2e:1.x')) process.env.N8N_LINE = '1';

const project = (displayName, folder, more) => ({
	...{ rootDir, testEnvironment, modulePathIgnorePatterns, transform, displayName },
	testMatch: [`<rootDir>/test/${folder}/**/*.test.ts`],
	...more,
});

/** With the pinned n8n, and the packed node. */
const globalSetup = '<rootDir>/test/e2e/setUp.cjs';
/** One n8n for each folder: they run side by side. */
const inN8n = { globalSetup, setupFilesAfterEnv: ['<rootDir>/test/e2e/useN8n.ts'] };

/** The tests that `npm test` leaves out. `--selectProjects` chooses some of the projects. */
module.exports = {
	rootDir,
	filter: '<rootDir>/test/eachOnce.cjs',
	projects: [
		// What takes long: random faults, large inputs, memory.
		project('long', 'long'),
		project('e2e', 'e2e', inN8n),
		project('e2e:1.x', 'e2e/both', inN8n),
		// The pictures of the docs, taken by the browser's tests.
		project('screenshots', 'e2e/browser', inN8n),
		project('queue', 'queue', { globalSetup }),
	],
	// Enough for a machine ten times as slow as usual.
	testTimeout: 600_000,
};
