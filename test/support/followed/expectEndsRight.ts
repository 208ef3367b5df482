import type { IDataObject } from 'n8n-workflow';

import { blacklistOf, type Sandbox } from '../../../sandbox';
import type { Account } from '../engine';
import { status } from '../faults';
import type { Log } from '../log';
import { ADD, ADD_MANY, CREATE, DELETE, listNamed } from '../parameters';
import { followAll, wordsOf } from './follow';
import type { Situation } from './situations';
import { DeadEnd, SETTINGS, World, type Execution, type Item, type Operation } from './world';

const options = { concurrency: 1 };
const formOf = (operation: Operation, name: string): IDataObject =>
	({
		create: { ...CREATE, keyword: name, options },
		addMany: { ...ADD_MANY, values: name, options: { ...options, output: 'items' } },
		add: { ...ADD, value: name, options },
		delete: {
			...DELETE,
			blacklist: listNamed(name),
			requestOptions: { batching: { batch: { batchSize: 1, batchInterval: 10 } } },
		},
	})[operation];

/** Where the node finds the name of an item, by the node before it. */
const NAMES: Partial<Record<string, string>> = {
	addMany: '={{ $json.name ?? $json.value }}',
	usage: '={{ $("Start").item.json.name }}',
	getMany: '={{ $("Start").item.json.name }}',
};

/** Runs a situation, follows the words, and expects each item to be sent once. */
export async function expectEndsRight(
	situation: Situation,
	sandbox: Sandbox,
	owner: Account,
	log: Log,
): Promise<void> {
	const { cause, kind, operation, before, isEdited, correctsNode } = situation;
	const { isLoop, first: other } = SETTINGS[kind];
	const form = formOf(operation, NAMES[other ?? ''] ?? '={{ $json.name }}');
	const world = new World(sandbox, { ...owner }, kind, operation, form);
	world.correctsNode = correctsNode;
	world.log = () => log.lines('info');
	const count = cause.count ?? (isLoop ? 6 : 4);
	const at = (isLoop ? 2 : 0) + (before === 'nothing' ? 0 : isLoop ? 1 : 2);
	const items = Array.from({ length: count }, (_, index): Item => ({
		name: `site-${index}.example.com`,
		...(index === at && cause.item?.(index)),
	}));
	const wanted = items.map(({ name }) => name.replace(/^bad-/, 'site-'));
	if (operation === 'delete')
		for (const name of wanted) sandbox.state.blacklists.set(name, blacklistOf());
	if (other === 'getMany') sandbox.state.blacklists.set('customers', blacklistOf());
	world.all = items;

	const first = await runUntilWords(world, situation, items, at);
	const words = first.flatMap(wordsOf).map(({ text }) => text);
	if (words.length === 0 && operation !== 'addMany') throw new Error('Nothing went wrong');
	if (isEdited) edit(world);
	try {
		const rounds = await followAll(world, first);
		expect(rounds).toBeLessThanOrEqual(5);
	} catch (error) {
		if (!cause.stays || !(error instanceof DeadEnd))
			throw Object.assign(error as Error, {
				message: `${(error as Error).message}\n${words.join('\n')}`,
			});
	}
	const isStill = (index: number) => cause.stays && index === at;
	const times = (names: string[]) =>
		wanted.map((name) => names.filter((each) => each === name).length);
	const { costsMore, isToldOfFirst } = world;
	const isRight = times(world.names).every((sent, index) =>
		costsMore ? sent > 0 : sent === (isStill(index) ? 0 : 1),
	);
	const ofFirst = times(world.namesOfFirst);
	const isFirstRight =
		(other !== 'create' && other !== 'addMany') ||
		ofFirst.every((sent) => (other === 'addMany' && isToldOfFirst ? sent > 0 : sent === 1));
	if (!isRight || !isFirstRight) {
		const counts = [times(world.names), ofFirst].map((each) => each.join(' '));
		throw new Error(`Sent ${counts.join(', and by the other node ')}\n${words.join('\n')}`);
	}
	if (!other?.startsWith('get') && other !== 'usage') return;
	expect(words.join(' ')).not.toContain('"First"');
}

/** @returns the executions whose words are followed */
async function runUntilWords(
	world: World,
	{ cause, before }: Situation,
	items: Item[],
	at: number,
): Promise<Execution[]> {
	const { sandbox } = world;
	const change = () => {
		const { requestOptions, ...options } = cause.options?.(world) ?? {};
		const { parameters } = world.node;
		Object.assign(parameters, { options: { ...(parameters.options as object), ...options } });
		if (requestOptions) Object.assign(parameters, { requestOptions });
	};
	if (cause.start) return [await cause.start(world, items, before)];
	const names = items.slice(at).map(({ name }) => name);
	Object.assign(world.node.parameters, cause.fields?.(world));
	if (!world.setting.isRetry) {
		change();
		world.publish();
		await cause.arrange?.(world, names);
		return await world.start(items);
	}
	world.fault([items[before === 'nothing' ? 0 : 1]!.name], status(402), 1);
	const failed = await world.run(items);
	sandbox.faults.clear();
	change();
	await cause.arrange?.(world, names);
	return [await world.retry(failed, cause.options ? 'currently saved' : 'original')];
}

/** As a person who has changed a field before reading. */
function edit({ node }: World): void {
	const text = JSON.stringify(node.parameters).replaceAll('{{ $json.name', '{{  $json.name');
	node.parameters = JSON.parse(text) as typeof node.parameters;
}
