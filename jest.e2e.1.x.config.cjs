'use strict';

const e2e = require('./jest.e2e.config.cjs');

// Set here, because a variable in front of a command needs a Unix shell.
process.env.N8N_LINE = '1';

/**
 * The end-to-end tests on the other line of n8n that is still maintained, but for its editor, and the
 * examples with data tables, which it lacks.
 */
module.exports = {
	...e2e,
	testPathIgnorePatterns: ['<rootDir>/test/e2e/browser/', '<rootDir>/test/e2e/tables/'],
};
