/** The examples that create jobs and store them in n8n's data tables. */
import everyCategoryInEveryCity from '../../../../examples/every-category-in-every-city.json';
import formThatCreatesAJob from '../../../../examples/form-that-creates-a-job.json';
import scheduledLeadCollection from '../../../../examples/scheduled-lead-collection.json';
import { errorOf, n8n, restartN8n, SET_UP_MS } from '../../n8n';
import { until } from '../../until';
import {
	DRY_PROBLEM,
	FAULTS,
	fill,
	rowsOf,
	STALL,
	tablesOfExamples,
	useDataTables,
	withDryRun,
} from './tables';

useDataTables();

const NOTHING_SENT = expect.stringContaining('Check the credential and its settings.');
const month = expect.stringMatching(/^20\d\d-\d\d$/);
/** The jobs in the sandbox, as the tables store them. */
const jobs = () => n8n().sandbox.state.jobs.map(({ keyword, job_id }) => ({ keyword, job_id }));
const keywordsOfJobs = () => jobs().map(({ keyword }) => keyword);
/** How many jobs were sent, carried out or not. */
const sent = () => n8n().sandbox.requests.filter(({ method }) => method === 'POST').length;

it('no table name is part of another, so that n8n finds each table', async () => {
	const names = (await tablesOfExamples()).map((name) => name.toLowerCase());
	expect(names).toHaveLength(3);
	const found = names.map((name) => names.filter((other) => other.includes(name)));
	expect(found).toEqual(names.map((name) => [name]));
});

describe('scheduled lead collection', () => {
	const TABLE = 'Lead keywords';
	/** What n8n could not finish is not searched again by itself. */
	const UNFINISHED = { searched: month, job_id: null, problem: 'Not finished' };
	const KEYWORDS = ['dentist in Vienna', 'bakery in Graz', 'florist in Wels'];
	const enter = async (keywords: string[]) =>
		await fill(
			scheduledLeadCollection,
			keywords.map((keyword) => ({ keyword })),
		);
	/** The rows of jobs that were created this month. */
	const searched = () => jobs().map((job) => ({ ...job, searched: month, problem: '' }));

	it('creates its table, and with nothing in it sends nothing', async () => {
		const { sandbox, run } = n8n();
		expect(errorOf(await run(scheduledLeadCollection))).toBeUndefined();
		expect(await rowsOf(TABLE)).toEqual([]);
		expect(sandbox.requestCount).toBe(0);
	});

	it('creates a job for each keyword once a month, whatever is in the table twice', async () => {
		const { save, runSaved } = n8n();
		const id = await save(scheduledLeadCollection);
		await enter([...KEYWORDS, '', KEYWORDS[0]!]);
		for (let run = 0; run < 2; run++) {
			expect(errorOf(await runSaved(id))).toBeUndefined();
			expect(keywordsOfJobs()).toEqual(KEYWORDS);
			const rows = await rowsOf(TABLE);
			expect(rows.slice(0, 3)).toEqual(searched());
			expect(rows[3]).toMatchObject({ searched: null });
			expect(rows[4]).toEqual(rows[0]);
		}
	});

	it('with Dry Run, marks no keyword as searched', async () => {
		const { run, sandbox } = n8n();
		await enter(KEYWORDS);
		expect(errorOf(await run(withDryRun(scheduledLeadCollection)))).toBeUndefined();
		expect(sandbox.requestCount).toBe(0);
		const row = { searched: '', job_id: null, problem: DRY_PROBLEM };
		expect(await rowsOf(TABLE)).toEqual(KEYWORDS.map((keyword) => ({ keyword, ...row })));
		await run(scheduledLeadCollection);
		expect(keywordsOfJobs().sort()).toEqual([...KEYWORDS].sort());
	});

	it('searches a keyword again in another month', async () => {
		const { run } = n8n();
		const keyword = KEYWORDS[0];
		const earlier = { keyword, searched: '2020-01', job_id: 'old', problem: '' };
		await fill(scheduledLeadCollection, [earlier]);
		await run(scheduledLeadCollection);
		expect(jobs()).toHaveLength(1);
		expect(await rowsOf(TABLE)).toEqual(searched());
	});

	it('takes 50 keywords per run, those first that wait longest', async () => {
		const { sandbox, save, runSaved } = n8n();
		const id = await save(scheduledLeadCollection);
		await enter(Array.from({ length: 60 }, (_, index) => `florist ${index}`));
		sandbox.faults.add({ match: 'florist', times: 1, fault: FAULTS[0]![1] });
		for (const count of [50, 61]) {
			expect(errorOf(await runSaved(id))).toBeUndefined();
			expect(sent()).toBe(count);
		}
		expect(new Set(keywordsOfJobs()).size).toBe(60);
	});

	it.each(FAULTS)('stores the reason for %s, and pays for no keyword twice', async (...of) => {
		const [, fault, isSentAgain] = of;
		const { sandbox, save, runSaved } = n8n();
		const id = await save(scheduledLeadCollection);
		await enter(KEYWORDS);
		sandbox.faults.add({ match: 'bakery', times: 1, fault });
		expect(errorOf(await runSaved(id))).toBeUndefined();
		const failed = (await rowsOf(TABLE))[1]!;
		expect(failed).toMatchObject({ job_id: null, searched: isSentAgain ? '' : month });
		expect(String(failed.problem).includes('may have been carried out')).toBe(!isSentAgain);
		expect(String(failed.problem)).toMatch(/^[A-Z].+\. [A-Z].+\.$/s);

		expect(errorOf(await runSaved(id))).toBeUndefined();
		expect(keywordsOfJobs().sort()).toEqual([...KEYWORDS].sort());
		expect((await rowsOf(TABLE))[1]!.problem === '').toBe(isSentAgain);
	});

	it('leaves what the allowance does not cover for a later run', async () => {
		const { sandbox, save, runSaved } = n8n();
		const id = await save(scheduledLeadCollection);
		await enter([...KEYWORDS, 'florist in Linz', 'florist in Enns']);
		for (const [remaining, count] of [
			[99, 0],
			[104, 0],
			[105, 5],
		] as const) {
			sandbox.state.remaining = remaining;
			expect(errorOf(await runSaved(id))).toBeUndefined();
			expect(sent()).toBe(count);
		}
		expect(await rowsOf(TABLE)).toEqual(searched());
	});

	it('creates each job once when two runs start at the same time', async () => {
		const { save, runSaved } = n8n();
		const id = await save(scheduledLeadCollection);
		await enter(KEYWORDS);
		await Promise.all([runSaved(id), runSaved(id)]);
		expect(keywordsOfJobs().sort()).toEqual([...KEYWORDS].sort());
		expect((await rowsOf(TABLE)).map(({ problem }) => problem)).toEqual(['', '', '']);
	});

	it('keeps each keyword due, and says why, when n8n cannot run the node at all', async () => {
		const { client, credentialId, save, runSaved, sandbox } = n8n();
		const id = await save(scheduledLeadCollection);
		await enter(KEYWORDS);
		await client.deleteCredential(credentialId);
		await runSaved(id);
		expect(sandbox.requestCount).toBe(0);
		for (const row of await rowsOf(TABLE)) {
			expect(row).toMatchObject({ searched: '', job_id: null, problem: NOTHING_SENT });
		}
	});

	it(
		'pays for nothing twice when n8n is killed in the middle',
		async () => {
			const { client, kill, sandbox, save } = n8n();
			const id = await save(scheduledLeadCollection);
			const keywords = Array.from({ length: 20 }, (_, index) => `florist ${index}`);
			await enter(keywords);
			sandbox.faults.add({ method: 'POST', skip: 4, fault: STALL });
			const execution = await client.runWorkflow(id);
			// The table has no job_id yet, but n8n's log has each one with its keyword.
			const isLogged = async () => {
				const log = await n8n().log();
				return jobs()
					.slice(0, 4)
					.every(({ keyword, job_id: jobId }) => log.includes(`${jobId} for "${keyword}"`));
			};
			await until(async () => jobs().length > 4 && (await isLogged()));
			await kill();
			const paid = sent();
			sandbox.faults.clear();
			await restartN8n();
			expect((await n8n().ended(execution)).status).toBe('crashed');
			await n8n().runSaved(id);
			expect(sent()).toBe(paid);
			const left = keywords.map((keyword) => ({ keyword, ...UNFINISHED }));
			expect(await rowsOf(TABLE)).toEqual(left);
		},
		SET_UP_MS,
	);
});

describe('every category in every city', () => {
	it('adds each combination to the keywords once', async () => {
		const { client, save, sandbox } = n8n();
		const id = await save(everyCategoryInEveryCity);
		await client.activate(id);
		const path = 'every-category-in-every-city';
		const categories = 'dentist\r\nbakery\r\n\r\n';
		const keywords = ['dentist in Vienna', 'dentist in Graz', 'bakery in Vienna', 'bakery in Graz'];
		for (const [cities, count] of [
			['Vienna', 2],
			['Vienna\r\nGraz ', 4],
		] as const) {
			await client.webhooks.submitForm(path, [categories, cities]);
			await until(async () => (await rowsOf('Lead keywords').catch(() => [])).length === count);
		}
		await client.deactivate(id);
		expect(sandbox.requestCount).toBe(0);

		expect(errorOf(await n8n().run(scheduledLeadCollection))).toBeUndefined();
		expect(keywordsOfJobs().sort()).toEqual(keywords.sort());
	});
});

describe('form that creates a job', () => {
	const PATH = 'search-for-businesses';
	const TABLE = 'Form searches';
	let id: string;
	const submit = async (keyword: string, rating = '') =>
		await n8n().client.webhooks.submitForm(PATH, [keyword, rating]);

	beforeEach(async () => {
		id = await n8n().save(formThatCreatesAJob);
		await n8n().client.activate(id);
	});
	afterEach(async () => await n8n().client.deactivate(id));

	it('tells the colleague that the search has started, and sends the same search once', async () => {
		const { sandbox } = n8n();
		expect(await submit('dentist in Vienna')).toContain('Your search has started');
		expect(await submit(' dentist in Vienna ')).toContain('This was searched for before');
		expect(await submit('dentist in Vienna', '4')).toContain('Your search has started');
		const [first, second] = sandbox.state.jobs;
		expect(first).not.toHaveProperty('min_rating');
		expect(second).toMatchObject({ min_rating: 4 });
		const row = { keyword: 'dentist in Vienna', sent: 'yes', problem: '' };
		expect(await rowsOf(TABLE)).toEqual([
			{ ...row, min_rating: 0, job_id: first!.job_id },
			{ ...row, min_rating: 4, job_id: second!.job_id },
		]);
		expect(sent()).toBe(2);
	});

	it.each(FAULTS)('after %s, pays for no search twice', async (_what, fault, isSentAgain) => {
		const { sandbox } = n8n();
		sandbox.faults.add({ method: 'POST', times: 1, fault });
		const [title, again] = isSentAgain
			? ['Your search has not started', 'Your search has started']
			: ['Your search may have started', 'This was searched for before'];
		expect(await submit('dentist in Vienna')).toContain(title);
		expect((await rowsOf(TABLE))[0]!.problem).toMatch(/^[A-Z].+\. [A-Z].+\.$/s);
		expect(await submit('dentist in Vienna')).toContain(again);
		expect(jobs()).toHaveLength(1);
	});

	it('with Dry Run, starts nothing, and does not mark the search as sent', async () => {
		const { client } = n8n();
		await client.deactivate(id);
		const { nodes } = await client.getWorkflow(id);
		await client.updateWorkflow(id, { nodes: withDryRun({ nodes }).nodes });
		await client.activate(id);
		expect(await submit('dentist in Vienna')).toContain('Your search has not started');
		expect(await rowsOf(TABLE)).toMatchObject([{ sent: '', problem: DRY_PROBLEM }]);
		expect(sent()).toBe(0);
	});

	it('stops at the minimum, and tells only the operator why', async () => {
		n8n().sandbox.state.remaining = 49;
		const page = await submit('dentist in Vienna');
		expect(page).toContain('Your search has not started');
		expect(page).not.toContain('the account has');
		expect(await rowsOf(TABLE)).toMatchObject([
			{
				sent: '',
				problem: expect.stringContaining('Not created: the run needs 1, the account has 49,'),
			},
		]);
		expect(jobs()).toEqual([]);
	});

	it(
		'pays for nothing twice when n8n is killed in the middle',
		async () => {
			const { kill, sandbox } = n8n();
			sandbox.faults.add({ method: 'POST', fault: STALL });
			const page = submit('dentist in Vienna').catch(() => {});
			await until(() => jobs().length === 1);
			await kill();
			await page;
			sandbox.faults.clear();
			await restartN8n();
			expect(await submit('dentist in Vienna')).toContain('This was searched for before');
			expect(jobs()).toHaveLength(1);
			expect(await rowsOf(TABLE)).toMatchObject([{ sent: 'yes', problem: 'Not finished' }]);
		},
		SET_UP_MS,
	);
});
