/** The examples with Google Sheets, on a stand-in for Google. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import customersToBlacklist from '../../../examples/customers-to-blacklist-google-sheets.json';
import formThatCreatesAJob from '../../../examples/form-that-creates-a-job-google-sheets.json';
import scheduledLeadCollection from '../../../examples/scheduled-lead-collection-google-sheets.json';
import type { Workflow } from '../../../n8n/client';
import type { CredentialReference } from '../../../n8n/examples';
import { installTarball } from '../../../n8n/package';
import { status } from '../../support/faults';
import { DOCUMENT, SHEET, startGoogleSheets, type GoogleSheets } from '../google/sheets';
import { errorOf, IS_N8N_1, n8n, openN8n, SET_UP_MS, tarballOfNode, type TestN8n } from '../n8n';
import { until } from '../until';

let userFolder: string;
let google: GoogleSheets;
let own: TestN8n;
let googleAccount: CredentialReference;

const openOwn = async () => {
	own = await openN8n(userFolder, n8n().sandbox, google.env);
};

beforeAll(async () => {
	userFolder = await mkdtemp(join(tmpdir(), 'n8n-e2e-'));
	await installTarball(tarballOfNode(), userFolder);
	google = await startGoogleSheets(userFolder);
	await openOwn();
	const { name } = google.credential;
	googleAccount = { id: await own.client.createCredential(google.credential), name };
}, SET_UP_MS);

beforeEach(async () => {
	await own.renewAccount();
	google.reset();
});

afterAll(async () => {
	await own?.stop();
	google?.stop();
	await rm(userFolder, { recursive: true, force: true });
});

/** Saves an example, set up as its note says: document and sheet in one node, the credential in three. */
async function setUp(example: object, change: (workflow: Workflow) => void = () => {}) {
	const workflow = structuredClone(example) as Workflow;
	for (const node of workflow.nodes) {
		if (node.type !== 'n8n-nodes-base.googleSheets') continue;
		const { parameters } = node;
		node.credentials = { googleApi: googleAccount };
		parameters.authentication = 'serviceAccount';
		if (parameters.operation !== undefined) continue;
		parameters.documentId = { __rl: true, mode: 'list', value: DOCUMENT };
		parameters.sheetName = { __rl: true, mode: 'list', value: SHEET };
		parameters.options = { outputFormatting: { values: { general: 'FORMATTED_VALUE' } } };
	}
	change(workflow);
	return await own.save(workflow);
}

const jobs = () => own.sandbox.state.jobs;
const keywordsOfJobs = () => jobs().map(({ keyword }) => keyword);
const rowOf = (column: string, value: string) =>
	google.rows().find((row) => row[column] === value)!;

describe('scheduled lead collection', () => {
	const HEADER = ['keyword', 'searched', 'job_id', 'problem'];
	const KEYWORDS = Array.from({ length: 100 }, (_, index) => `florist ${index}.`);
	const month = expect.stringMatching(/^20\d\d-\d\d$/);
	const NOT_FINISHED = { searched: month, job_id: '', problem: 'Not finished' };
	/** The keywords, each fifth one twice, and blank rows. */
	const fill = (header = HEADER) => {
		google.cells = [header];
		for (const [index, keyword] of KEYWORDS.entries()) {
			google.cells.push([keyword]);
			if (index % 5 === 0) google.cells.push([KEYWORDS[index >> 1]!]);
			if (index % 10 === 0) google.cells.push([]);
		}
	};
	const marked = () => google.rows().filter(({ problem }) => problem === 'Not finished');
	/** Each job stands in the first row of its keyword, and nowhere else. */
	const expectEachJobInItsRow = () => {
		const found = google.rows().flatMap(({ keyword, job_id: id }) => (id ? [{ keyword, id }] : []));
		const created = jobs().map(({ keyword, job_id: id }) => ({ keyword, id }));
		const byKeyword = (a: { keyword: unknown }, b: { keyword: unknown }) =>
			String(a.keyword).localeCompare(String(b.keyword));
		expect(found.sort(byKeyword)).toEqual(created.sort(byKeyword));
		expect(new Set(keywordsOfJobs()).size).toBe(jobs().length);
		for (const { keyword, id } of created) expect(rowOf('keyword', keyword).job_id).toBe(id);
	};

	it('orders 50 a run, new ones first, each keyword once, whatever is in the sheet twice', async () => {
		const id = await setUp(scheduledLeadCollection);
		fill();
		const old = KEYWORDS.slice(0, 60);
		for (const cells of google.cells) if (old.includes(String(cells[0]))) cells[1] = '2020-01';
		for (const count of [50, 100, 100]) {
			expect(errorOf(await own.runSaved(id))).toBeUndefined();
			expect(jobs()).toHaveLength(count);
			expectEachJobInItsRow();
			expect(marked()).toEqual([]);
			expect(keywordsOfJobs().slice(0, 50)).toEqual(expect.arrayContaining(KEYWORDS.slice(60)));
		}
		expect(rowOf('keyword', KEYWORDS[99]!)).toMatchObject({ searched: month, problem: '' });
		// Sorted in between, so that of a keyword that stands twice, the other row comes first.
		const [header, ...rows] = google.cells;
		google.cells = [header!, ...rows.reverse()];
		expect(errorOf(await own.runSaved(id))).toBeUndefined();
		expect(jobs()).toHaveLength(100);
	});

	it('takes a keyword that is a number', async () => {
		google.cells = [HEADER, ['florist'], [1067]];
		const id = await setUp(scheduledLeadCollection);
		for (let run = 0; run < 2; run++) {
			expect(errorOf(await own.runSaved(id))).toBeUndefined();
			expect(keywordsOfJobs()).toEqual(['florist', '1067']);
			expect(google.rows()).toMatchObject(jobs().map(({ job_id: id }) => ({ job_id: id })));
		}
	});

	it.each(HEADER.slice(1))('orders nothing while the column "%s" is missing', async (missing) => {
		fill(HEADER.map((name) => (name === missing ? `${name} ` : name)));
		const before = structuredClone(google.cells);
		const id = await setUp(scheduledLeadCollection);
		const error = errorOf(await own.runSaved(id));
		const said = `${error?.message} ${error?.description}`;
		expect(said).toMatch(
			new RegExp(`(Missing|Updated) columns: ${missing}|the field '${missing}'`),
		);
		expect(error?.node).toBe(missing === 'searched' ? 'Searched First' : 'Mark as Searched');
		expect(own.sandbox.requestCount).toBe(0);
		expect(google.cells).toEqual(before);
	});

	it('finds the columns in any order, or in n8n 1 says that they are in another one', async () => {
		google.cells = [
			['rating', ...[...HEADER].reverse()],
			['4', '', '', '', KEYWORDS[0]!],
		];
		const id = await setUp(scheduledLeadCollection);
		const error = errorOf(await own.runSaved(id));
		expect(error?.node).toBe(IS_N8N_1 ? 'Mark as Searched' : undefined);
		expect(jobs()).toHaveLength(IS_N8N_1 ? 0 : 1);
		expectEachJobInItsRow();
	});

	it('takes a filter of each row from a column of the sheet', async () => {
		google.cells = [[...HEADER, 'rating']];
		for (const [index, keyword] of KEYWORDS.slice(0, 30).entries()) {
			google.cells.push([keyword, '', '', '', (index % 4) + 2], [], [keyword]);
		}
		const id = await setUp(scheduledLeadCollection, ({ nodes }) => {
			const { parameters } = nodes.find(({ name }) => name === 'Create Job')!;
			parameters.filters = { minRating: "={{ $('Due Keywords').item.json.rating }}" };
		});
		expect(errorOf(await own.runSaved(id))).toBeUndefined();
		const ratings = Object.fromEntries(jobs().map((job) => [job.keyword, job.min_rating]));
		expect(ratings).toEqual(
			Object.fromEntries(KEYWORDS.slice(0, 30).map((keyword, index) => [keyword, (index % 4) + 2])),
		);
		expectEachJobInItsRow();
	});

	it('after a 402, orders the rest in the next run', async () => {
		const id = await setUp(scheduledLeadCollection);
		fill();
		own.sandbox.faults.add({ match: KEYWORDS[69], fault: status(402) });
		expect(errorOf(await own.runSaved(id))).toBeUndefined();
		expect(jobs().length).toBeGreaterThanOrEqual(19);
		expect(jobs().length).toBeLessThan(50);
		expectEachJobInItsRow();
		expect(marked()).toEqual([]);
		expect(rowOf('keyword', KEYWORDS[69]!)).toMatchObject({
			...{ searched: '', job_id: '' },
			problem: expect.stringContaining('is used up'),
		});
		own.sandbox.faults.clear();
		for (let run = 0; run < 3; run++) await own.runSaved(id);
		expect(keywordsOfJobs().sort()).toEqual([...KEYWORDS].sort());
		expectEachJobInItsRow();
	});

	it('when Google refuses the mark, orders nothing, and the next run does it', async () => {
		const id = await setUp(scheduledLeadCollection);
		fill();
		google.refused = [1];
		expect(errorOf(await own.runSaved(id))?.node).toBe('Mark as Searched');
		expect(own.sandbox.requestCount).toBe(0);
		expect(errorOf(await own.runSaved(id))).toBeUndefined();
		expect(jobs()).toHaveLength(50);
		expectEachJobInItsRow();
	});

	it('when Google refuses the save, a retry saves all, and orders nothing', async () => {
		const id = await setUp(scheduledLeadCollection);
		fill();
		google.refused = [2];
		const failed = await own.runSaved(id);
		expect(errorOf(failed)?.node).toBe('Save Result');
		expect(jobs()).toHaveLength(50);
		expect(marked()).toHaveLength(50);
		const { requestCount } = own.sandbox;
		expect(errorOf(await own.retry(failed.id))).toBeUndefined();
		expect(own.sandbox.requestCount).toBe(requestCount);
		expectEachJobInItsRow();
		expect(marked()).toEqual([]);
	});

	it(
		'pays for nothing twice when n8n is killed between the mark and the first job',
		async () => {
			const id = await setUp(scheduledLeadCollection);
			fill();
			own.sandbox.faults.add({ method: 'GET', fault: { kind: 'stall' } });
			const execution = await own.client.runWorkflow(id);
			await until(() => own.sandbox.requestCount > 0);
			expect(marked()).toHaveLength(50);
			await own.kill();
			own.sandbox.faults.clear();
			await openOwn();
			expect((await own.ended(execution)).status).toBe('crashed');
			for (let run = 0; run < 2; run++) {
				expect(errorOf(await own.runSaved(id))).toBeUndefined();
				expect(keywordsOfJobs()).toEqual(KEYWORDS.slice(0, 50));
			}
			// A person clears what was not ordered.
			expect(marked()).toHaveLength(50);
			expect(rowOf('keyword', KEYWORDS[99]!)).toMatchObject(NOT_FINISHED);
			for (const row of google.cells.slice(1)) if (row[3] === 'Not finished') row[1] = '';
			await own.runSaved(id);
			expect(keywordsOfJobs().sort()).toEqual([...KEYWORDS].sort());
			expectEachJobInItsRow();
		},
		SET_UP_MS,
	);
});

describe('customers to blacklist', () => {
	const CUSTOMERS = Array.from({ length: 40 }, (_, index) => `customer-${index}.example`);
	const today = expect.stringMatching(/^20\d\d-\d\d-\d\d$/);
	const sent = () => own.sandbox.requestCount;
	const fill = () => {
		google.cells = [['customer', 'sent_on', 'problem'], ...CUSTOMERS.map((name) => [name])];
		google.cells.push([], [CUSTOMERS[3]!], ['to be asked']);
	};

	it('sends each customer once', async () => {
		const id = await setUp(customersToBlacklist);
		fill();
		for (const [added, requests] of [
			['', 40],
			['', 40],
			['new.example', 41],
		] as const) {
			if (added) google.cells.push([added]);
			expect(errorOf(await own.runSaved(id))).toBeUndefined();
			expect(sent()).toBe(requests);
		}
		expect(rowOf('customer', CUSTOMERS[3]!)).toMatchObject({ sent_on: today, problem: '' });
		expect(google.rows()[41]).toMatchObject({ sent_on: '', problem: '' });
		expect(rowOf('customer', 'to be asked')).toMatchObject({
			sent_on: today,
			problem: expect.stringContaining('is not clearly'),
		});
	});

	it('after a 402, sends the rest in the next run', async () => {
		const id = await setUp(customersToBlacklist);
		fill();
		own.sandbox.faults.add({ match: CUSTOMERS[19], times: 1, fault: status(402) });
		await own.runSaved(id);
		expect(rowOf('customer', CUSTOMERS[19]!)).toMatchObject({
			sent_on: '',
			problem: expect.stringContaining('allowance'),
		});
		await own.runSaved(id);
		expect(sent()).toBe(41);
		expect(own.sandbox.state.blacklists.get('customers')?.size).toBe(40);
		expect(google.rows().filter(({ problem }) => problem)).toHaveLength(1);
	});
});

describe('form that creates a job', () => {
	const PATH = 'search-for-businesses-google-sheets';
	let id: string;
	const submit = async (keyword: string, rating = '') =>
		await own.client.webhooks.submitForm(PATH, [keyword, rating]);

	beforeEach(async () => {
		google.cells = [['search', 'sent', 'job_id', 'problem']];
		id = await setUp(formThatCreatesAJob);
		await own.client.activate(id);
	});
	afterEach(async () => await own.client.deactivate(id));

	it('sends the same search once', async () => {
		expect(await submit('dentist in Vienna')).toContain('Your search has started');
		expect(await submit(' dentist in Vienna ')).toContain('This was searched for before');
		expect(await submit('dentist in Vienna', '4')).toContain('Your search has started');
		expect(jobs()).toMatchObject([
			{ keyword: 'dentist in Vienna' },
			{ keyword: 'dentist in Vienna', min_rating: 4 },
		]);
		expect(google.rows()).toEqual(
			jobs().map(({ job_id, min_rating: rating = 0 }) => ({
				...{ search: `dentist in Vienna, rating ${rating}`, sent: 'yes', job_id, problem: '' },
			})),
		);
	});

	it('sends a search again that was refused', async () => {
		own.sandbox.faults.add({ method: 'POST', times: 1, fault: status(402) });
		expect(await submit('dentist in Vienna')).toContain('Your search has not started');
		expect(google.rows()).toMatchObject([{ sent: '', problem: expect.stringContaining('. ') }]);
		expect(await submit('dentist in Vienna')).toContain('Your search has started');
		expect(google.rows()).toMatchObject([{ sent: 'yes', problem: '' }]);
	});
});
