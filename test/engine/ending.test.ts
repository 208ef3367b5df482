/** What is told of the failure that ended a run. The contract has the sentences. */
import type { IDataObject, INode, INodeParameters, WorkflowExecuteMode } from 'n8n-workflow';

import type { Fault } from '../../sandbox';
import { inThreePasses, workflowOf, type TestWorkflow } from '../support/engine';
import { status } from '../support/faults';
import { ADD_MANY, CREATE, DELETE, domains, keywords, ONE_BY_ONE } from '../support/parameters';
import { useEngine } from '../support/useEngine';
import { TESTED_NODE, to } from '../support/workflowOf';

const { sandbox, execute, retry } = useEngine({ remaining: 1_000 });

const MAYBE = 'may have been carried out';
const CUT = { kind: 'drop', carryOut: true } as const;

/** n8n's Retry of execution 231, as every error names it. */
const RETRY =
	'save, and within 14 days open "Executions" > execution 231 of "Test" > arrow at the top right > "Retry with currently saved workflow"';
const ALONE = 'with every Create that has ordered them deactivated';
const SAYS = 'The service says: "Sandbox fault".';
const LOOK = `The request ${MAYBE}.`;
const CORRECT = 'Correct the values of this item.';
const FIELD = `Wrong field (or credential): correct it, ${RETRY}.`;
const OUTPUT = 'set "On Error" to "Continue (using error output)"';
const SET_BACK = 'Then set it back, and run the workflow with only the items on the error output';
const MISSING = 'that are missing in your account';
const itemWay = (missing = '') =>
	`Wrong item: first ${OUTPUT}, and do the same. ${SET_BACK}${missing}, corrected, ${ALONE}.`;
const ITEM = itemWay();
const paid = (what: string, all = 'items') =>
	`<b>Created and paid: ${what}. Do not run all ${all} again.</b>`;
const unknownWay = (item: string, isLeft = 'missing') =>
	`A retry does not send ${item} again: ${OUTPUT}, ${RETRY}. ${SET_BACK} that are ${isLeft} in your account, ${ALONE}.`;
const failedWay = (items: string) =>
	`Look in your account for ${items}. If one of them is there, run the workflow with only the items of this run that are not in your account, ${ALONE}. Otherwise: ${RETRY}.`;

interface Case {
	parameters?: INodeParameters;
	items?: IDataObject[];
	fault?: Fault;
	/** Part of the body that meets the fault. */
	match?: string;
	mode?: WorkflowExecuteMode;
	settings?: TestWorkflow['settings'];
	node?: Partial<INode>;
	remaining?: number;
	/** Changes the workflow before it runs. */
	change?: (workflow: TestWorkflow) => void;
}

async function errorOf(row: Case) {
	const { parameters = ONE_BY_ONE, items = keywords(10), fault, match, node = {} } = row;
	sandbox.state.remaining = row.remaining ?? 1_000;
	if (fault) sandbox.faults.add({ ...(match && { match }), fault });
	const workflow: TestWorkflow = { ...workflowOf(parameters, items, node) };
	if (row.settings) workflow.settings = row.settings;
	row.change?.(workflow);
	const mode = row.mode ?? 'trigger';
	const { error } = await execute(workflow, { mode, executionId: '231' });
	return error!;
}

/** The title, and the paragraphs of the description. */
const told = ({ message, description }: { message: string; description?: string | null }) => [
	message,
	...(description ?? '').split('<br><br>'),
];

/** A Create that has run before the node. */
function behindCreate(workflow: TestWorkflow): void {
	const tested = workflow.nodes.find(({ name }) => name === TESTED_NODE)!;
	const parameters = {
		...CREATE,
		keyword: '={{ "first " + $json.keyword }}',
		options: { concurrency: 1, includeInputFields: true },
	};
	workflow.nodes.push({ ...tested, id: 'first', name: 'Create Job', parameters });
	Object.assign(workflow.connections, { Start: to('Create Job'), 'Create Job': to(TESTED_NODE) });
}

const VALUES = { parameters: { ...ADD_MANY, options: { concurrency: 1 } }, items: domains(10) };
const blankThird = [...keywords(2), { keyword: ' ' }, ...keywords(7)];
const BY_COLUMN = { ...ONE_BY_ONE, keyword: '={{ $json.keyword }}' };
const WAIT_OR_BUY = 'Wait until the allowance is renewed, or choose a larger plan.';
const USED_UP = 'The request allowance of the account is used up';

const TEXTS: Array<[what: string, row: Case, ...told: string[]]> = [
	[
		'401 at the first of 10',
		{ fault: status(401) },
		'The service refused the API key',
		`${SAYS} Check "API Key" and "API Key Format" in the credential. A firewall or a proxy can refuse a request, too.`,
		`Then ${RETRY}.`,
	],
	[
		'402 at item 25 of 60',
		{ items: keywords(60), remaining: 24 },
		`${USED_UP} (paid: 24 of 60 jobs)`,
		`The service says: "No requests remaining on this plan". ${WAIT_OR_BUY}`,
		paid('24 of 60 jobs'),
		`Then ${RETRY}.`,
	],
	[
		'400 at item 3 of 10, behind another Create, which is not asked',
		{ fault: status(400), match: '"keyword 2."', change: behindCreate },
		'The service rejected the input (paid: 2 of 10 jobs)',
		`Item 2 ("keyword 2."): ${SAYS} ${CORRECT}`,
		paid('2 of 10 jobs'),
		...[FIELD, ITEM],
	],
	[
		'500 at item 7 of 10',
		{ fault: status(500), match: '"keyword 6."' },
		'The service could not process the request (status 500) (paid: 6 of 10 jobs)',
		`Item 6 ("keyword 6."): ${SAYS} ${LOOK}`,
		paid('6 of 10 jobs'),
		failedWay('Item 6 ("keyword 6.")'),
	],
	[
		'cut at item 7 of 10',
		{ fault: CUT, match: '"keyword 6."' },
		'The connection to the service broke before the response was complete (paid: 6 of 10 jobs)',
		`Item 6 ("keyword 6."): System code: ECONNRESET. ${LOOK}`,
		paid('6 of 10 jobs'),
		unknownWay('Item 6 ("keyword 6.")'),
	],
	[
		'a Delete whose connection broke',
		{ fault: CUT, parameters: DELETE, items: keywords(1) },
		'The connection to the service broke before the response was complete',
		`System code: ECONNRESET. ${LOOK}`,
		unknownWay('Item 0', 'still'),
	],
	[
		'a Delete that failed, which a retry sends again',
		{ fault: status(500), parameters: DELETE, items: keywords(1) },
		'The service could not process the request (status 500)',
		`${SAYS} ${LOOK}`,
		`Then ${RETRY}.`,
	],
	[
		'Maximum Jobs per Run',
		{ parameters: { ...CREATE, options: { maxJobs: 100 } }, items: keywords(300) },
		'Not created: the run has 300 items, and "Maximum Jobs per Run" is 100',
		'Raise "Maximum Jobs per Run" under "Options".',
		`Then ${RETRY}.`,
	],
	[
		'Minimum Remaining Requests',
		{ parameters: { ...CREATE, options: { minRemaining: 100 } }, remaining: 105 },
		'Not created: the run needs 10, the account has 105, and "Minimum Remaining Requests" is 100',
		'Wait until the allowance is renewed, choose a larger plan, or remove the option.',
		`Then ${RETRY}.`,
	],
	[
		'a blank keyword at item 3 of 10',
		{ parameters: BY_COLUMN, items: blankThird },
		'"Keyword" is empty',
		'Item 2: This row gives no text. Check the expression in "Keyword".',
		...[FIELD, ITEM],
	],
	[
		'402 at item 7 of 10, not saved',
		{ fault: status(402), match: '"keyword 6."', settings: { saveDataErrorExecution: 'none' } },
		`${USED_UP} (paid: 6 of 10 jobs)`,
		`${SAYS} ${WAIT_OR_BUY}`,
		paid('6 of 10 jobs'),
		`n8n does not save this execution. Run the workflow with only the items that were not done, ${ALONE}.`,
	],
	[
		'504 at item 7 of 10, not saved',
		{ fault: status(504), match: '"keyword 6."', settings: { saveDataErrorExecution: 'none' } },
		'The service could not process the request (status 504) (paid: 6 of 10 jobs)',
		`Item 6 ("keyword 6."): ${SAYS} ${LOOK}`,
		paid('6 of 10 jobs'),
		`n8n does not save this execution. Run the workflow with only the items that were not done and are missing in your account, ${ALONE}.`,
	],
	[
		'402 at item 7 of 10, called',
		{ fault: status(402), match: '"keyword 6."', mode: 'integrated' },
		`${USED_UP} (paid: 6 of 10 jobs)`,
		`${SAYS} ${WAIT_OR_BUY}`,
		paid('6 of 10 jobs'),
		`Then ${RETRY}. Do not retry the workflow that called this one.`,
	],
	[
		'402 at value 7 of 10, Add Many, behind a Create',
		{
			...{ ...VALUES, fault: status(402), match: '"site-6.', change: behindCreate },
			items: domains(10).map(({ value }) => ({ value, keyword: value })),
		},
		`${USED_UP} (done: 6 of 10 values)`,
		`${SAYS} ${WAIT_OR_BUY}`,
		'<b>Done: 6 of 10 values. Do not run all values again.</b>',
		`Then ${RETRY}.`,
	],
	[
		'504 at value 7 of 10, which a retry sends again',
		{ ...VALUES, fault: status(504), match: 'site-6.' },
		'The service could not process the request (status 504) (done: 6 of 10 values)',
		`"site-6.example.com": ${SAYS} ${LOOK}`,
		'<b>Done: 6 of 10 values. Do not run all values again.</b>',
		`Then ${RETRY}.`,
	],
	[
		'a row of Add Many Items: all rows are read first',
		{
			...VALUES,
			parameters: { ...VALUES.parameters, type: '={{ $itemIndex === 3 ? "phone" : "domain" }}' },
		},
		'"Type" is none of its choices: phone',
		'Item 3: Choose one from the list, or use an expression that returns one of auto, cid, domain, email, place_id.',
		...[FIELD, ITEM.replace('the items on', 'the values on')],
	],
	[
		'what is only tried',
		{ parameters: { ...BY_COLUMN, options: { dryRun: true } }, items: blankThird },
		'"Keyword" is empty',
		'Item 2: This row gives no text. Check the expression in "Keyword".',
	],
];

describe('a run that ended is told in paragraphs: what is wrong, what is paid, how the rest is sent', () => {
	/** In words, beside the service's own and the item's: ten seconds to read. */
	const budget = (what: string) =>
		/cut|broke|400|blank|row|504/.test(what) ? 100 : /500/.test(what) ? 80 : 60;
	const wordsIn = (text: string) => {
		const own = text
			.replace(/The service says: ".*?"\./g, '')
			.replace(/Item \d+( \(".*?"\))?|"site-.*?"|"Test"/g, '');
		return own.match(/[\w/.:-]*\w[\w/.:-]*/g)?.length ?? 0;
	};

	it.each(TEXTS)('%s', async (what, row, ...expected) => {
		const error = await errorOf(row);
		expect(told(error)).toEqual(expected);
		expect(wordsIn(told(error).slice(1).join(' '))).toBeLessThanOrEqual(budget(what));
	});
});

describe('what is in doubt decides how the rest is sent, whatever ended the run:', () => {
	/** Three in flight at once: these of the ten end so, and all of them carried out or not. */
	async function inFlight(faults: Record<number, Fault>) {
		for (const [item, fault] of Object.entries(faults)) {
			sandbox.faults.add({ match: `"keyword ${item}."`, fault });
		}
		sandbox.faults.add({ fault: { kind: 'delay', ms: 50 } });
		const parameters = { ...CREATE, options: { concurrency: 3 } };
		return told(await errorOf({ parameters })).slice(1);
	}
	const FAILED = `The service could not process the request (status 500). ${SAYS} It ${MAYBE}.`;
	const BESIDE = `Item 1 ("keyword 1."): ${FAILED}`;

	const [FIRST, SECOND] = ['Item 0 ("keyword 0.")', 'Item 1 ("keyword 1.")'];

	it('two that failed', async () => {
		expect(await inFlight({ 0: status(500), 1: status(500) })).toEqual([
			`${FIRST}: ${SAYS} ${LOOK}`,
			paid('1 of 10 jobs'),
			failedWay(`${FIRST}, ${SECOND}`),
			BESIDE,
		]);
	});

	it('one that failed beside a used-up allowance, and beside a rejected one', async () => {
		expect(await inFlight({ 0: status(402), 1: status(500) })).toEqual([
			`${SAYS} ${WAIT_OR_BUY}`,
			paid('1 of 10 jobs'),
			failedWay(SECOND!),
			BESIDE,
		]);
		sandbox.faults.clear();
		expect(await inFlight({ 0: status(400), 1: status(500) })).toEqual([
			`${FIRST}: ${SAYS} ${CORRECT}`,
			paid('1 of 10 jobs'),
			failedWay(SECOND!),
			BESIDE,
		]);
	});

	it('one that is unknown beside a rejected one, which both leave by the error output', async () => {
		const [cause, , field, item, others] = await inFlight({ 0: status(400), 1: status(504) });
		expect([cause, field]).toEqual([`${FIRST}: ${SAYS} ${CORRECT}`, FIELD]);
		expect(item).toBe(itemWay(` ${MISSING}`));
		expect(others).toContain(`${SECOND}: The service could not process the request`);
	});

	it('one that is unknown beside a used-up allowance: a retry does not send it', async () => {
		const words = await inFlight({ 0: status(402), 1: status(504) });
		expect(words[2]).toBe(`Then ${RETRY}.`);
	});

	it('what was rejected beside a used-up allowance is named', async () => {
		const words = await inFlight({ 0: status(402), 1: status(400), 2: status(402) });
		expect(words.slice(1)).toEqual([
			`Then ${RETRY}.`,
			`${SECOND}: The service rejected the input. ${SAYS}`,
		]);
	});
});

describe('the ids of the jobs are data beside the error', () => {
	const idsOf = (from: number, to: number) =>
		sandbox.state.jobs.slice(from, to).map(({ job_id, keyword }) => ({ job_id, keyword }));

	it('the first hundred, and how many more there are', async () => {
		const { context, description } = await errorOf({ items: keywords(120), remaining: 116 });
		expect(context.data).toEqual([...idsOf(0, 100), { more: 16 }]);
		expect(description).not.toContain(sandbox.state.jobs[0]!.job_id);
	});

	it('all of them where no retry is named: n8n does not save the execution', async () => {
		const settings = { saveDataErrorExecution: 'none' } as const;
		const { context } = await errorOf({ settings, items: keywords(120), remaining: 116 });
		expect(context.data).toEqual(idsOf(0, 116));
	});

	it('of jobs alone', async () => {
		const { context } = await errorOf({ ...VALUES, fault: status(402), match: 'site-6.' });
		expect(context).not.toHaveProperty('data');
	});

	it('with the keyword that each was ordered with, whatever an expression gives in a retry', async () => {
		const parameters = { ...ONE_BY_ONE, keyword: '={{ $json.keyword }} {{ Math.random() }}' };
		sandbox.faults.add({ match: 'keyword 2.', times: 2, fault: status(400) });
		const failed = await execute(parameters, keywords(4));
		const { error } = await retry(failed);
		expect(error?.context.data).toEqual(idsOf(0, 2));
	});
});

describe('where the node stands', () => {
	it.each([
		['trigger', { saveDataErrorExecution: 'none' }, false],
		['manual', { saveManualExecutions: false }, false],
		['trigger', { saveManualExecutions: false }, true],
		['manual', { saveDataErrorExecution: 'none' }, true],
	] as const)(
		'a retry is named only if n8n saves the execution: %s, %j',
		async (mode, settings, isNamed) => {
			const { description } = await errorOf({ remaining: 3, mode, settings });
			expect(description?.includes(RETRY)).toBe(isNamed);
			expect(description?.includes('n8n does not save this execution.')).toBe(!isNamed);
		},
	);

	it('a later pass of a loop is told with what an earlier one has done', async () => {
		const keyword = '={{ "keyword " + $runIndex + "." }}';
		const workflow = inThreePasses(workflowOf({ ...ONE_BY_ONE, keyword }, keywords(1)));
		sandbox.faults.add({ match: 'keyword 2.', fault: status(402) });
		const { error } = await execute(workflow);
		expect(told(error!)).toEqual([
			`${USED_UP} (paid: the jobs of an earlier iteration)`,
			`${SAYS} ${WAIT_OR_BUY}`,
			paid('the jobs of an earlier iteration'),
			`Then ${RETRY.replace('231', '1')}.`,
		]);
	});

	it('what is only tried has paid nothing, also in a later pass of a loop', async () => {
		const keyword = '={{ $runIndex > 0 ? "" : "dentist" }}';
		const workflow = workflowOf({ ...CREATE, keyword, options: { dryRun: true } });
		const { error } = await execute(inThreePasses(workflow));
		expect(error?.message).toBe('"Keyword" is empty');
	});

	it.each<[what: string, fault: Fault, way: string[]]>([
		[
			'a rejected item',
			status(400),
			[`Wrong item: run the workflow with only the items that were not done, corrected, ${ALONE}.`],
		],
		[
			'an unknown one',
			CUT,
			[
				`A retry does not send Item 0 ("keyword 0.") again: run the workflow with only the items that were not done and are missing in your account, ${ALONE}.`,
			],
		],
		['a failed one', status(500), [failedWay('Item 0 ("keyword 0.")')]],
	])(
		'in a loop, a pass that leaves by the error output would end it: %s',
		async (_what, fault, way) => {
			const { description } = await errorOf({
				fault,
				match: '"keyword 0."',
				items: keywords(1),
				change: (workflow) => Object.assign(workflow, inThreePasses(workflow)),
			});
			expect(description?.split('<br><br>').slice(-way.length)).toEqual(way);
			expect(description).not.toContain('"On Error"');
		},
	);

	it('a retry of a called workflow says so again', async () => {
		const workflow = workflowOf(ONE_BY_ONE, keywords(2));
		workflow.nodes.find(({ name }) => name === 'Start')!.type =
			'n8n-nodes-base.executeWorkflowTrigger';
		sandbox.faults.add({ match: 'keyword 1.', fault: status(402) });
		const failed = await execute(workflow, { mode: 'integrated' });
		const { error } = await retry(failed);
		expect(error?.description).toContain('execution retry of "Test" >');
		expect(error?.description).toContain('Do not retry the workflow that called this one.');
	});

	it('another retry that is in progress names no way', async () => {
		sandbox.faults.add({ match: 'keyword 1.', times: 1, fault: status(500) });
		const failed = await execute(ONE_BY_ONE, keywords(4));
		sandbox.faults.add({ fault: { kind: 'delay', ms: 200 } });
		const both = await Promise.all([1, 2].map(() => retry(failed)));
		const [refused] = both.filter(({ error }) => error);
		expect(refused?.error?.message).toMatch(/^Not sent: another retry .* \(paid: 1 of 4 jobs\)$/);
		expect(refused?.error?.description).toContain(MAYBE);
		expect(refused?.error?.description).not.toMatch(/run the workflow|Retry with/);
	});
});

it('what ends the run of the account is shown, not what was rejected beside it', async () => {
	sandbox.faults.add({ match: 'keyword 0.', fault: status(400) });
	sandbox.faults.add({ match: 'keyword 1.', fault: status(402) });
	sandbox.faults.add({ fault: { kind: 'delay', ms: 50 } });
	const error = await errorOf({ parameters: { ...CREATE, options: { concurrency: 3 } } });
	expect([error.httpCode, error.context.itemIndex]).toEqual(['402', 1]);
});
