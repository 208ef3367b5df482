import { blacklistOf } from '../../../sandbox';
import { searchBlacklists } from '../../support/engine';
import { DELETE, listNamed } from '../../support/parameters';
import { useEngine } from '../../support/useEngine';

const { sandbox, owner, execute } = useEngine();

beforeEach(() => {
	const { blacklists } = sandbox.state;
	blacklists.set('Customers', blacklistOf({ type: 'domain', value: 'example.com' }));
	blacklists.set('顧客 / 100 %', blacklistOf());
});

it('offers the blacklists of the account with their counts', async () => {
	expect(await searchBlacklists(owner)).toEqual({
		results: [
			{ name: 'Customers (1)', value: 'Customers' },
			{ name: '顧客 / 100 % (0)', value: '顧客 / 100 %' },
		],
	});
});

it('finds a text anywhere in a name, case-insensitively', async () => {
	const { results } = await searchBlacklists(owner, 'TOMER');
	expect(results.map(({ value }) => value)).toEqual(['Customers']);
});

it.each(['addItem', 'addItems'])(
	'for %s offers a name that no list has, after the matches',
	async (operation) => {
		const choices = async (filter: string) =>
			(await searchBlacklists(owner, filter, operation)).results;
		expect(await choices(' customers ')).toEqual([
			{ name: 'Customers (1)', value: 'Customers' },
			{ name: 'customers (new)', value: 'customers' },
		]);
		expect(await choices('Custom')).toEqual([
			{ name: 'Customers (1)', value: 'Customers' },
			{ name: 'Custom (new)', value: 'Custom' },
		]);
		expect(await choices('Customers')).toHaveLength(1);
		for (const none of ['.', '..', '=x', ' ']) {
			expect((await choices(none)).filter(({ name }) => name.endsWith('(new)'))).toEqual([]);
		}
	},
);

it('leaves out a name that begins with "=", which can be entered as an expression', async () => {
	sandbox.state.blacklists.set('=Customers', blacklistOf());
	const { results } = await searchBlacklists(owner, 'customers');
	expect(results.map(({ value }) => value)).toEqual(['Customers']);

	const blacklist = listNamed('={{ "=Customers" }}');
	await execute({ ...DELETE, blacklist });
	expect([...sandbox.state.blacklists.keys()]).toEqual(['Customers', '顧客 / 100 %']);
});
