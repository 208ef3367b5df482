'use strict';

/** Leaves out each file of `engine` where `engine.1.test.ts` or `engine.2.test.ts` runs it. */
module.exports = (paths) => {
	const hasAll = paths.some((path) => /[\\/]engine\.\d\.test\.ts$/.test(path));
	return { filtered: paths.filter((path) => !hasAll || !/[\\/]engine[\\/]/.test(path)) };
};
