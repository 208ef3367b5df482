import { runWithoutExecution } from '../support/engine';
import { ADD, ADD_MANY, CREATE } from '../support/parameters';
import { CONTINUE } from '../support/settings';
import { useEngine } from '../support/useEngine';

const { sandbox, owner, execute } = useEngine();

it.each(['={{ $now }}', '={{ $today }}', '={{ new Date() }}'])(
	'a date where text is sent becomes its ISO text: %s',
	async (keyword) => {
		const { error } = await execute({ ...CREATE, keyword });
		expect(error).toBeUndefined();
		expect(sandbox.state.jobs[0]!.keyword).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/);
	},
);

it('a CID that was read as a number is refused: an expression cannot bring its digits back', async () => {
	const items = [{ cid: Number('10222232094831998976') }];
	const parameters = { ...ADD, type: 'cid', value: '={{ $json.cid }}' };
	const { error } = await execute(parameters, items);
	expect(error?.message).toBe('"Value" has lost its last digits: 10222232094831999000');
	expect(error?.description).toContain(
		'They were lost where it was read: make the column a text there, and read it again.',
	);
	const [output] = await runWithoutExecution(parameters, owner, items[0]);
	expect(output).toMatchObject({ message: expect.stringContaining('make the column a text') });
	expect(sandbox.requests).toEqual([]);
});

it('a date in "Values" is listed as no text', async () => {
	const { json } = await execute({ ...ADD_MANY, values: '={{ [$now, new Date(NaN)] }}' });
	const problem = { reason: expect.stringMatching(/^is not text: /) };
	expect(json).toMatchObject([{ invalid: 2, problems: [problem, problem] }]);
});

describe('Add Many Items, if "Values" gives nothing', () => {
	const parameters = { ...ADD_MANY, values: '={{ $json.website }}' };

	it('for every item, is refused with the field to check', async () => {
		const items = [{ site: 'a.example.com' }, { website: null }];
		const { error } = await execute(parameters, items);
		expect(error?.message).toBe('"Values" returns nothing for every input item');
		expect(error?.description).toContain('{{ $json.website }}');
		const { outputs } = await execute(parameters, items, CONTINUE);
		expect(outputs.flat().map(({ json }) => json.error)).toHaveLength(2);
		expect(sandbox.requests).toEqual([]);
	});

	it('for every item but lists of nothing, as with a wrong name in them, is refused', async () => {
		const items = [{ emails: [{ value: 'a@example.com' }] }, { emails: [] }, {}];
		const values = '={{ $json.emails?.map(email => email.vlaue) }}';
		const { error } = await execute({ ...ADD_MANY, values }, items);
		expect(error?.message).toBe('"Values" returns nothing for every input item');
		expect(sandbox.requests).toEqual([]);
	});

	it.each([
		['one has it', [{ website: 'a.example.com' }, {}], 1],
		['one list has it', [{ website: [null, 'a.example.com'] }, { website: [null] }], 1],
		['one is an empty list', [{ website: [] }, {}], 0],
		['all are empty texts', [{ website: '' }, { website: ' ' }], 0],
	])('but %s, skips the items without it', async (_what, items, added) => {
		const { json, error } = await execute(parameters, items);
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ added, invalid: 0 }]);
	});
});
