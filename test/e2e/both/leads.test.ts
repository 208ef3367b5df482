/** The example that adds the leads of a file to a blacklist. */
import leadsThatYouHave from '../../../examples/leads-that-you-have.json';
import { status } from '../../support/faults';
import { n8n } from '../n8n';

const PATH = 'leads-that-you-have';
const DOMAINS = Array.from({ length: 20 }, (_, index) => `lead-${index}.example`);
/** With semicolons, a byte order mark, and a line twice, as Excel saves it. */
const CSV = ['\ufeffName;Website', ...[...DOMAINS, DOMAINS[0]].map((domain) => `"A; B";${domain}`)];

let id: string;

/** Uploads the file, and reads the page that the form ends with. */
async function upload(column: string, whatToDo: string, lines = CSV): Promise<string> {
	const file = new File([lines.join('\r\n')], 'leads.csv', { type: 'text/csv' });
	return await n8n().client.webhooks.submitForm(PATH, [file, column, whatToDo]);
}

const added = () => [...(n8n().sandbox.state.blacklists.get('leads')?.values() ?? [])];

beforeEach(async () => {
	id = await n8n().save(leadsThatYouHave);
	await n8n().client.activate(id);
});
afterEach(async () => await n8n().client.deactivate(id));

it('counts for free, and adds each value once', async () => {
	const { sandbox } = n8n();
	const counted = await upload('website', 'Only count');
	expect(counted).toContain('Values to add: 20, one request each');
	expect(counted).toContain('Twice in the file: 1. Not to be sent: 0');
	expect(sandbox.requestCount).toBe(0);

	expect(await upload(' Website ', 'Add')).toContain('Values added: 20');
	expect(added()).toEqual(DOMAINS.map((value) => ({ type: 'domain', value })));
	expect(sandbox.requestCount).toBe(20);
});

it.each([
	['a column that is not there', 'domain', CSV, 'The columns are: '],
	['a file without rows', 'Website', CSV.slice(0, 1), 'The file has no rows'],
])('sends nothing for %s, and says so', async (_what, column, lines, said) => {
	for (const whatToDo of ['Only count', 'Add']) {
		expect(await upload(column, whatToDo, lines)).toContain(said);
	}
	expect(n8n().sandbox.requestCount).toBe(0);
});

it('after a 402, lists each value that was not added', async () => {
	n8n().sandbox.faults.add({ match: DOMAINS[9], fault: status(402) });
	const page = await upload('Website', 'Add');
	expect(page).toContain('is used up');
	expect(page).toContain('Do not send the whole file again');
	const isAdded = new Set(added().map(({ value }) => value));
	expect(isAdded.size).toBeGreaterThanOrEqual(9);
	expect(page).toContain(`Values added: ${isAdded.size}`);
	expect(DOMAINS.filter((domain) => page.includes(`${domain}: `))).toEqual(
		DOMAINS.filter((domain) => !isAdded.has(domain)),
	);
});
