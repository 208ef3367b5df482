'use strict';

const { resolve } = require('node:path');
const { testEnvironment, transform } = require('../../jest.config.cjs');

/** What is loaded from the n8n under test; everything else is this project's. */
const OF_N8N = '(n8n|n8n-core|n8n-workflow|@n8n/di|reflect-metadata|flatted)(/.*)?';

/** The tests of what this node relies on, with the engine of the n8n in the folder N8N_FOLDER. */
module.exports = {
	rootDir: resolve(__dirname, '..', '..'),
	testEnvironment,
	transform,
	testMatch: ['<rootDir>/test/reliances/*.test.ts'],
	setupFilesAfterEnv: ['<rootDir>/test/support/useClock.ts'],
	moduleNameMapper: { [`^${OF_N8N}$`]: `${resolve(process.env.N8N_FOLDER)}/node_modules/$1$2` },
	testTimeout: 120_000,
	// Where n8n has changed, a run may never end.
	forceExit: true,
};
