'use strict';

const e2e = require('./jest.e2e.config.cjs');

const isN8n1 = process.env.N8N_LINE === '1';

/** Queue mode: the packed node in the real n8n with workers, Redis and PostgreSQL. */
module.exports = {
	...e2e,
	testMatch: ['<rootDir>/test/queue/**/*.test.ts'],
	// The example of a long list keeps it in data tables, which need n8n 2.x.
	testPathIgnorePatterns: isN8n1 ? ['/longList\\.test\\.ts$'] : [],
};
