'use strict';

const { rm } = require('node:fs/promises');
const { dest, parallel, src } = require('gulp');

/** Removes the last build, so that the package has no output of deleted sources. */
async function clean() {
	await rm('dist', { recursive: true, force: true });
}

/** Copies the icons, which node and credential reference relative to their compiled files. */
function icons() {
	return src('icons/*.svg').pipe(dest('dist/icons'));
}

/** Copies the codex files (category, aliases and links for the node panel), which tsc leaves out. */
function codex() {
	return src('nodes/**/*.node.json').pipe(dest('dist/nodes'));
}

/** Copies the output schemas, which n8n looks for beside the compiled node. */
function schemas() {
	return src('nodes/**/__schema__/**/*.json').pipe(dest('dist/nodes'));
}

exports.clean = clean;
exports.assets = parallel(icons, codex, schemas);
