/** A person sees what a run will send, before it costs anything. */
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import type { Fault } from '../../../sandbox';
import { runWithoutExecution, workflowOf, type EngineRun } from '../../support/engine';
import { status } from '../../support/faults';
import { ADD_MANY, CREATE, domains, keywords, ONE_BY_ONE } from '../../support/parameters';
import { CONTINUE, RETRY_ON_FAIL } from '../../support/settings';
import { useEngine } from '../../support/useEngine';

const { sandbox, owner, execute, retry } = useEngine({ remaining: 10_000 });

const DRY = { options: { dryRun: true } };

const run = async (
	parameters: object,
	items: IDataObject[] = [{}],
	settings: Partial<INode> = {},
) => await execute(parameters as INodeParameters, items, settings);

/** All output items, with the items that they are linked to. */
const all = ({ outputs }: EngineRun) =>
	outputs.flatMap((items) => items.map(({ json, pairedItem }) => ({ json, pairedItem })));

describe('Job: Create', () => {
	const FILLED = {
		...CREATE,
		filters: { minRating: '={{ "4" }}', hasPhone: '={{ "true" }}' },
		sort: { sortBy: 'rating', sortOrder: 'desc' },
	};

	it('shows the body of each request as it is sent without the option', async () => {
		const items = keywords(100);
		const dry = await run({ ...FILLED, options: { ...DRY.options, minRemaining: 5 } }, items);
		expect(sandbox.requests).toEqual([]);
		expect((await run(FILLED, items)).error).toBeUndefined();
		const bodies = sandbox.requests.map(({ body }) => body as IDataObject);
		expect(all(dry)).toEqual(
			bodies.map((body, item) => ({ json: { dryRun: true, ...body }, pairedItem: { item } })),
		);
	});

	it('with Include Input Fields, what is sent comes first, and wins over fields that are not', async () => {
		const row = { group_name: 'mine', dryRun: 'mine', min_rating: 0, job_id: 'old' };
		const options = { dryRun: true, includeInputFields: true };
		const items = [{ city: 'Vienna', keyword: 'dentist', ...row }];
		const { json } = await run({ ...CREATE, options }, items);
		const shown = { dryRun: true, keyword: 'dentist', group_name: 'API', city: 'Vienna' };
		expect(Object.entries(json[0]!)).toEqual(Object.entries(shown));
	});

	it.each<[string, Partial<INode>]>([
		['Retry On Fail', RETRY_ON_FAIL],
		['Continue', { onError: 'continueRegularOutput' }],
		['the error output', CONTINUE],
	])('sends nothing with %s', async (_what, settings) => {
		const { json, error } = await run({ ...CREATE, ...DRY }, keywords(5), settings);
		expect(error).toBeUndefined();
		expect(json.map(({ dryRun, keyword }) => [dryRun, keyword])).toEqual(
			keywords(5).map(({ keyword }) => [true, keyword]),
		);
		expect(sandbox.requests).toEqual([]);
	});

	it.each<[dry: unknown[], said: string]>([
		[['true', true, 'True'], ''],
		[['true', 'true', 'no'], '"Dry Run" is neither true nor false: no'],
		[[true, '', true], '"Dry Run" has no value'],
		[[true, 'true', 'false'], '"Dry Run" differs between the items: true (item 0), false (item 2)'],
	])('applies to the whole run, and is the same for all rows: %j', async (dry, said) => {
		const items = dry.map((each, row) => ({ dry: each, keyword: `${row}` })) as IDataObject[];
		const options = { dryRun: '={{ $json.dry }}' };
		const end = await run({ ...CREATE, options }, items, CONTINUE);
		const expected = said ? { error: said } : { dryRun: true };
		expect(all(end).map(({ json }) => json)).toEqual(
			items.map(() => expect.objectContaining(expected)),
		);
		expect(sandbox.requests).toEqual([]);
	});

	it('is refused in a retry, of which n8n offers no other one once it succeeds', async () => {
		sandbox.faults.add({ match: 'keyword 2.', times: 1, fault: status(500) });
		const failed = await execute(ONE_BY_ONE, keywords(4));
		const { error } = await retry(failed, workflowOf({ ...CREATE, ...DRY }, []));
		expect(error?.message).toBe('"Dry Run" is on in a retry of an execution (paid: 2 of 4 jobs)');
		expect(error?.description).toMatch(
			/: After a retry that succeeds, n8n offers no other one\. Remove the option\. .*<br>Look in your account for Item 2/,
		);
		expect(sandbox.state.jobs).toHaveLength(2);
		const { json } = await retry(failed);
		expect(json.map(({ job_id }) => job_id)).toEqual(
			sandbox.state.jobs.map(({ job_id }) => job_id),
		);
		expect(sandbox.state.jobs).toHaveLength(4);
	});

	it('is remembered by no later attempt', async () => {
		// The first attempt is dry, and fails for an item that is valid in the next one.
		const isFirst = `$now.toMillis() < ${Date.now() + 500}`;
		const options = { dryRun: `={{ ${isFirst} }}` };
		const keyword = `={{ ${isFirst} && $itemIndex === 1 ? "" : $json.keyword }}`;
		const settings = { ...RETRY_ON_FAIL, waitBetweenTries: 1_000 };
		const end = await run({ ...CREATE, keyword, options }, keywords(3), settings);
		expect(end.error).toBeUndefined();
		expect(sandbox.state.jobs).toHaveLength(3);
	});

	it('is a way for an agent to try its tool', async () => {
		const json = await runWithoutExecution({ ...CREATE, ...DRY }, owner);
		expect(json).toEqual([{ dryRun: true, keyword: 'dentist', group_name: 'API' }]);
		expect(sandbox.requests).toEqual([]);
	});
});

describe('Blacklist: Add Many Items', () => {
	const ROWS = [
		{ values: 'https://www.a.example/x, b.example, a.example' },
		{ values: ['no', 'gmail.com', 'you@company.com', 12.5, null] },
		{ values: 'b.example; c.example' },
	];
	const many = (options: object) => ({ ...ADD_MANY, type: 'auto', options });

	it.each(['summary', 'items'])(
		'gives the same as a real run, but "valid" for added: %s',
		async (output) => {
			const dry = all(await run(many({ output, dryRun: true }), ROWS));
			expect(sandbox.requests).toEqual([]);
			const real = all(await run(many({ output }), ROWS));
			const asDry = ({ status: end, ...json }: IDataObject) =>
				output === 'items'
					? { ...json, status: end === 'added' ? 'valid' : end }
					: { ...json, added: 0, valid: json.added };
			expect(dry).toEqual(real.map(({ json, ...item }) => ({ json: asDry(json), ...item })));
		},
	);
});

describe('that becomes true, by an expression, in the second try of Retry On Fail', () => {
	const later = { ...RETRY_ON_FAIL, waitBetweenTries: 1_000 };
	const becoming = () => ({
		concurrency: 1,
		dryRun: `={{ $now.toMillis() >= ${Date.now() + 500} }}`,
	});
	const twice = async (fault: Fault, items = 4) => {
		const match = `keyword ${items === 1 ? 0 : 2}.`;
		sandbox.faults.add({ match, times: 1, fault });
		return await run({ ...CREATE, options: becoming() }, keywords(items), later);
	};

	it('returns what the first try has done, and tries the others', async () => {
		const { json, error } = await twice(status(400));
		const { jobs } = sandbox.state;
		expect(jobs).toHaveLength(2);
		expect(error).toBeUndefined();
		expect(json.slice(0, 2)).toEqual(jobs.map(({ job_id }) => ({ job_id })));
		expect(json.slice(2)).toMatchObject([{ dryRun: true }, { dryRun: true }]);
	});

	it.each([4, 1])('ends with what the first try left unknown, of %d jobs', async (items) => {
		const { error } = await twice({ kind: 'drop', carryOut: true }, items);
		const { jobs } = sandbox.state;
		expect(jobs).toHaveLength(Math.min(items, 3));
		expect(error?.message).toMatch(/^Not sent again: /);
		expect(error?.description).toContain('It may have been carried out.');
		const ids = jobs.slice(0, -1).map(({ job_id }) => ({ job_id }));
		expect(error?.context.data ?? []).toMatchObject(ids);
	});

	it.each<[output: string, expected: object[]]>([
		['summary', [{ added: 2, valid: 2 }]],
		['items', [{ status: 'added' }, { status: 'added' }, { status: 'valid' }, { status: 'valid' }]],
	])('says which values the first try has added: %s', async (output, expected) => {
		sandbox.faults.add({ match: 'site-2.', times: 1, fault: status(402) });
		const options = { output, ...becoming() };
		const { json } = await run({ ...ADD_MANY, options }, domains(4), later);
		expect(json).toMatchObject(expected);
		expect(sandbox.requests).toHaveLength(3);
	});
});
