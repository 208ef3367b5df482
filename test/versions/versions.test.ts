/**
 * The built nodes on the engine of other versions of n8n: `npm run test:versions`. It would see what a younger n8n
 * has added. These are the files of test/engine that hold in all of them: what they leave out, an older n8n does not
 * tell the node. Up to n8n 1.108, n8n itself does not tell it of a Stop; here it does, as later n8n.
 */
import { runWorkflow, workflowOf } from '../support/engine';
import { CREATE } from '../support/parameters';
import { useEngine } from '../support/useEngine';

describe('addItems', () => void jest.requireActual('../engine/addItems.test'));
describe('blacklistDropdown', () => void jest.requireActual('../engine/blacklistDropdown.test'));
describe('doneIsDone', () => void jest.requireActual('../engine/doneIsDone.test'));
describe('dryRun', () => void jest.requireActual('../engine/dryRun.test'));
describe('fields', () => void jest.requireActual('../engine/fields.test'));
describe('keyLeaks', () => void jest.requireActual('../engine/keyLeaks.test'));
describe('lostExecution', () => void jest.requireActual('../engine/lostExecution.test'));
describe('maxJobs', () => void jest.requireActual('../engine/maxJobs.test'));
describe('minRemaining', () => void jest.requireActual('../engine/minRemaining.test'));
describe('operations', () => void jest.requireActual('../engine/operations.test'));
describe('refusals', () => void jest.requireActual('../engine/refusals.test'));
describe('retries', () => void jest.requireActual('../engine/retries.test'));
describe('stopping', () => void jest.requireActual('../engine/stopping.test'));
describe('trigger', () => void jest.requireActual('../engine/trigger.test'));
describe('withoutExecution', () => void jest.requireActual('../engine/withoutExecution.test'));

describe('of the other files', () => {
	const { sandbox, owner, execute } = useEngine();

	it('each item has its own key, by an expression', async () => {
		sandbox.faults.add({ fault: { kind: 'json', body: { job_id: 'made' } } });
		const items = ['first-key', 'second-key'].map((key) => ({ key }));
		await runWorkflow(workflowOf(CREATE, items), { ...owner, apiKey: '={{ $json.key }}' });
		const keys = sandbox.requests.map(({ headers }) => headers['x-api-key']);
		expect(keys).toEqual(['Token first-key', 'Token second-key']);
	});

	it('a gap in a row is refused', async () => {
		const parameters = { ...CREATE, keyword: '={{ "dentist in " + $json.town }}' };
		const { error } = await execute(parameters);
		expect(error?.message).toBe('"Keyword" contains "undefined"');
		expect(sandbox.requests).toEqual([]);
	});

	it('a redirect is not followed', async () => {
		sandbox.faults.add({ fault: { kind: 'redirect', to: `${sandbox.address}/other` } });
		const { error } = await execute(CREATE);
		expect(error?.message).toContain('/other');
		expect(sandbox.requests).toHaveLength(1);
	});
});
