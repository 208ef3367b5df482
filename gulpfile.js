'use strict';

const { mkdir, rm, writeFile } = require('node:fs/promises');
const { dirname } = require('node:path');
const { dest, parallel, series, src } = require('gulp');

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

/** Writes the output of each operation, as the compiled nodes state it, where n8n looks for it. */
async function schemas() {
	const { OUTPUTS } = require('./dist/nodes/BusinessListingSearch/resources/outputs');
	const { eventOutput } = require('./dist/nodes/BusinessListingSearchTrigger/poll');
	for (const [resource, outputs] of Object.entries(OUTPUTS)) {
		for (const [operation, output] of Object.entries(outputs)) {
			await write(`BusinessListingSearch/__schema__/v1.0.0/${resource}/${operation}.json`, output);
		}
	}
	await write('BusinessListingSearchTrigger/__schema__/v1.0.0.json', eventOutput);
}

async function write(file, content) {
	const path = `dist/nodes/${file}`;
	await mkdir(dirname(path), { recursive: true });
	await writeFile(path, `${JSON.stringify(content, null, 2)}\n`);
}

exports.clean = clean;
exports.assets = series(parallel(icons, codex), schemas);
