'use strict';

const e2e = require('./jest.e2e.config.cjs');

/** Queue mode: the packed node in the real n8n with workers, Redis and PostgreSQL. */
module.exports = {
	...e2e,
	testMatch: ['<rootDir>/test/queue/**/*.test.ts'],
	testTimeout: 240_000,
};
