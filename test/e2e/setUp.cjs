'use strict';

const { spawnSync } = require('node:child_process');
const { join } = require('node:path');

/** Once, before all test files. */
module.exports = () => prepare(process.env.N8N_LINE ?? '2');
module.exports.prepare = prepare;

function prepare(line) {
	const args = ['--import', 'tsx', join(__dirname, 'prepare.ts'), line];
	const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
	if (status !== 0) throw new Error(`n8n ${line} cannot be tested, see above`);
}
