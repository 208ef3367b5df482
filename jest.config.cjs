'use strict';

// The engine logs every workflow error to the console; most of the tests cause them on purpose.
process.env.N8N_LOG_LEVEL = 'silent';

/** Unit tests (pure functions) and engine tests (n8n-core's own engine over real HTTP). */
module.exports = {
	testEnvironment: 'node',
	testMatch: ['<rootDir>/test/{unit,engine}/**/*.test.ts'],
	filter: '<rootDir>/test/eachOnce.cjs',
	setupFilesAfterEnv: ['<rootDir>/test/support/useClock.ts'],
	modulePathIgnorePatterns: [
		'<rootDir>/dist/',
		'<rootDir>/n8n/(1\\.x/)?node_modules/',
		'<rootDir>/test/versions/[^/]+/node_modules/',
		'<rootDir>/n8n/.n8n-data/',
	],
	transform: {
		'^.+\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } }],
	},
	collectCoverageFrom: ['nodes/**/*.ts', 'credentials/**/*.ts'],
	coverageReporters: ['text', 'lcov'],
	coverageThreshold: { global: { lines: 95, branches: 95 } },
	// Generous, because no test may fail on a busy machine.
	testTimeout: 120_000,
	// All cores; by default jest leaves one to the terminal.
	maxWorkers: '100%',
};
