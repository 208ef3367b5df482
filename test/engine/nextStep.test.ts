import type { IDataObject, INode, INodeParameters, WorkflowExecuteMode } from 'n8n-workflow';

import type { Fault, FaultRule } from '../../sandbox';
import { useSandbox } from '../support/account';
import { CONTRACT } from '../support/contract';
import {
	inThreePasses,
	retryWorkflow,
	runWorkflow,
	activeTrigger,
	searchBlacklists,
	workflowOf,
	type TestWorkflow,
} from '../support/engine';
import { status } from '../support/faults';
import { listed, listedJob } from '../support/jobs';
import { useLog } from '../support/log';
import {
	ADD,
	ADD_MANY,
	CREATE,
	domains,
	keywords,
	ONE_BY_ONE,
	LIST,
	OPERATIONS,
	USAGE,
} from '../support/parameters';
import { CONTINUE, RETRY_ON_FAIL } from '../support/settings';
import { TESTED_NODE } from '../support/workflowOf';

const account = useSandbox();
const log = useLog();

const MAYBE = 'may have been carried out';
const BROKEN = { kind: 'drop', carryOut: true } as const;

const steps = (...each: string[]) =>
	`To send the rest: ${each.map((step, index) => `${index + 1}. ${step}`).join(' ')}`;

/** n8n's way to retry an execution, with one of its two choices. */
const retryOf = (execution: string, choice: 'original' | 'currently saved') => [
	`Under "Executions", select ${execution}.`,
	'Select the arrow at the top right.',
	`Select "Retry with ${choice} workflow".`,
];

const SAVE_FOR_GOOD = 'Save the workflow. If it is published, publish it again.';
const withOriginal = (execution = 'execution 1') => steps(...retryOf(execution, 'original'));
const withSaved = (execution = 'execution 1') =>
	steps(
		`Leave everything else in this node as it was in ${execution}.`,
		SAVE_FOR_GOOD,
		...retryOf(execution, 'currently saved'),
	);

/** A test in the editor has no event. */
const eventWith = (what: string) =>
	`If an event started it, send the event again with only ${what}.`;
const EVENT = eventWith('this item');
/** The item that stays behind. */
const itemAlone = (correct?: string, isTest = true) =>
	[
		'If this item is done after that, stop here.',
		correct,
		'Run the workflow with only this item.',
		!isTest && EVENT,
	]
		.filter((sentence) => sentence)
		.join(' ');

const continueSteps = (execution: string, ...unchanged: string[]) => [
	'Set "On Error" of this node to "Continue".',
	...unchanged,
	'Save the workflow.',
	...retryOf(execution, 'currently saved'),
	'Set "On Error" back, and save the workflow.',
];

/** Where a retry does not get past an item. */
const withContinue = (correct?: string, execution = 'execution 1', to = 'send the rest') => {
	const unchanged = `Leave everything else in this node as it was in ${execution}.`;
	const all = `${steps(...continueSteps(execution, unchanged))} ${itemAlone(correct, execution === 'execution 1')}`;
	const stops = correct || to === 'go on' ? 'stops' : 'can stop';
	return `A retry alone ${stops} there again. ${all.replace('send the rest', to)}`;
};
/** Where nothing is left but what is unknown. */
const toGoOn = () => withContinue(undefined, 'execution 1', 'go on');

const ONLY_THE_REST = 'run the workflow with only the items that were not done.';
const NEW_RUN = `Then ${ONLY_THE_REST}`;
const NOT_SAVED = 'n8n does not save this execution, so it cannot be retried.';
const NOT_AFTER_A_MOVE = 'Do not retry after you have entered a new "Base URL".';
const ONLY_THEN = `In that case, ${ONLY_THE_REST}`;
const SAME_CREDENTIAL =
	'Do not choose another credential, or enter another "Base URL": a retry would then send everything again.';
const FOR_14_DAYS = 'n8n keeps an execution for 14 days by default.';
const PAYS_AGAIN =
	'Running the workflow with all items, or changing other fields of this node, creates and pays for every job again.';
const SENT_AGAIN = 'A retry sends again what the service reported as failed.';
const sendsAgain = (what: string) =>
	`Running the workflow with all ${what}, or changing other fields of this node, sends everything again.`;
const LEAVE_OUT = 'If the same item fails again, leave it out.';
const CORRECT = 'Correct the values of this item.';
const CORRECT_OR_CREDENTIAL = 'Check the values of this item and the credential.';
/** @param most if the service has created one more, whose response was lost */
const doneById = (most?: number) =>
	`Done, by job_id: ${listed(account().sandbox.state.jobs.slice(0, most))}.`;

/** What a description says before and after its counts, which it has once. */
function around(description: string): string[] {
	const parts = description.split(/Of \d+ (?:items|values), .*? (?:was|were) not started\. ?/);
	expect(parts).toHaveLength(2);
	return parts;
}

/** Expects the counts to be followed by this, and nothing before them to name a next step. */
function expectAfterCounts(description: string, ...after: string[]): void {
	const [before, rest] = around(description);
	expect(rest).toBe(after.join(' '));
	expect(before).not.toMatch(/To send the rest|Retry with|[Rr]un the workflow|Filter/);
}

async function descriptionOf(
	parameters: INodeParameters,
	items = keywords(6),
	options: NonNullable<Parameters<typeof runWorkflow>[2]> = {},
): Promise<string> {
	const { error } = await runWorkflow(workflowOf(parameters, items), account().account, options);
	return error!.description!;
}

describe('a run that ends early says how the rest is sent', () => {
	it('after the item that failed and the counts, in this order', async () => {
		account().sandbox.faults.add({ match: 'keyword 3.', fault: status(402) });
		const description = await descriptionOf(ONE_BY_ONE);
		const parts = [
			'The service says: "Sandbox fault".',
			'Wait until the allowance is renewed,',
			'Failed at Item 3 ("keyword 3.").',
			'Of 6 items, 3 were done, 1 failed, 2 were not started.',
			'To send the rest: 1. ',
			PAYS_AGAIN,
			doneById(),
		];
		const places = parts.map((part) => description.indexOf(part));
		expect(places[0]).toBe(0);
		expect(places).toEqual([...places].sort((one, other) => one - other));
		for (const part of parts) expect(description.split(part)).toHaveLength(2);
	});

	it('early enough to be read: after 212 of 500 jobs', async () => {
		const { sandbox } = account();
		sandbox.state.remaining = 10_000;
		sandbox.faults.add({ match: 'keyword 212.', fault: status(402) });
		const description = await descriptionOf(ONE_BY_ONE, keywords(500));
		expect(description).toContain('Of 500 items, 212 were done, 1 failed, 287 were not started.');
		const [, ofTheNode = ''] = /^The service says: ".*?"\. (.*)$/.exec(description) ?? [];
		expect(ofTheNode.indexOf('To send the rest:')).toBeGreaterThan(0);
		expect(ofTheNode.indexOf('To send the rest:')).toBeLessThan(300);
		const first = listed(account().sandbox.state.jobs.slice(0, 100));
		const more = 'A retry returns all of them, and the log of the n8n server has each.';
		expect(description.endsWith(`Done, by job_id: ${first}, and 112 more. ${more}`)).toBe(true);
	});

	it('in a workflow that another one called', async () => {
		account().sandbox.faults.add({ match: 'keyword 3.', fault: status(402) });
		expectAfterCounts(
			await descriptionOf(ONE_BY_ONE, keywords(6), { mode: 'integrated' }),
			FOR_14_DAYS,
			withOriginal('execution 1 of the workflow "Test" (not the one that called it)'),
			'Do not retry the execution of the workflow that called this one.',
			'If that workflow stopped here, run it with only the items for which it has not called this one yet.',
			...[PAYS_AGAIN, doneById()],
		);
	});

	it('for values', async () => {
		account().sandbox.faults.add({ match: 'site-3.', fault: status(402) });
		const parameters = { ...ADD_MANY, options: { concurrency: 1 } };
		expectAfterCounts(
			await descriptionOf(parameters, domains(6)),
			...[FOR_14_DAYS, withOriginal(), sendsAgain('values')],
		);
	});

	it.each<[what: string, fault: Fault]>([
		['a refused key', status(401)],
		['a used-up allowance', status(402)],
		['a proxy', status(407)],
		['a redirect', status(302)],
		['a web page', status(401, { body: '<html>No</html>' })],
	])('a test in which nothing was done is run again: %s', async (_what, fault) => {
		account().sandbox.faults.add({ match: 'keyword 0.', fault });
		expectAfterCounts(await descriptionOf(ONE_BY_ONE), 'Then run the workflow again.');
	});

	it('in a later pass of a loop, whose earlier passes a new run would repeat', async () => {
		account().sandbox.faults.add({ match: 'keyword 2.', fault: status(402) });
		const workflow = inThreePasses(workflowOf(ONE_BY_ONE, keywords(1)));
		const keyword = '={{ "keyword " + $runIndex + "." }}';
		workflow.nodes.find(({ name }) => name === TESTED_NODE)!.parameters.keyword = keyword;
		const { error } = await runWorkflow(workflow, account().account);
		const expected = `Failed at Item 0 ("keyword 2."). ${FOR_14_DAYS} ${withOriginal()} ${PAYS_AGAIN}`;
		expect(error?.description?.endsWith(expected)).toBe(true);
	});

	it('if only the outcome of the first is unknown, and others were not started', async () => {
		account().sandbox.faults.add({ match: 'keyword 0.', fault: BROKEN });
		expectAfterCounts(await descriptionOf(ONE_BY_ONE), withOriginal(), PAYS_AGAIN);
	});

	it('not for requests that change nothing: a retry sends them all', async () => {
		account().sandbox.faults.add({ skip: 2, fault: status(404) });
		expectAfterCounts(await descriptionOf(LIST, keywords(3)), '');
	});

	it.each([
		['failed executions', 'trigger', { saveDataErrorExecution: 'none' }, false],
		['executions of the editor', 'manual', { saveManualExecutions: false }, false],
		['the other kind', 'trigger', { saveManualExecutions: false }, true],
		['the other kind', 'manual', { saveDataErrorExecution: 'none' }, true],
	] as const)('but names none if the workflow does not save %s (%s)', async (...row) => {
		const [, mode, settings, isNamed] = row;
		account().sandbox.faults.add({ match: 'keyword 3.', fault: status(402) });
		const workflow = { ...workflowOf(ONE_BY_ONE, keywords(6)), settings };
		const { error } = await runWorkflow(workflow, account().account, { mode });
		const event = mode === 'manual' ? [] : [eventWith('the items that were not done')];
		const way = isNamed ? [FOR_14_DAYS, withOriginal()] : [NOT_SAVED, NEW_RUN, ...event];
		expectAfterCounts(error!.description!, ...way, PAYS_AGAIN, doneById());
	});

	it('nor if there is no execution number', async () => {
		account().sandbox.faults.add({ match: 'keyword 3.', fault: status(400) });
		expectAfterCounts(
			await descriptionOf(ONE_BY_ONE, keywords(6), { executionId: undefined }),
			...[NOT_SAVED, CORRECT, NEW_RUN, LEAVE_OUT, PAYS_AGAIN, doneById()],
		);
	});
});

describe('what sends the rest depends on the reason, and is named once:', () => {
	const moved = (...way: string[]) => [NOT_AFTER_A_MOVE, ONLY_THEN, ...way];
	const page = (code: number) => status(code, { body: '<html>No</html>' });
	const toWait = { retryAfter: '500' };

	it.each<[what: string, fault: Fault, next: string[]]>([
		['401', status(401), [SAME_CREDENTIAL, withOriginal()]],
		['500', status(500), [withOriginal(), SENT_AGAIN]],
		['502', status(502), [withOriginal()]],
		['503 with Retry-After', status(503, toWait), [withOriginal()]],
		['a broken connection', BROKEN, [withOriginal()]],
		['402', status(402), [FOR_14_DAYS, withOriginal()]],
		['401 with a web page', page(401), moved(withOriginal())],
		['403 with a web page', page(403), moved(withContinue())],
		['an unusable answer', { kind: 'html' }, moved(withOriginal())],
		['429', status(429, toWait), [withSaved()]],
		['407', status(407), [withSaved()]],
		['no response in time', { kind: 'hang' }, [withSaved()]],
		['400', status(400), [withContinue(CORRECT)]],
		['405', status(405), [withContinue(CORRECT_OR_CREDENTIAL)]],
		['403', status(403), [SAME_CREDENTIAL, withContinue()]],
		['404', status(404), moved(withContinue())],
		['302', status(302), [NOT_AFTER_A_MOVE, NEW_RUN]],
		['303', status(303), [NOT_AFTER_A_MOVE, NEW_RUN]],
	])('%s', async (_what, fault, next) => {
		account().sandbox.faults.add({ match: 'keyword 2.', fault });
		const parameters = { ...ONE_BY_ONE, requestOptions: { timeout: 2_000 } };
		expectAfterCounts(await descriptionOf(parameters), ...next, PAYS_AGAIN, doneById(2));
	});

	it.each<[what: string, instead: (baseUrl: string) => string, next: string]>([
		['no connection', () => 'http://127.0.0.1:1', withSaved()],
		['no such host', () => 'http://no-such-host.invalid', withSaved()],
		['no TLS', (baseUrl) => baseUrl.replace('http:', 'https:'), withOriginal()],
	])('%s', async (_what, instead, next) => {
		const { account: owner } = account();
		const baseUrl = `={{ $itemIndex === 2 ? "${instead(owner.baseUrl)}" : "${owner.baseUrl}" }}`;
		const workflow = workflowOf(ONE_BY_ONE, keywords(6));
		const { error } = await runWorkflow(workflow, { ...owner, baseUrl });
		// The items before and after it have another address, which the run takes for another account.
		expectAfterCounts(error!.description!, ...moved(next), PAYS_AGAIN, doneById());
	});

	it('Minimum Remaining Requests', async () => {
		const { sandbox } = account();
		sandbox.state.remaining = 6;
		const parameters = { ...CREATE, options: { concurrency: 1, minRemaining: 5 } };
		expectAfterCounts(
			await descriptionOf(parameters),
			...[FOR_14_DAYS, withSaved(), PAYS_AGAIN, doneById()],
		);
		expect(sandbox.state.jobs).toHaveLength(2);
	});
});

describe('where a retry would send nothing more, the first error says how the rest is reached', () => {
	it('if the last item broke', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ match: 'keyword 5.', fault: BROKEN });
		const { error } = await runWorkflow(workflowOf(ONE_BY_ONE, keywords(6)), owner);
		expectAfterCounts(error!.description!, toGoOn(), PAYS_AGAIN, doneById(5));
	});

	it('if each pass of a loop has one item', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ skip: 2, fault: BROKEN });
		const workflow = inThreePasses(workflowOf(ONE_BY_ONE, keywords(1)));
		const failed = await runWorkflow(workflow, owner);
		expect(failed.error?.description?.endsWith(`${toGoOn()} ${PAYS_AGAIN}`)).toBe(true);

		sandbox.faults.clear();
		const continued = structuredClone(workflow);
		for (const node of continued.nodes) Object.assign(node, CONTINUE);
		expect((await retryWorkflow(continued, failed, owner)).error).toBeUndefined();
		expect(sandbox.state.jobs).toHaveLength(3);
	});
});

it('a retry of a called workflow says again what must not be done with the caller', async () => {
	const { sandbox, account: owner } = account();
	const workflow = workflowOf(ONE_BY_ONE, keywords(2));
	workflow.nodes.find(({ name }) => name === 'Start')!.type =
		'n8n-nodes-base.executeWorkflowTrigger';
	sandbox.faults.add({ match: 'keyword 1.', fault: status(402) });
	const failed = await runWorkflow(workflow, owner, { mode: 'integrated' });
	const { error } = await retryWorkflow(workflow, failed, owner);
	expect(error?.description).toContain(
		'execution retry of the workflow "Test" (not the one that called it)',
	);
	expect(error?.description).toContain(
		'Do not retry the execution of the workflow that called this one.',
	);
});

it('what ends the run of the account is shown, not what was rejected beside it', async () => {
	const { sandbox, account: owner } = account();
	sandbox.faults.add({ match: 'keyword 0.', fault: status(400) });
	sandbox.faults.add({ match: 'keyword 1.', fault: status(402) });
	sandbox.faults.add({ fault: { kind: 'delay', ms: 50 } });
	const parameters = { ...CREATE, options: { concurrency: 3 } };
	const { error } = await runWorkflow(workflowOf(parameters, keywords(6)), owner, {
		mode: 'trigger',
	});
	expect([error?.httpCode, error?.context.itemIndex]).toEqual(['402', 1]);
	expect(error?.description).toContain(withOriginal());
	expect(error?.description).toContain('Item 0 ("keyword 0."): The service rejected the input.');
});

it('a later pass of a loop says that nothing of this iteration was sent', async () => {
	const keyword = '={{ $runIndex === 1 && $itemIndex === 1 ? " " : $json.keyword ?? "keyword" }}';
	const workflow = inThreePasses(workflowOf({ ...CREATE, keyword }, keywords(2)));
	const { error } = await runWorkflow(workflow, account().account);
	expect(error?.description).toContain('Failed at Item 1. Nothing was sent in this iteration.');
	expect(account().sandbox.state.jobs).toHaveLength(2);
});

describe('a rejection of the content', () => {
	const NAME = 'Check the name in "Blacklist".';
	const REJECTED: Array<[what: string, fault: Fault, correct: string]> = [
		['400', status(400), CORRECT],
		['405', status(405), CORRECT_OR_CREDENTIAL],
		['404', status(404), NAME],
		['success: false', status(200, { body: { success: false } }), CORRECT],
	];

	it.each(REJECTED)(
		'says that a retry stops there again, and how the others are reached: %s',
		async (what, fault, correct) => {
			const { sandbox, account: owner } = account();
			const parameters = { ...ADD, options: { concurrency: 1 } };
			sandbox.faults.add({ match: 'site-2.', fault });
			const failed = await runWorkflow(workflowOf(parameters, domains(6)), owner);
			const moved = what === '404' ? [NOT_AFTER_A_MOVE, ONLY_THEN] : [];
			expectAfterCounts(
				failed.error!.description!,
				...[...moved, withContinue(correct), sendsAgain('items')],
			);

			const before = sandbox.requests.length;
			const continued = workflowOf(parameters, domains(6), CONTINUE);
			const { outputs } = await retryWorkflow(continued, failed, owner);
			expect(outputs.map(({ length }) => length)).toEqual([5, 1]);
			expect(sandbox.requests.length - before).toBe(4);
		},
	);

	const AGAIN = `Then run the workflow again. ${LEAVE_OUT}`;
	/** The list at the end: the six are in flight at once. */
	const others = (reason: string) =>
		`${[1, 2, 3, 4, 5]
			.map((item) => `Item ${item} ("site-${item}.example.com")`)
			.join(', ')}: ${reason}`;

	it.each(REJECTED)('says to run a test again if nothing was done: %s', async (...row) => {
		const [, fault, correct] = row;
		account().sandbox.faults.add({ fault });
		const description = await descriptionOf(ADD, domains(6));
		const [, after] = around(description);
		expect(after).toContain(`${correct} ${AGAIN} ${others('The service ')}`);
	});
});

describe('where nothing was done, and n8n keeps the execution, everything may change before the retry:', () => {
	const atStart = async (fault: Fault, items = keywords(3)) => {
		account().sandbox.faults.add({ match: 'keyword 0.', fault });
		return await descriptionOf(ONE_BY_ONE, items, { mode: 'webhook' });
	};
	const saved = (...first: string[]) =>
		[...first, SAVE_FOR_GOOD, ...retryOf('execution 1', 'currently saved')]
			.map((step, index) => `${index + 1}. ${step}`)
			.join(' ');

	it.each<[what: string, fault: Fault, ...next: string[]]>([
		['a refused key', status(401), withOriginal()],
		['a used-up allowance', status(402), FOR_14_DAYS, withOriginal()],
		['a proxy', status(407), `To send the rest: ${saved()}`],
		['a redirect', status(302), withOriginal()],
		['a web page', status(401, { body: '<html>No</html>' }), withOriginal()],
	])('%s', async (_what, fault, ...next) => {
		expectAfterCounts(await atStart(fault), ...next);
	});

	it('a rejected value, in a field of the node or in the item', async () => {
		const inItem = continueSteps('execution 1')
			.map((step, index) => `${index + 1}. ${step}`)
			.join(' ');
		expectAfterCounts(
			await atStart(status(400)),
			`If a field of this node is wrong: ${saved('Correct it.')}`,
			`If the item is wrong: ${inItem}`,
			itemAlone(CORRECT, false),
		);
	});

	it('a value that is refused before anything is sent', async () => {
		const blank = { ...CREATE, keyword: '={{ $json.keyword }}' };
		const items = [{ keyword: 'a' }, { keyword: ' ' }];
		const description = await descriptionOf(blank, items, { mode: 'trigger' });
		expect(description).toContain(`If a field of this node is wrong: ${saved('Correct it.')}`);
		expect(account().sandbox.requests).toEqual([]);
	});

	it('but what may have been carried out is no longer nothing', async () => {
		expectAfterCounts(await atStart(status(500)), withOriginal(), ...[SENT_AGAIN, PAYS_AGAIN]);
	});
});

describe('with a node of this kind before it, whose requests a new run sends again,', () => {
	/** First orders a job for each keyword, then the node under test. */
	async function behind(
		first: INodeParameters,
		fault: Fault,
		{
			settings = {},
			mode = 'manual',
			second = { ...ONE_BY_ONE, keyword: '={{ "second " + $("Start").item.json.keyword }}' },
			other = { match: 'second keyword 0.', fault },
			change = () => {},
		}: {
			settings?: Partial<INode>;
			mode?: WorkflowExecuteMode;
			second?: INodeParameters;
			other?: FaultRule;
			change?: (workflow: TestWorkflow) => void;
		} = {},
	) {
		const { nodes, connections, ...workflow } = workflowOf(second, keywords(3), settings);
		const tested = nodes.find(({ name }) => name === TESTED_NODE)!;
		account().sandbox.faults.clear();
		account().sandbox.faults.add(other);
		const both: TestWorkflow = {
			...workflow,
			nodes: [
				...nodes,
				{ ...tested, id: 'first', name: 'First', parameters: first, onError: 'stopWorkflow' },
			],
			connections: { ...connections, Start: to('First'), First: to(TESTED_NODE) },
		};
		change(both);
		return await runWorkflow(both, account().account, { mode });
	}

	const to = (...names: string[]) => ({
		main: [names.map((node) => ({ node, type: 'main' as const, index: 0 }))],
	});
	const firstOf = ({ nodes }: TestWorkflow) => nodes.find(({ name }) => name === 'First')!;

	it('even a test says how it is retried, and what a new run would pay for', async () => {
		const { error } = await behind(CREATE, status(402));
		expectAfterCounts(
			error!.description!,
			...[FOR_14_DAYS, withOriginal()],
			'Running the workflow with all items creates and pays for the jobs of "First" again.',
		);
	});

	it('a new run with only some items deactivates a Create first', async () => {
		const { error } = await behind(CREATE, status(400));
		expect(error?.description).toContain(
			`If this item is done after that, stop here. ${CORRECT} First deactivate "First": otherwise, jobs are created there again. Run the workflow with only this item. When this is done, activate "First" again.`,
		);
		const { outputs } = await behind(CREATE, status(400), { settings: CONTINUE });
		expect(outputs[1]![0]!.json.message).toContain(
			'First deactivate "First": otherwise, jobs are created there again. Then run the workflow with only the items that were not done. When this is done, activate "First" again.',
		);
	});

	it('but not a node whose output is another', async () => {
		const { error } = await behind({ ...ADD, value: 'example.com' }, status(400));
		expect(error?.description).toContain(
			'Run the workflow with only this item. The requests of "First" are sent again.',
		);
		expect(error?.description).not.toContain('deactivate');
	});

	it('also what it pays for beside what this node sends', async () => {
		const value = '={{ "site-" + $itemIndex + ".example.com" }}';
		const parameters = { ...ADD, value, options: { concurrency: 1 } };
		const second = { match: 'site-1.', fault: status(402) };
		const { error } = await behind(CREATE, status(402), { second: parameters, other: second });
		expect(error?.description).toContain(
			`${sendsAgain('items')} Running the workflow with all items creates and pays for the jobs of "First" again.`,
		);
	});

	it('a branch that has not begun is none: without a retry, its jobs would never be created', async () => {
		const { nodes, connections, ...workflow } = workflowOf(ONE_BY_ONE, keywords(3));
		const tested = nodes.find(({ name }) => name === TESTED_NODE)!;
		const [main] = connections.Start!.main!;
		const both = [...main!, { node: 'Other', type: 'main' as const, index: 0 }];
		account().sandbox.faults.add({ match: 'keyword 0.', fault: status(402) });
		const branches = {
			...workflow,
			nodes: [
				...nodes,
				{ ...tested, id: 'other', name: 'Other', position: [0, 900] as [number, number] },
			],
			connections: { ...connections, Start: { main: [both] } },
		};
		const test = await runWorkflow(branches, account().account);
		expect(test.run.data.resultData.runData).not.toHaveProperty('Other');
		expect(test.error?.description).toContain('Then run the workflow again.');
		const settings = { saveDataErrorExecution: 'none' } as const;
		const { error } = await runWorkflow({ ...branches, settings }, account().account, {
			mode: 'trigger',
		});
		expect(error?.description).toContain(NEW_RUN);
		expect(error?.description).not.toContain('Other');
	});

	it('also if it stands beside this one, or with one that creates no jobs', async () => {
		const beside = await behind(CREATE, status(402), {
			change(workflow) {
				const { connections } = workflow;
				// n8n takes the upper branch first.
				firstOf(workflow).position = [0, -900];
				connections.Start = to('First', TESTED_NODE);
				delete connections.First;
			},
		});
		expect(beside.error?.description).toContain(
			'Running the workflow with all items creates and pays for the jobs of "First" again.',
		);
		const together = await behind(CREATE, status(402), {
			change(workflow) {
				const parameters = { ...ADD, value: 'example.com' };
				workflow.nodes.push({ ...firstOf(workflow), id: 'other', name: 'Other', parameters });
				Object.assign(workflow.connections, { First: to('Other'), Other: to(TESTED_NODE) });
			},
		});
		expect(together.error?.description).toMatch(
			/Running the workflow with all items creates and pays for the jobs of "\w+" and "\w+" again\./,
		);
	});

	it.each<[what: string, change: (workflow: TestWorkflow) => void]>([
		['is deactivated', (workflow) => (firstOf(workflow).disabled = true)],
		['has not run', ({ connections }) => (connections.Start = to(TESTED_NODE))],
		['only reads', (workflow) => (firstOf(workflow).parameters = USAGE)],
	])('but not one that %s', async (_what, change) => {
		const { error } = await behind(CREATE, status(402), { change });
		expect(error?.description).not.toContain('"First"');
		expect(error?.description).toContain('Then run the workflow again.');
		const ofEvent = await behind(CREATE, status(400), { change, mode: 'webhook' });
		expect(ofEvent.error?.description).toContain('Run the workflow with only this item.');
		expect(ofEvent.error?.description).not.toContain('"First"');
	});
});

it('a refused value in a later pass of a loop says the same, because a retry has the same input', async () => {
	const keyword = '={{ $runIndex === 1 ? " " : $json.keyword ?? "keyword" }}';
	const workflow = inThreePasses(workflowOf({ ...CREATE, keyword }, keywords(1)));
	const failed = await runWorkflow(workflow, account().account);
	expect(failed.error?.message).toBe('"Keyword" is empty');
	const correct =
		'This row gives no text. Check the expression in "Keyword", or leave such rows out with a Filter node before this one.';
	expect(failed.error?.description).toBe(
		`Failed at Item 0. ${withContinue(correct)} ${PAYS_AGAIN}`,
	);
});

it('what another retry has sent names no execution to retry', async () => {
	const { sandbox, account: owner } = account();
	sandbox.faults.add({ match: 'keyword 1.', times: 1, fault: status(500) });
	const workflow = workflowOf(ONE_BY_ONE, keywords(4));
	const failed = await runWorkflow(workflow, owner);
	sandbox.faults.add({ fault: { kind: 'delay', ms: 200 } });
	const both = await Promise.all([1, 2].map(() => retryWorkflow(workflow, failed, owner)));
	const [refused] = both.filter(({ error }) => error);
	expect(refused?.error?.message).toMatch(/^Not sent: another retry/);
	const { description } = refused!.error!;
	expectAfterCounts(description!, PAYS_AGAIN, doneById(1));
});

describe('Add Many Items refuses', () => {
	/** Fails after two of four values, and is retried with these changes. */
	async function refusedInRetry(changes: INodeParameters) {
		const { sandbox, account: owner } = account();
		const type = '={{ $execution.id === "retry" && $itemIndex === 3 ? "phone" : "domain" }}';
		const parameters = { ...ADD_MANY, type, options: { concurrency: 1 } };
		sandbox.faults.add({ match: 'site-2.', times: 1, fault: status(402) });
		const failed = await runWorkflow(workflowOf(parameters, domains(4)), owner);
		const { length } = sandbox.requests;
		const saved = workflowOf({ ...parameters, ...changes }, []);
		const { error } = await retryWorkflow(saved, failed, owner);
		expect(sandbox.requests).toHaveLength(length);
		return error!;
	}

	it('a row in a retry after something was done: how the others are reached', async () => {
		const { message, description, context } = await refusedInRetry({});
		expect([message, context.itemIndex]).toEqual(['"Type" is unknown: phone', 3]);
		const correct =
			'Choose a type from the list, or use an expression that returns one of auto, cid, domain, email, place_id.';
		expect(description).toBe(`${withContinue(correct, 'execution retry')} ${sendsAgain('items')}`);
	});

	it('an option in a retry after something was done: that it can change', async () => {
		const { message, description } = await refusedInRetry({ options: { concurrency: 0 } });
		expect(message).toBe('"Concurrency" is below 1: 0');
		const advice = 'Enter a whole number from 1 to 100, or remove the option.';
		expect(description).toBe(`${advice} ${withSaved('execution retry')} ${sendsAgain('items')}`);
	});
});

describe('with Continue, after which n8n offers no retry, an error item', () => {
	async function messages(parameters: INodeParameters, items: IDataObject[] = [{}, {}]) {
		const { outputs } = await runWorkflow(
			workflowOf(parameters, items, CONTINUE),
			account().account,
		);
		return outputs[1]!.map(({ json }) => json.message as string);
	}

	it('says to run the workflow with only the rest', async () => {
		account().sandbox.faults.add({ fault: status(400) });
		const message = `The service says: "Sandbox fault". ${CORRECT} ${NEW_RUN}`;
		expect(await messages(CREATE)).toEqual([message, message]);
	});

	it.each([
		[
			'trigger' as const,
			`${SAVE_FOR_GOOD} ${NEW_RUN} ${eventWith('the items that were not done')}`,
		],
		['manual' as const, NEW_RUN],
	])('says to publish a corrected option only where an event runs it: %s', async (mode, said) => {
		const workflow = workflowOf({ ...CREATE, options: { concurrency: 0 } }, [{}], CONTINUE);
		const { outputs } = await runWorkflow(workflow, account().account, { mode });
		expect(outputs[1]![0]!.json.message).toBe(
			`Enter a whole number from 1 to 100, or remove the option. ${said}`,
		);
	});

	it('says it of a row of Add Many Items', async () => {
		const type = '={{ $itemIndex === 1 ? "phone" : "domain" }}';
		const [message, ...others] = await messages({ ...ADD_MANY, type });
		expect(others).toEqual([]);
		expect(message?.endsWith(` ${NEW_RUN}`)).toBe(true);
	});

	it('does not of what changes nothing', async () => {
		account().sandbox.faults.add({ fault: status(404) });
		const message = 'The service says: "Sandbox fault". Check "Base URL" in the credential.';
		expect(await messages(LIST)).toEqual([message, message]);
	});
});

it.each<[option: string, options: INodeParameters]>([
	['Maximum Jobs per Run', { maxJobs: 2 }],
	['Minimum Remaining Requests', { minRemaining: 100_000 }],
])('a run that %s refuses as a whole names no item', async (_option, options) => {
	const workflow = workflowOf({ ...CREATE, options }, keywords(3));
	const { error } = await runWorkflow(workflow, account().account);
	expect(error?.message).toMatch(/^Not created/);
	expect(error?.description).not.toMatch(/item/i);
	expect(account().sandbox.state.jobs).toEqual([]);
});

describe('the words "may have been carried out"', () => {
	const CHANGING = OPERATIONS.filter(([, method]) => method !== 'GET');
	it('are in the message of what is not sent again', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ match: 'keyword 1.', times: 1, fault: BROKEN });
		const failed = await runWorkflow(workflowOf(ONE_BY_ONE, keywords(2)), owner);
		const { outputs } = await retryWorkflow(
			workflowOf(ONE_BY_ONE, keywords(2), CONTINUE),
			failed,
			owner,
		);
		expect(outputs[1]![0]!.json.error).toMatch(/^Not sent again/);
		expect(outputs[1]![0]!.json.message).toContain(MAYBE);
	});

	it.each<[what: string, fault: ReturnType<typeof status>]>([
		['told to wait for too long', status(503, { retryAfter: '500' })],
		['rejected', status(400)],
		['not paid for', status(402)],
	])('are in the message of what failed before, and is %s now', async (_what, fault) => {
		const { sandbox, account: owner } = account();
		for (const [, , parameters] of CHANGING) {
			sandbox.faults.clear();
			sandbox.faults.add({ times: 1, fault: status(500, { carryOut: true }) });
			sandbox.faults.add({ fault });
			const workflow = workflowOf(parameters, [{}], RETRY_ON_FAIL);
			const { error, outputs } = await runWorkflow(workflow, owner);
			const told = error?.description ?? JSON.stringify(outputs);
			expect(told).toMatch(/may have been (carried out|added)/);
		}
	});

	it('are in the message of what another retry is sending', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ match: 'keyword 1.', times: 1, fault: status(400) });
		const failed = await runWorkflow(workflowOf(ONE_BY_ONE, keywords(2)), owner);
		const continued = workflowOf(ONE_BY_ONE, keywords(2), CONTINUE);
		sandbox.faults.add({ match: 'keyword 1.', fault: { kind: 'delay', ms: 200 } });
		const both = await Promise.all([1, 2].map(() => retryWorkflow(continued, failed, owner)));
		const refused = both.flatMap(({ outputs }) => outputs[1] ?? []);
		expect(refused.map(({ json }) => json.error)).toEqual([
			'Not sent: another retry of this execution is in progress',
		]);
		expect(refused[0]!.json.message).toContain(MAYBE);
		// A new run would send what the other one is sending.
		expect(refused[0]!.json.message).not.toMatch(/run the workflow/i);
		expect(sandbox.state.jobs).toHaveLength(2);
	});
});

it.each([401, 403])('%d with a web page names what is in between first', async (code) => {
	account().sandbox.faults.add({ fault: status(code, { body: '<html>No</html>' }) });
	const { error } = await runWorkflow(workflowOf(CREATE), account().account);
	expect(error?.message).toBe(`A web page came in place of an answer (status ${code})`);
	expect(error?.description).toMatch(/^A firewall, .* check "API Key" in this credential\./);
	expect(error?.httpCode).toBe(String(code));
});

it.each([
	['jobs', 'create', 'jobs'],
	['job', 'addItems', 'job addItems'],
	// n8n adds this choice to the operations of each node that has a credential.
	['usage', '__CUSTOM_API_CALL__', 'usage __CUSTOM_API_CALL__'],
])('%s.%s is refused by name, with what exists', async (resource, operation, named) => {
	const { sandbox, account: owner } = account();
	const parameters = { resource, operation };
	const { error } = await runWorkflow(workflowOf(parameters), owner);
	expect(error?.message).toBe(`"Resource" or "Operation" does not exist: ${named}`);
	const [, listed = ''] = /^These exist: (.*)\.$/.exec(error?.description ?? '') ?? [];
	const existing = CONTRACT.map((each) => `${each.resource} ${each.operation}`);
	expect(listed.split(', ').sort()).toEqual(existing.sort());
	const { outputs } = await runWorkflow(workflowOf(parameters, [{}, {}], CONTINUE), owner);
	expect(outputs[1]!.map(({ json }) => Object.keys(json))).toEqual([
		['error', 'message'],
		['error', 'message'],
	]);
	expect(sandbox.requests).toEqual([]);
});

it('the dropdown says what to do if the credential depends on an item', async () => {
	const { account: owner } = account();
	const searching = searchBlacklists({ ...owner, apiKey: '' });
	await expect(searching).rejects.toMatchObject({
		description: expect.stringContaining(
			'choose "Name" and enter the name: a list has no input item.',
		),
	});
});

it('the trigger says what to do if the credential depends on an item', async () => {
	const { account: owner } = account();
	const baseUrl = '={{ $("Clients").item.json.url }}';
	const poll = activeTrigger({ ...owner, baseUrl }, { events: ['allowanceLow'], threshold: 1 });
	const advice = 'choose one without: a trigger has no input item.';
	await expect(poll()).rejects.toMatchObject({ description: expect.stringContaining(advice) });
});

describe('whose job it is', () => {
	it('is in the summary and in the log, as it was sent, on one line', async () => {
		const { sandbox, account: owner } = account();
		const long = `dentist\n\u001b in ${'x'.repeat(67)}🐎🐎`;
		const items = [{ keyword: long }, { keyword: 'bakery' }, { keyword: 'florist' }];
		sandbox.faults.add({ match: 'florist', fault: status(422) });
		const { error } = await runWorkflow(workflowOf(ONE_BY_ONE, items), owner);
		const [first, second] = sandbox.state.jobs;
		const shown = `dentist in ${'x'.repeat(67)}…`;
		expect(shown).toHaveLength(79);
		const jobs = [`${first!.job_id} for "${shown}"`, listedJob(second!)];
		expect(error?.description?.endsWith(` Done, by job_id: ${jobs.join(', ')}.`)).toBe(true);
		expect(error?.description).toContain('Failed at Item 2 ("florist").');
		expect(log.lines('info')).toEqual([
			`Business Listing Search (execution 1): 1 of 3 finished, new: ${jobs[0]}`,
			`Business Listing Search (execution 1): 2 of 3 finished, new: ${jobs[1]}`,
		]);
	});

	it('is remembered: a retry names the right one, whatever the expression gives then', async () => {
		const { sandbox, account: owner } = account();
		const parameters = { ...ONE_BY_ONE, keyword: '={{ $json.keyword }} {{ Math.random() }}' };
		const workflow = workflowOf(parameters, keywords(4));
		sandbox.faults.add({ match: 'keyword 2.', times: 2, fault: status(400) });
		const failed = await runWorkflow(workflow, owner);
		const { error } = await retryWorkflow(workflow, failed, owner);
		expect(sandbox.state.jobs).toHaveLength(2);
		expect(error?.description?.endsWith(` ${doneById()}`)).toBe(true);
	});

	it.each<[name: string, parameters: INodeParameters, label: string]>([
		['Add Item', ADD, 'Failed at Item 1 ("site-1.example.com").'],
		['Add Many Items', ADD_MANY, 'Failed at "site-1.example.com".'],
	])('%s names the value that failed', async (_name, parameters, label) => {
		account().sandbox.faults.add({ match: 'site-1.', fault: BROKEN });
		const workflow = workflowOf({ ...parameters, options: { concurrency: 1 } }, domains(3));
		const { error } = await runWorkflow(workflow, account().account);
		expect(error?.description).toContain(label);
	});
});

describe('"Include Input Fields"', () => {
	const INCLUDING = { ...CREATE, options: { includeInputFields: true } };

	it.each<[what: string, fields: IDataObject, kept: IDataObject]>([
		['of an error output', { error: 'Broke', message: 'It may have been carried out' }, {}],
		['alone', { message: 'Hello' }, { message: 'Hello' }],
		['that is not text', { error: 'Broke', message: 7 }, { message: 7 }],
		['beside an empty error', { error: '', message: 'Hi' }, { message: 'Hi' }],
	])('with a message %s', async (_what, fields, kept) => {
		const { sandbox, account: owner } = account();
		const items = [{ keyword: 'dentist', ...fields }];
		const { json } = await runWorkflow(workflowOf(INCLUDING, items), owner);
		expect(json).toEqual([{ keyword: 'dentist', ...kept, job_id: sandbox.state.jobs[0]!.job_id }]);
	});

	it.each<Partial<INode>>([
		{},
		{ onError: 'stopWorkflow' },
		{ onError: 'continueRegularOutput' },
		{ onError: 'continueErrorOutput' },
	])(
		'leaves out a field named error: each job once with Retry On Fail and %j',
		async (settings) => {
			const { sandbox, account: owner } = account();
			const items = keywords(2).map((item) => ({ ...item, error: 'as an error output names it' }));
			const workflow = workflowOf(INCLUDING, items, {
				...RETRY_ON_FAIL,
				maxTries: 5,
				...settings,
			});
			const { outputs, error } = await runWorkflow(workflow, owner);
			expect(error).toBeUndefined();
			expect(sandbox.state.jobs).toHaveLength(2);
			expect(outputs[0]!.map(({ json }) => json)).toEqual(
				sandbox.state.jobs.map(({ job_id, keyword }) => ({ keyword, job_id })),
			);
		},
	);
});

describe('what is only tried names no retry', () => {
	const dry = { ...CREATE, options: { dryRun: true } };
	const keyword = '={{ $runIndex === 1 ? " " : "dentist" }}';

	it('in a later pass of a loop', async () => {
		const workflow = inThreePasses(workflowOf({ ...dry, keyword }, keywords(1)));
		const { error } = await runWorkflow(workflow, account().account);
		expect(error?.message).toBe('"Keyword" is empty');
		expect(error?.description).not.toMatch(/retry|again|To send the rest/i);
	});

	it('nor a new run with Continue', async () => {
		const blank = { ...dry, keyword: '={{ $json.keyword }}' };
		const workflow = workflowOf(blank, [{ keyword: ' ' }, { keyword: 'a' }], CONTINUE);
		const { outputs } = await runWorkflow(workflow, account().account);
		expect(outputs[1]![0]!.json.message).not.toContain('Then run');
		expect(outputs[0]).toMatchObject([{ json: { dryRun: true } }]);
	});

	it.each([CONTINUE, {}])('nor with a row of Add Many Items: %j', async (settings) => {
		const many = { ...ADD_MANY, values: '={{ $json.nothing }}', options: { dryRun: true } };
		const workflow = workflowOf(many, keywords(1), settings);
		const { outputs, error } = await runWorkflow(workflow, account().account);
		const message = error?.description ?? outputs[1]![0]!.json.message;
		expect(message).not.toContain('Then run');
	});
});

it('a field that no item has in a later pass of a loop is corrected after the retry', async () => {
	const values = '={{ $runIndex === 1 ? $json.nothing : "a" + $runIndex + ".example" }}';
	const workflow = inThreePasses(workflowOf({ ...ADD_MANY, values }, [{}]));
	const { error } = await runWorkflow(workflow, account().account);
	expect(error?.message).toBe('"Values" returns nothing for every input item');
	expect(error?.description).toMatch(
		/^A retry alone stops there again\. .* If this item is done after that, stop here\. Check the name of the field/,
	);
});
