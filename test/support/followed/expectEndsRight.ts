import type { IDataObject } from 'n8n-workflow';

import { blacklistOf, type Sandbox } from '../../../sandbox';
import type { Account } from '../engine';
import { status } from '../faults';
import type { Log } from '../log';
import { ADD, ADD_MANY, CREATE, DELETE, listNamed } from '../parameters';
import { followAll, wordsOf } from './follow';
import type { Situation } from './situations';
import { DeadEnd, World, type Execution, type Item, type Operation } from './world';

const NAME = '={{ $json.name }}';
const FORMS: Record<Operation, IDataObject> = {
	create: { ...CREATE, keyword: NAME, options: { concurrency: 1 } },
	addMany: { ...ADD_MANY, values: NAME, options: { concurrency: 1, output: 'items' } },
	add: { ...ADD, value: NAME, options: { concurrency: 1 } },
	delete: {
		...DELETE,
		blacklist: listNamed(NAME),
		requestOptions: { batching: { batch: { batchSize: 1, batchInterval: 10 } } },
	},
};

const isLoop = ({ kind }: Situation) => kind === 'later pass' || kind === 'Continue in a loop';

/** Runs a situation, follows the words, and expects each item to be sent once. */
export async function expectEndsRight(
	situation: Situation,
	sandbox: Sandbox,
	owner: Account,
	log: Log,
): Promise<void> {
	const { cause, kind, operation, before, isEdited, correctsNode } = situation;
	const world = new World(
		sandbox,
		{ ...owner },
		kind,
		operation,
		structuredClone(FORMS[operation]),
	);
	world.correctsNode = correctsNode;
	world.log = () => log.lines('info');
	const count = cause.count ?? (isLoop(situation) ? 6 : 4);
	const at = (isLoop(situation) ? 2 : 0) + (before === 'nothing' ? 0 : isLoop(situation) ? 1 : 2);
	const items = Array.from({ length: count }, (_, index): Item => ({
		name: `site-${index}.example.com`,
		...(index === at && cause.item?.(index)),
	}));
	const wanted = items.map(({ name }) => name.replace(/^bad-/, 'site-'));
	if (operation === 'delete')
		for (const name of wanted) sandbox.state.blacklists.set(name, blacklistOf());

	const first = await runUntilWords(world, situation, items, at);
	if (wordsOf(first).length === 0 && operation !== 'addMany') throw new Error('Nothing went wrong');
	if (isEdited) edit(world);
	const words = wordsOf(first).map(({ text }) => text);
	try {
		const rounds = await followAll(world, first);
		expect(rounds).toBeLessThanOrEqual(5);
	} catch (error) {
		if (!cause.stays || !(error instanceof DeadEnd))
			throw Object.assign(error as Error, {
				message: `${(error as Error).message}\n${words.join('\n')}`,
			});
	}
	const sent = wanted.map(
		(name) => `${name} ${world.names.filter((each) => each === name).length}`,
	);
	const right = wanted.map((name, index) => `${name} ${cause.stays && index === at ? 0 : 1}`);
	if (JSON.stringify(sent) !== JSON.stringify(right)) {
		throw new Error(`Sent ${sent.join(', ')}\n${words.join('\n')}`);
	}
}

/** The execution whose words are followed. */
async function runUntilWords(
	world: World,
	{ cause, kind, before }: Situation,
	items: Item[],
	at: number,
): Promise<Execution> {
	const { sandbox } = world;
	const change = () => {
		const { requestOptions, ...options } = cause.options?.(world) ?? {};
		const { parameters } = world.node;
		Object.assign(parameters, { options: { ...(parameters.options as object), ...options } });
		if (requestOptions) Object.assign(parameters, { requestOptions });
	};
	if (cause.start) return await cause.start(world, items, before);
	const names = items.slice(at).map(({ name }) => name);
	Object.assign(world.node.parameters, cause.fields?.(world));
	if (kind !== 'retry') {
		change();
		await cause.arrange?.(world, names);
		return await world.run(items);
	}
	world.fault([items[before === 'nothing' ? 0 : 1]!.name], status(402), 1);
	const failed = await world.run(items);
	sandbox.faults.clear();
	change();
	await cause.arrange?.(world, names);
	return await world.retry(failed, cause.options ? 'currently saved' : 'original');
}

/** As a person who has changed a field before reading. */
function edit({ node }: World): void {
	const text = JSON.stringify(node.parameters).replaceAll('{{ $json.name', '{{  $json.name');
	node.parameters = JSON.parse(text) as typeof node.parameters;
}
