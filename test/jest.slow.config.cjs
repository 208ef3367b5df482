'use strict';

const { resolve } = require('node:path');
const { testEnvironment, modulePathIgnorePatterns, transform } = require('../jest.config.cjs');

const rootDir = resolve(__dirname, '..');

// Set here, because a variable in front of a command needs a Unix shell.
if (process.argv.includes('screenshots')) process.env.SCREENSHOTS = 'docs/images';

const base = { rootDir, testEnvironment, modulePathIgnorePatterns, transform };

/** With the packed node and the pinned n8n. */
const inN8n = { ...base, globalSetup: '<rootDir>/test/e2e/setUp.cjs' };

/** The packed node inside the real n8n, one n8n for each of these files: they run side by side. */
const e2e = (...names) => ({
	...inN8n,
	testMatch: names.map((name) => `<rootDir>/test/e2e.${name}.test.ts`),
});

/** The tests that `npm test` leaves out. `--selectProjects` chooses some of the projects. */
module.exports = {
	rootDir,
	projects: [
		// What takes long: random faults, large inputs, memory.
		{ ...base, displayName: 'long', testMatch: ['<rootDir>/test/long/**/*.test.ts'] },
		{ ...e2e('browser', 'restarts', 'others'), displayName: 'e2e' },
		// The operations and the promises in n8n 1.
		{
			...e2e('1.x'),
			displayName: 'e2e:1.x',
			globalSetup: '<rootDir>/test/e2e/setUpN8n1.cjs',
			setupFiles: ['<rootDir>/test/e2e/useN8n1.ts'],
		},
		// The pictures of the docs, taken by the browser's tests.
		{ ...e2e('browser'), displayName: 'screenshots' },
		{
			...inN8n,
			displayName: 'queue',
			testMatch: ['<rootDir>/test/queue/**/*.test.ts'],
		},
	],
	testSequencer: '<rootDir>/test/longestFirst.cjs',
	reporters: ['default', '<rootDir>/test/seconds.cjs'],
	// Enough for a machine ten times as slow as usual.
	testTimeout: 600_000,
};
