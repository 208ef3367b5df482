'use strict';

const { transform, modulePathIgnorePatterns } = require('./jest.config.cjs');

const isN8n1 = process.env.N8N_LINE === '1';

/** End-to-end tests: the packed node inside the real n8n. One n8n at a time. */
module.exports = {
	testEnvironment: 'node',
	// What is in a folder needs n8n 2.x: the browser's tests and those of data tables.
	testMatch: [isN8n1 ? '<rootDir>/test/e2e/*.test.ts' : '<rootDir>/test/e2e/**/*.test.ts'],
	modulePathIgnorePatterns,
	transform,
	maxWorkers: 1,
	testTimeout: 120_000,
};
