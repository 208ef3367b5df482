'use strict';

const { coverageThreshold, collectCoverageFrom, ...base } = require('./jest.config.cjs');

/** The tests of `npm test` that decide about money, for Stryker: those of the docs and the sandbox do not. */
module.exports = {
	...base,
	testPathIgnorePatterns: ['unit/(bench|builderHints|docs|links|sandbox|structure)'],
};
