'use strict';

const Sequencer = require('@jest/test-sequencer').default;

/** The files that take longest, the longest first. Most of them wait most of the time, and for that a third one runs beside two. */
const LONGEST = ['restarts', 'browser', 'others', '1.x'].map((name) => `e2e.${name}.test.ts`);

/** Begins with what takes longest, so that no worker is left with it at the end. */
module.exports = class LongestFirst extends Sequencer {
	sort(tests) {
		const place = ({ path }) => {
			const found = LONGEST.findIndex((name) => path.endsWith(name));
			return found === -1 ? LONGEST.length : found;
		};
		return super.sort(tests).toSorted((a, b) => place(a) - place(b));
	}
};
