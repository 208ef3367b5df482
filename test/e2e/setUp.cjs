'use strict';

const { spawnSync } = require('node:child_process');
const { join } = require('node:path');

/** Once, before all test files. */
module.exports = () => {
	const args = ['--import', 'tsx', join(__dirname, 'prepare.ts')];
	const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
	if (status !== 0) throw new Error('n8n cannot be tested, see above');
};
