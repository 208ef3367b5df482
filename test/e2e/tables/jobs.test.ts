/** The examples that create jobs and store them in n8n's data tables. */
import everyCategoryInEveryCity from '../../../examples/every-category-in-every-city.json';
import formThatCreatesAJob from '../../../examples/form-that-creates-a-job.json';
import scheduledLeadCollection from '../../../examples/scheduled-lead-collection.json';
import { status } from '../../support/faults';
import { errorOf, n8n } from '../n8n';
import { until } from '../until';
import { rowsOf, tablesOfExamples, useDataTables } from './tables';

useDataTables();

const month = new Date().toISOString().slice(0, 7);
/** The jobs in the sandbox, as the tables store them. */
const jobs = () => n8n().sandbox.state.jobs.map(({ keyword, job_id }) => ({ keyword, job_id }));

it('no table name is part of another, so that n8n finds each table', async () => {
	const names = (await tablesOfExamples()).map((name) => name.toLowerCase());
	expect(names.length).toBeGreaterThanOrEqual(10);
	const found = names.map((name) => names.filter((other) => other.includes(name)));
	expect(found).toEqual(names.map((name) => [name]));
});

describe('scheduled lead collection', () => {
	it('creates a job for each keyword once per month, and stores it', async () => {
		const { client, sandbox, save, runSaved } = n8n();
		const id = await save(scheduledLeadCollection);
		expect(errorOf(await runSaved(id))).toBeUndefined();

		expect(sandbox.state.jobs).toHaveLength(3);
		const kept = () => jobs().map((job) => ({ ...job, month }));
		expect(await rowsOf('Lead jobs')).toEqual(kept());
		expect(await rowsOf('Lead failures')).toEqual([]);

		// The first run fills the table of keywords; from then on, the user maintains it.
		await client.tables.insert('Lead keywords', [
			{ keyword: 'florist in Wels' },
			{ keyword: 'florist in Wels' },
		]);
		expect(errorOf(await runSaved(id))).toBeUndefined();
		expect(jobs().map(({ keyword }) => keyword)).toEqual([
			'dentist in Vienna',
			'bakery in Graz',
			'physiotherapist in Linz',
			'florist in Wels',
		]);
		expect(await rowsOf('Lead jobs')).toEqual(kept());
	});

	it('searches a keyword again in another month', async () => {
		const { client, save, runSaved } = n8n();
		const id = await save(scheduledLeadCollection);
		await runSaved(id);
		const keyword = 'florist in Wels';
		await client.tables.insert('Lead keywords', [{ keyword }]);
		await client.tables.insert('Lead jobs', [{ keyword, job_id: 'old', month: '2020-01' }]);
		await runSaved(id);
		expect(jobs()).toHaveLength(4);
	});

	it('creates nothing when the allowance is low', async () => {
		const { sandbox, run } = n8n();
		sandbox.state.remaining = 99;
		expect(errorOf(await run(scheduledLeadCollection))).toBeUndefined();
		expect(sandbox.state.jobs).toEqual([]);
	});

	it('creates no more jobs than requests remain, and the others in a later run', async () => {
		const { client, sandbox, save, runSaved } = n8n();
		const id = await save(scheduledLeadCollection);
		await runSaved(id);
		const keywords = Array.from({ length: 102 }, (_, index) => ({ keyword: `florist ${index}` }));
		await client.tables.insert('Lead keywords', keywords);
		for (const [remaining, count] of [
			[100, 103],
			[1000, 105],
		] as const) {
			sandbox.state.remaining = remaining;
			expect(errorOf(await runSaved(id))).toBeUndefined();
			expect(jobs()).toHaveLength(count);
		}
		expect(await rowsOf('Lead jobs')).toHaveLength(105);
		expect(await rowsOf('Lead failures')).toEqual([]);
	});

	it('stores each job before it creates the next one, so that a cancelled run loses none', async () => {
		const { client, ended, sandbox, save, runSaved } = n8n();
		const id = await save(scheduledLeadCollection);
		await runSaved(id);
		const keywords = Array.from({ length: 12 }, (_, index) => ({ keyword: `florist ${index}` }));
		await client.tables.insert('Lead keywords', keywords);
		const tooMany = status(429, { retryAfter: '1' });
		sandbox.faults.add({ method: 'POST', skip: 6, fault: tooMany });
		const execution = await client.runWorkflow(id);
		await until(() => sandbox.requests.some((request) => request.status === 429));
		await client.stopExecution(execution);
		expect((await ended(execution)).status).toBe('canceled');
		expect(await rowsOf('Lead jobs')).toHaveLength(9);

		sandbox.faults.clear();
		await runSaved(id);
		expect(jobs()).toHaveLength(15);
		expect(new Set(jobs().map(({ keyword }) => keyword)).size).toBe(15);
	});

	it('stores what failed with the reason, and tries again once this is deleted', async () => {
		const { client, sandbox, save, runSaved } = n8n();
		const id = await save(scheduledLeadCollection);
		sandbox.faults.add({
			match: 'bakery',
			times: 1,
			fault: status(422, { body: { message: 'No bakeries.' } }),
		});
		await runSaved(id);
		await runSaved(id);
		expect(jobs()).toHaveLength(2);
		expect(await rowsOf('Lead jobs')).toHaveLength(2);
		expect(await rowsOf('Lead failures')).toEqual([
			{
				keyword: 'bakery in Graz',
				month,
				what_happened: 'The service rejected the input',
				what_to_do: expect.stringContaining('The service says: "No bakeries".'),
			},
		]);

		await client.tables.delete('Lead failures');
		await runSaved(id);
		expect(await rowsOf('Lead jobs')).toEqual(jobs().map((job) => ({ ...job, month })));
		expect(jobs()).toHaveLength(3);
	});
});

describe('every category in every city', () => {
	it('sends ten jobs per run until each combination has its row', async () => {
		const { sandbox, save, runSaved } = n8n();
		const id = await save(everyCategoryInEveryCity);
		sandbox.faults.add({ match: 'bakery in Linz', fault: status(422) });
		for (const count of [10, 20, 20]) {
			expect(errorOf(await runSaved(id))).toBeUndefined();
			expect(await rowsOf('City searches')).toHaveLength(count);
			expect(sandbox.requests.filter(({ method }) => method === 'POST')).toHaveLength(count);
		}

		const rows = await rowsOf('City searches');
		for (const { category, city, keyword } of rows) expect(keyword).toBe(`${category} in ${city}`);
		expect(new Set(rows.map(({ keyword }) => keyword)).size).toBe(20);
		const created = rows.filter(({ job_id }) => job_id !== null);
		expect(created.map(({ keyword, job_id }) => ({ keyword, job_id }))).toEqual(jobs());
		expect(rows.filter(({ job_id }) => job_id === null)).toEqual([
			expect.objectContaining({
				keyword: 'bakery in Linz',
				problem: expect.stringContaining('The service rejected the input'),
			}),
		]);
	});

	it('leaves what the allowance does not cover for a later run', async () => {
		const { sandbox, save, runSaved } = n8n();
		const id = await save(everyCategoryInEveryCity);
		for (const [remaining, count] of [
			[4, 4],
			[0, 4],
			[100, 14],
		] as const) {
			sandbox.state.remaining = remaining;
			expect(errorOf(await runSaved(id))).toBeUndefined();
			expect(jobs()).toHaveLength(count);
		}
		const rows = await rowsOf('City searches');
		expect(rows.map(({ keyword, job_id }) => ({ keyword, job_id }))).toEqual(jobs());
	});
});

describe('form that creates a job', () => {
	const path = 'search-for-businesses';
	let id: string;

	beforeEach(async () => {
		id = await n8n().save(formThatCreatesAJob);
		await n8n().client.activate(id);
	});
	afterEach(async () => await n8n().client.deactivate(id));

	it('shows the job_id on the page, and stores it; the same keyword costs nothing', async () => {
		const { client, sandbox } = n8n();
		const page = await client.webhooks.submitForm(path, ['dentist in Vienna']);
		expect(jobs()).toHaveLength(1);
		expect(page).toContain('The job is created');
		expect(page).toContain(jobs()[0]!.job_id);
		expect(await rowsOf('Form jobs')).toEqual(jobs());

		const again = await client.webhooks.submitForm(path, ['  dentist in Vienna ']);
		expect(again).toContain('This keyword already has a job');
		expect(again).toContain(jobs()[0]!.job_id);
		expect(sandbox.state.jobs).toHaveLength(1);
		await client.webhooks.submitForm(path, ['dentist in Graz']);
		expect(await rowsOf('Form jobs')).toEqual(jobs());
		expect(jobs()).toHaveLength(2);
	});

	it('says on the page why there is no job', async () => {
		const { client, sandbox } = n8n();
		sandbox.state.remaining = 49;
		const page = await client.webhooks.submitForm(path, ['dentist in Vienna']);
		expect(page).toContain('No job was created: 49 requests remain');
		expect(await rowsOf('Form jobs')).toEqual([]);
		expect(jobs()).toEqual([]);
	});
});
