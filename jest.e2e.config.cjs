'use strict';

const { transform, modulePathIgnorePatterns } = require('./jest.config.cjs');

/** End-to-end tests: the packed node inside the real n8n, one n8n for all of them. */
module.exports = {
	testEnvironment: 'node',
	testMatch: ['<rootDir>/test/e2e.test.ts'],
	modulePathIgnorePatterns,
	transform,
	maxWorkers: 1,
	// Enough for a machine ten times as slow as usual.
	testTimeout: 600_000,
};
