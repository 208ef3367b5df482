'use strict';

const { transform, modulePathIgnorePatterns } = require('./jest.config.cjs');

/** End-to-end tests: the packed node inside the real n8n. One n8n at a time. */
module.exports = {
	testEnvironment: 'node',
	testMatch: ['<rootDir>/test/e2e/**/*.test.ts'],
	modulePathIgnorePatterns,
	transform,
	maxWorkers: 1,
	testTimeout: 120_000,
};
