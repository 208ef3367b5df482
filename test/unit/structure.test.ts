import { readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { project, read } from '../support/repository';

/** Every TypeScript file of a folder, with the project files it imports. */
function importsOf(folder: string): Map<string, string[]> {
	// The pinned n8n is in a subfolder of n8n, with 200,000 files, and the engines of others in one of test.
	const recursive = folder !== 'n8n';
	const files = readdirSync(join(project, folder), { recursive, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
		.map((name) => join(folder, name));
	return new Map(
		files.map((file) => {
			const text = read(file);
			const found = [...text.matchAll(/(?:from|import\() ?'(\.[^']+)'/g)].map(([, to]) => {
				const path = join(dirname(join(project, file)), to!);
				const isFolder = files.includes(relative(project, join(path, 'index.ts')));
				return relative(project, isFolder ? join(path, 'index.ts') : `${path}.ts`);
			});
			return [file, found];
		}),
	);
}

/** A path of imports from a file back to itself. */
function cycleFrom(
	file: string,
	imports: Map<string, string[]>,
	way: string[] = [],
): string[] | undefined {
	if (way.includes(file)) return file === way[0] ? [...way, file] : undefined;
	for (const next of imports.get(file) ?? []) {
		const cycle = cycleFrom(next, imports, [...way, file]);
		if (cycle) return cycle;
	}
	return undefined;
}

describe.each(['nodes', 'sandbox', 'n8n', 'bench', 'test'])('%s', (folder) => {
	it('has no import cycle, including types', () => {
		const imports = importsOf(folder);
		expect(imports.size).toBeGreaterThan(10);
		const cycles = [...imports.keys()].map((file) => cycleFrom(file, imports));
		expect(cycles.filter((cycle) => cycle !== undefined)).toEqual([]);
	});
});

it('the trigger and the node do not import each other', () => {
	for (const [file, imports] of importsOf('nodes')) {
		const [, node = ''] = file.split('/');
		const others = imports.filter((to) => {
			const [, other] = to.split('/');
			return to.startsWith('nodes/') && other !== node && other !== 'shared';
		});
		expect([file, others]).toEqual([file, []]);
	}
});

/** From the lowest up: each imports only from those before it, and from itself. */
const LAYERS = [
	'nodes/shared/time/',
	'nodes/shared/text.ts',
	'nodes/shared/errors/',
	'nodes/shared/readField.ts',
	'nodes/shared/service/',
	'nodes/shared/pacing/',
	'nodes/BusinessListingSearch/input/',
	'nodes/BusinessListingSearch/options/',
	'nodes/BusinessListingSearch/run/',
	'nodes/BusinessListingSearch/resources/',
];
const layerOf = (file: string) => LAYERS.findIndex((layer) => file.startsWith(layer));

it('each layer imports only those below it', () => {
	const wrong = [...importsOf('nodes')].flatMap(([file, imports]) =>
		layerOf(file) < 0
			? []
			: imports
					.filter((to) => layerOf(to) < 0 || layerOf(to) > layerOf(file))
					.map((to) => [file, to]),
	);
	expect(wrong).toEqual([]);
	const others = [...importsOf('nodes').keys()].filter((file) => layerOf(file) < 0);
	expect(others.filter((file) => file.startsWith('nodes/shared/'))).toEqual([]);
});

it('cleaning imports nothing but helpers for text', () => {
	const folder = 'nodes/BusinessListingSearch/resources/blacklist/cleaning';
	for (const [file, imports] of importsOf(folder)) {
		const others = imports.filter((to) => !to.startsWith(folder) && to !== 'nodes/shared/text.ts');
		const packages = read(file).match(/ from '[^.'][^']*'/g);
		expect([file, others, packages]).toEqual([file, [], null]);
	}
});

it('no operation reads the status of a response', () => {
	for (const file of importsOf('nodes/BusinessListingSearch/resources').keys()) {
		expect([file, read(file).match(/\bstatusCode\b/)]).toEqual([file, null]);
	}
});
