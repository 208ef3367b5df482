'use strict';

const { existsSync, readdirSync } = require('node:fs');
const { join, resolve } = require('node:path');
const { testEnvironment, transform } = require('../../jest.config.cjs');

const rootDir = resolve(__dirname, '..', '..');
const versions = readdirSync(__dirname).filter((name) =>
	existsSync(join(__dirname, name, 'package.json')),
);

const [compile] = Object.values(transform);

/** What n8n 2.0 needs in a form that jest does not load: ES modules. */
const ES_MODULES = 'node_modules/(?:p-retry|is-network-error)/';

/** What is loaded from the n8n under test; everything else is this project's. */
const OF_N8N = '(n8n-core|n8n-workflow|@n8n/di|reflect-metadata)(/.*)?';

/** The built nodes with the engine of each version of n8n that has a folder here. */
module.exports = {
	rootDir,
	projects: versions.map((version) => ({
		rootDir,
		displayName: version,
		testEnvironment,
		transform: { ...transform, [`${ES_MODULES}.+\\.js$`]: compile },
		transformIgnorePatterns: ['node_modules/(?!p-retry/|is-network-error/)'],
		// All that jest lists. It loads the other files by their paths.
		roots: ['<rootDir>/test/versions'],
		modulePathIgnorePatterns: ['/node_modules/'],
		testMatch: ['<rootDir>/test/versions/*.test.ts'],
		setupFilesAfterEnv: ['<rootDir>/test/support/useClock.ts'],
		moduleNameMapper: {
			[`^${OF_N8N}$`]: join(__dirname, version, 'node_modules/$1$2'),
			'^(?:\\.\\./)+((?:nodes|credentials)/.+)$': '<rootDir>/dist/$1',
		},
	})),
	testTimeout: 120_000,
	maxWorkers: '100%',
};
