import type { IDataObject } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox';
import type { Account } from '../engine';
import type { Log } from '../log';
import { failedIn, followAll } from './follow';
import { failFirst, type Situation } from './situations';
import { corrected, SETTINGS, World, type Execution, type Item } from './world';

/** Runs a situation, follows the words, and expects each item to be sent once. */
export async function expectEndsRight(
	situation: Situation,
	sandbox: Sandbox,
	owner: Account,
	log: Log,
): Promise<void> {
	const { cause, kind, operation, before, edit, wrong } = situation;
	const { loop, first } = SETTINGS[kind];
	const world = new World(sandbox, { ...owner }, operation, kind, () => log.lines('info'));
	world.wrong = wrong;
	const count = cause.count ?? (loop ? 6 : 4);
	const ofEarlierPasses = loop ? loop.batch * loop.passes : 0;
	const at = ofEarlierPasses + (before === 'nothing' ? 0 : loop ? 1 : 2);
	const items = Array.from({ length: count }, (_, index): Item => ({
		name: `site-${index}.example.com`,
		...(index >= at && cause.item?.(index, index - at)),
	}));
	const wanted = items.map(({ name }) => corrected(name));
	if (operation === 'delete') world.fill(items);

	const executions = await runUntilWords(world, situation, items, at);
	const said = executions.flatMap(({ end: { error } }) =>
		error ? [`${error.message} | ${error.description}`] : [],
	);
	expect(said.length + executions.flatMap(failedIn).length).toBeGreaterThan(0);
	executions.forEach((execution) => expectIdsOf(world, execution));
	if (edit) change(world, edit);
	const sent = () => {
		const names = world.carriedOut().map(({ name }) => name);
		return wanted.map((name) => names.filter((each) => each === name).length);
	};
	try {
		await followAll(world, executions);
		// A value whose end was in doubt may be sent once more: nobody can look it up.
		const inDoubt = world
			.carriedOut()
			.filter(({ request: { fault, status } }) => status !== 200 || (fault && fault !== 'delay'));
		const most = (name: string) =>
			world.costsMore
				? 2
				: 1 + inDoubt.filter((each) => world.isOfValues && each.name === name).length;
		for (const [index, times] of sent().entries()) {
			const name = wanted[index]!;
			const least = name === world.hopeless ? 0 : 1;
			expect(times).toBeGreaterThanOrEqual(least);
			expect(times).toBeLessThanOrEqual(least && most(name));
		}
		if (first === 'create') {
			const ofFirst = world.carriedOut(true).map(({ name }) => name);
			expect(ofFirst.sort()).toEqual(wanted.sort());
		}
	} catch (error) {
		const lines = [`Sent ${sent().join(' ')}`, (error as Error).message, ...said];
		throw Object.assign(error as Error, { message: lines.join('\n') });
	}
}

/** @returns the executions whose words are followed */
async function runUntilWords(
	world: World,
	{ cause, before }: Situation,
	items: Item[],
	at: number,
): Promise<Execution[]> {
	const names = items.slice(at).map(({ name }) => name);
	const failsFirst = before === 'nothing' ? 0 : 1;
	if (cause.start) return [await cause.start(world, items, before === 'nothing' ? 0 : at)];
	if (!world.setting.isRetry) {
		cause.form?.(world);
		await cause.arrange?.(world, names);
		return await world.start(items);
	}
	const failed = await failFirst(world, items, failsFirst);
	cause.form?.(world);
	await cause.arrange?.(world, names);
	return [await world.retry(failed)];
}

/** The ids beside an error are those of jobs, and as many as its words say. */
function expectIdsOf({ sandbox, operation }: World, { end: { error } }: Execution): void {
	if (operation !== 'create' || !error) return;
	const ids = (error.context.data ?? []) as IDataObject[];
	const [, paid = 0] = /paid: (\d+) of/.exec(error.message) ?? [];
	expect(ids).toHaveLength(Number(paid));
	for (const { job_id: id, keyword } of ids) {
		expect(sandbox.state.jobs.find(({ job_id }) => job_id === id)?.keyword).toBe(keyword);
	}
}

/** As a person who has changed something before reading. */
function change({ node, account }: World, edit: NonNullable<Situation['edit']>): void {
	if (edit === 'a field') Object.assign(node.parameters, { groupName: 'Changed' });
	if (edit === 'the Base URL') account.baseUrl = account.baseUrl.replace('127.0.0.1', 'localhost');
	if (edit === 'the credential') node.credentials!.businessListingSearchApi!.id = '2';
}
