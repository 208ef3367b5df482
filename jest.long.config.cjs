'use strict';

const { testMatch, collectCoverageFrom, coverageThreshold, ...base } = require('./jest.config.cjs');

/** What takes long: random workflows against random faults, large inputs, memory. */
module.exports = { ...base, testMatch: ['<rootDir>/test/long/**/*.test.ts'], testTimeout: 600_000 };
