'use strict';

const { resolve } = require('node:path');
const { testEnvironment, modulePathIgnorePatterns, transform } = require('../jest.config.cjs');

const rootDir = resolve(__dirname, '..');
const selected = process.argv[process.argv.indexOf('--selectProjects') + 1];

// Set here, because a variable in front of a command needs a Unix shell.
if (selected === 'e2e:1.x') process.env.N8N_LINE = '1';
if (selected === 'screenshots') process.env.SCREENSHOTS = 'docs/images';

const base = { rootDir, testEnvironment, modulePathIgnorePatterns, transform };

/** With the packed node and the tested n8n. */
const inN8n = { ...base, globalSetup: '<rootDir>/test/e2e/setUp.cjs' };

/** The packed node inside the real n8n, one n8n for all tests. */
const e2e = { ...inN8n, testMatch: ['<rootDir>/test/e2e.test.ts'] };

/** The tests that `npm test` leaves out. `--selectProjects` chooses one of the projects. */
module.exports = {
	rootDir,
	projects: [
		// What takes long: random faults, large inputs, memory.
		{ ...base, displayName: 'long', testMatch: ['<rootDir>/test/long/**/*.test.ts'] },
		{ ...e2e, displayName: 'e2e' },
		// The operations and the promises in n8n 1.
		{ ...e2e, displayName: 'e2e:1.x' },
		// The pictures of the docs, taken by the browser's tests.
		{ ...e2e, displayName: 'screenshots' },
		{
			...inN8n,
			displayName: 'queue',
			testMatch: ['<rootDir>/test/queue/**/*.test.ts'],
		},
	],
	// Enough for a machine ten times as slow as usual.
	testTimeout: 600_000,
};
