/** An output that is led back into the node itself. */
import type { INodeParameters } from 'n8n-workflow';

import { workflowOf, type TestWorkflow } from '../support/engine';
import { status } from '../support/faults';
import { useLog } from '../support/log';
import { ADD, ADD_MANY, CREATE, domains, keywords } from '../support/parameters';
import { CONTINUE } from '../support/settings';
import { useEngine } from '../support/useEngine';
import { TESTED_NODE, to } from '../support/workflowOf';

const { sandbox, execute } = useEngine();
const log = useLog();

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
		expect.stringMatching(/^Business Listing Search: an output of this node leads back into it\./),
	]);
});

it('it is not sent again without Continue either', async () => {
	const { error } = await execute(intoItself(workflowOf(CREATE, keywords(3)), 0));
	expect([error, sandbox.requests.length]).toEqual([undefined, 3]);
});

it('another node in between makes it a loop like any other', async () => {
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
