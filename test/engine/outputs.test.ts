import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { workflowOf, type TestWorkflow } from '../support/engine';
import { status } from '../support/faults';
import { ADD, ADD_MANY, CREATE, domains, keywords, listNamed } from '../support/parameters';
import { CONTINUE, RETRY_ON_FAIL } from '../support/settings';
import { useEngine } from '../support/useEngine';
import { TESTED_NODE, to } from '../support/workflowOf';

const { sandbox, execute, log } = useEngine();

describe('an output that leads back into the node itself', () => {
	function intoItself(workflow: TestWorkflow, output: number): TestWorkflow {
		const main: TestWorkflow['connections'][string]['main'] = [[], []];
		main[output] = [{ node: TESTED_NODE, type: 'main', index: 0 }];
		return { ...workflow, connections: { ...workflow.connections, [TESTED_NODE]: { main } } };
	}

	it.each<[name: string, parameters: INodeParameters, output: number]>([
		['the error output of Job: Create', CREATE, 1],
		['the error output of Blacklist: Add Item', ADD, 1],
		['the error output of Blacklist: Add Many Items', ADD_MANY, 1],
		['the output of Job: Create', CREATE, 0],
	])('%s is not sent again, and the execution ends', async (_name, parameters, output) => {
		sandbox.faults.add({ match: 'keyword 1.', fault: status(403) });
		sandbox.faults.add({ match: 'site-1.', fault: status(403) });
		const items = parameters === CREATE ? keywords(3) : domains(3);
		const workflow = intoItself(workflowOf(parameters, items, CONTINUE), output);
		const { run, error } = await execute(workflow);
		expect(error).toBeUndefined();
		expect(sandbox.requests).toHaveLength(3);
		// The items of the first pass stay.
		const [first, second, ...others] = run.data.resultData.runData[TESTED_NODE]!;
		expect(first!.data!.main!.map((each) => each?.length)).toEqual([expect.any(Number), 1]);
		expect((second?.data?.main ?? []).flat()).toEqual([]);
		expect(others).toEqual([]);
		expect(log.lines('warn')).toEqual([
			expect.stringMatching(
				/^Business Listing Search: an output of this node leads back into it\./,
			),
		]);
	});

	it('is not sent again without Continue either', async () => {
		const { error } = await execute(intoItself(workflowOf(CREATE, keywords(3)), 0));
		expect([error, sandbox.requests.length]).toEqual([undefined, 3]);
	});

	it('is a loop like any other with another node in between', async () => {
		sandbox.faults.add({ match: 'keyword 1.', times: 1, fault: status(403) });
		const workflow = workflowOf(CREATE, keywords(2), CONTINUE);
		const between = { ...workflow.nodes[0]!, id: 'between', name: 'Between', type: 'pass' };
		const back = intoItself(workflow, 1);
		back.connections[TESTED_NODE]!.main![1]![0]!.node = 'Between';
		const { run } = await execute({
			...back,
			nodes: [...back.nodes, between],
			connections: {
				...back.connections,
				Between: to(TESTED_NODE),
			},
		});
		expect(run.data.resultData.runData[TESTED_NODE]).toHaveLength(2);
		expect(sandbox.requests).toHaveLength(3);
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
		const items = [{ keyword: 'dentist', ...fields }];
		const { json } = await execute(INCLUDING, items);
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
			const items = keywords(2).map((item) => ({ ...item, error: 'as an error output names it' }));
			const { outputs, error } = await execute(INCLUDING, items, {
				...RETRY_ON_FAIL,
				maxTries: 5,
				...settings,
			});
			expect(error).toBeUndefined();
			expect(sandbox.state.jobs).toHaveLength(2);
			expect(outputs[0]!.map(({ json }) => json)).toEqual(
				sandbox.state.jobs.map(({ job_id, keyword }) => ({ keyword, job_id })),
			);
		},
	);
});

describe('a hint above the output of Add Many Items', () => {
	async function hintsOf(items: IDataObject[], options: INodeParameters = {}) {
		const { run, error } = await execute({ ...ADD_MANY, options }, items);
		expect(error).toBeUndefined();
		return run.data.resultData.runData[TESTED_NODE]!.at(-1)!.hints;
	}

	const warning = (message: string) => [{ message, type: 'warning', location: 'outputPane' }];

	it('counts what was not added, and says where the reasons are', async () => {
		sandbox.faults.add({ match: 'b.example', fault: status(400) });
		const values = ['not one', 'not one', 'gmail.com', 'a.example', 'b.example', 'b.example'];
		expect(await hintsOf([{ values }])).toEqual(
			warning('Not added: 4 of 6 values. See "problems".'),
		);
		expect(await hintsOf([{ values }], { output: 'items', dryRun: true })).toEqual(
			warning('Would not be added: 3 of 6 values. See "reason".'),
		);
	});

	it('does not say that there are no values if none of the input items was read', async () => {
		const { run } = await execute({ ...ADD_MANY, blacklist: listNamed('..') }, [{}], CONTINUE);
		expect(run.data.resultData.runData[TESTED_NODE]!.at(-1)!.hints).toEqual([]);
	});

	it('says nothing when all values were added or are duplicates', async () => {
		expect(await hintsOf([{ values: 'a.example, b.example, a.example' }])).toEqual([]);
	});

	it('says that there are no values', async () => {
		const message =
			'The input contains no values. If you expect some, check the expression in "Values".';
		const items = [{ values: [] }, { values: [null] }, { values: '' }];
		expect(await hintsOf(items)).toEqual([{ message, type: 'info', location: 'outputPane' }]);
	});
});
