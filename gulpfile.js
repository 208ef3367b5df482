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

/**
 * Copies what n8n reads beside the compiled nodes, which tsc leaves out: the codex files (category, aliases and
 * links for the node panel) and the schemas of the output (`__schema__`).
 */
function json() {
	return src('nodes/**/*.json').pipe(dest('dist/nodes'));
}

exports.clean = clean;
exports.assets = parallel(icons, json);
