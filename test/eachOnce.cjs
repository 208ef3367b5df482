'use strict';

const { basename, dirname, sep } = require('node:path');

/** Leaves out each test file that the `all.test.ts` of its folder runs. */
module.exports = (paths) => {
	const isAll = (path) => basename(path) === 'all.test.ts';
	const folders = paths.filter(isAll).map((path) => dirname(path) + sep);
	const isRun = (path) => !isAll(path) && folders.some((folder) => path.startsWith(folder));
	return { filtered: paths.filter((path) => !isRun(path)) };
};
