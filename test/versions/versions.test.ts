/**
 * The built nodes on the engine of other versions of n8n: `npm run test:versions`. It would see what a younger n8n
 * has added. The other files of test/engine do not hold in all of them: an older n8n does not tell the node what they
 * are about. Up to n8n 1.108, n8n itself does not tell it of a Stop; here it does, as later n8n.
 */
import { join } from 'node:path';

import { CREATE } from '../support/parameters';
import { runFolder } from '../support/runFolder';
import { useEngine } from '../support/useEngine';

runFolder(join(__dirname, '..', 'engine', 'anyN8n'));

describe('of the other files', () => {
	const { sandbox, owner, execute } = useEngine();

	it('each item has its own key, by an expression', async () => {
		sandbox.faults.add({ fault: { kind: 'json', body: { job_id: 'made' } } });
		const items = ['first-key', 'second-key'].map((key) => ({ key }));
		owner.apiKey = '={{ $json.key }}';
		await execute(CREATE, items);
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
