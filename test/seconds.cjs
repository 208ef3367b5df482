'use strict';

const { basename } = require('node:path');

/** Prints what each file took. */
module.exports = class Seconds {
	onRunComplete(_contexts, { testResults }) {
		const rows = testResults
			.filter(({ skipped, perfStats }) => !skipped && perfStats.runtime > 0)
			.toSorted((a, b) => b.perfStats.runtime - a.perfStats.runtime)
			.map(({ displayName, numPassingTests, testFilePath, perfStats }) => ({
				suite: displayName?.name ?? '',
				file: basename(testFilePath),
				passed: numPassingTests,
				seconds: Math.round(perfStats.runtime / 1000),
			}));
		console.table(rows);
	}
};
