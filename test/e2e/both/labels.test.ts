import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { OF_N8N, OF_N8N_1 } from '../../support/labelsOfN8n';
import { IS_N8N_1, N8N_FOLDER } from '../n8n';

const modules = join(N8N_FOLDER, 'node_modules');
const assets = join(modules, 'n8n-editor-ui', 'dist', 'assets');
const packages = ['n8n-nodes-base', '@n8n/n8n-nodes-langchain'].map((name) => join(modules, name));

let texts: string[];
beforeAll(() => {
	texts = [
		...readdirSync(assets)
			.filter((file) => file.endsWith('.js'))
			.map((file) => join(assets, file)),
		...packages.map((folder) => join(folder, 'dist', 'types', 'nodes.json')),
		...packages.map((folder) => join(folder, 'dist', 'types', 'credentials.json')),
	].map((file) => readFileSync(file, 'utf8'));
});

it.each(IS_N8N_1 ? OF_N8N_1 : OF_N8N)('n8n has a text that begins with "%s"', (label) => {
	const begins = ['"', "'", '`', '>'].map((before) => before + label);
	expect(texts.some((text) => begins.some((wanted) => text.includes(wanted)))).toBe(true);
});
