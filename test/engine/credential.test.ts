import { searchBlacklists } from '../support/engine';
import { CREATE, USAGE } from '../support/parameters';
import { useEngine } from '../support/useEngine';

describe.each(['token', 'bare'] as const)('API Key Format %s', (keyFormat) => {
	const { owner, execute } = useEngine({ keyFormat });

	it('is the same on every call', async () => {
		owner.keyFormat = keyFormat;
		expect((await execute(CREATE)).error).toBeUndefined();
		expect((await execute(USAGE)).error).toBeUndefined();
		expect(await searchBlacklists(owner)).toEqual({ results: [] });
	});
});

describe('Base URL', () => {
	const { sandbox, owner, execute } = useEngine({ basePath: '/listing search/v9' });

	it('may have a path, surrounding spaces and trailing slashes', async () => {
		owner.baseUrl = ` ${owner.baseUrl}// `;
		expect((await execute(CREATE)).error).toBeUndefined();
		expect((await execute(USAGE)).error).toBeUndefined();
		expect(sandbox.requests.map(({ path }) => path)).toEqual([
			'/listing%20search/v9/api/v1/jobs',
			'/listing%20search/v9/api/v1/usage',
		]);
	});
});
