'use strict';

/** Prints how many tests passed in each version of n8n, and how long they took. */
module.exports = class Matrix {
	onRunComplete(_contexts, { testResults }) {
		const nameOf = ({ displayName }) => `n8n ${displayName?.name}`;
		const inOrder = testResults.toSorted((a, b) =>
			nameOf(a).localeCompare(nameOf(b), 'en', { numeric: true }),
		);
		const rows = inOrder.map((suite) => [
			nameOf(suite),
			{
				passed: `${suite.numPassingTests} of ${suite.testResults.length}`,
				seconds: Math.round(suite.perfStats.runtime / 1000),
			},
		]);
		console.table(Object.fromEntries(rows));
	}
};
