import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { RecordedRequest } from '../../sandbox/traffic';
import { useSandbox } from '../support/account';
import { runWithoutExecution, runWorkflow, workflowOf } from '../support/engine';
import { ADD, ADD_MANY, CREATE, DELETE, listNamed } from '../support/parameters';

const account = useSandbox();

/** Parameters with one field entered like this. */
type Fill = (entered: string) => INodeParameters;

const KEYWORD: Fill = (keyword) => ({ ...CREATE, keyword });
const GROUP: Fill = (groupName) => ({ ...CREATE, groupName });
const SORT: Fill = (sortBy) => ({ ...CREATE, sort: { sortBy } });
const VALUE: Fill = (value) => ({ ...ADD, value });
const PLACE_ID: Fill = (value) => ({ ...ADD, type: 'place_id', value });
const EMAIL: Fill = (value) => ({ ...ADD, type: 'email', value });
const LIST_TO_ADD_TO: Fill = (name) => ({ ...ADD, blacklist: listNamed(name) });
const LIST_FROM_LIST: Fill = (value) => ({
	...ADD,
	blacklist: { __rl: true, mode: 'list', value },
});
const LIST_OF_MANY: Fill = (name) => ({ ...ADD_MANY, blacklist: listNamed(name) });
const LIST_TO_DELETE: Fill = (name) => ({ ...DELETE, blacklist: listNamed(name) });

/** What begins like what a sheet shows for a broken formula. */
const TAGS = '#1! #n/a #ref! #hashtag! #Best! #A1';
/** A row in which all but its date is missing or null. */
const ROW = { city: null, date: 'soon', code: 'null', name: 'Null', tags: TAGS };

async function run(parameters: INodeParameters, row: IDataObject = ROW) {
	const { sandbox, account: owner } = account();
	const { error, json } = await runWorkflow(workflowOf(parameters, [row]), owner);
	return { sandbox, error, json };
}

describe('an expression that writes a gap is refused', () => {
	it.each<[label: string, entered: string, fill: Fill, gap: string]>([
		['Keyword', '={{ "dentist in " + $json.town }}', KEYWORD, 'contains "undefined"'],
		['Keyword', '={{ "dentist in " + $json.city }}', KEYWORD, 'contains "null"'],
		['Keyword', '={{ `${$json.town}, ${$json.state}` }}', KEYWORD, 'is "undefined, undefined"'],
		['Keyword', '={{ "dentist (" + $json.town + ")" }}', KEYWORD, 'contains "undefined"'],
		['Keyword', '=rooms {{ "" + Number($json.town) }}!', KEYWORD, 'contains "NaN"'],
		['Keyword', '=since {{ new Date($json.date) }}', KEYWORD, 'contains "Invalid Date"'],
		[
			'Keyword',
			'=since {{ DateTime.fromISO($json.date).toFormat("yyyy") }}',
			KEYWORD,
			'contains "Invalid DateTime"',
		],
		['Keyword', '={{ DateTime.fromISO($json.date) }}', KEYWORD, 'is an invalid date'],
		// A part of another word is not the word, nor is what the expression does contain.
		['Keyword', '={{ $json.nullable + " null".slice(0, 0) }}', KEYWORD, 'is "undefined"'],
		['Keyword', '={{ "rooms " + ($json.nullable ?? $json.city) }}', KEYWORD, 'contains "null"'],
		['Group Name', '={{ "leads-" + $json.town }}', GROUP, 'contains "undefined"'],
		['Sort By', '={{ "" + $json.town }}', SORT, 'is "undefined"'],
		['Blacklist', '={{ "leads-" + $json.town }}', LIST_TO_ADD_TO, 'contains "undefined"'],
		['Blacklist', '={{ "" + $json.city }}', LIST_FROM_LIST, 'is "null"'],
		['Blacklist', '=customers_{{ "" + $json.city }}', LIST_OF_MANY, 'contains "null"'],
		['Blacklist', '={{ "leads-" + $json.town }}', LIST_TO_DELETE, 'contains "undefined"'],
		['Value', '={{ "" + $json.town }}', VALUE, 'is "undefined"'],
		['Value', '= {{ $json.code }}', PLACE_ID, 'is "null"'],
		['Value', '={{ "www." + $json.town }}', VALUE, 'contains "undefined"'],
		['Value', '=info@{{ "" + $json.city }}', EMAIL, 'contains "null"'],
		['Value', '=www.{{ "" + $json.city }}.', VALUE, 'contains "null"'],
	])('"%s" entered as %s', async (label, entered, fill, gap) => {
		const { sandbox, error } = await run(fill(entered));
		expect(error?.message).toBe(`"${label}" ${gap}`);
		expect(error?.description).toContain(`heck the expression in "${label}"`);
		expect(sandbox.requests).toEqual([]);
	});
});

it.each<[entered: string, fill: Fill]>([
	['=Dentist in {{ $json.name.trim }}', KEYWORD],
	['=leads {{ $now.toISO }}', GROUP],
	['=by {{ new Set() }}', SORT],
])('an expression that inserts an object or a function is refused: %s', async (entered, fill) => {
	const { sandbox, error } = await run(fill(entered));
	expect(error?.message).toMatch(/^"[A-Z][A-Za-z ]+" contains an object or a function: /);
	expect(sandbox.requests).toEqual([]);
});

describe('what is meant is sent', () => {
	it.each<[entered: string, fill: Fill, sent: string]>([
		['dentist in undefined', KEYWORD, 'dentist in undefined'],
		['how to mend [object Object]', KEYWORD, 'how to mend [object Object]'],
		['x => { [native code] }', KEYWORD, 'x => { [native code] }'],
		['={{ $json.name + " & Söhne" }}', KEYWORD, 'Null & Söhne'],
		['=dentist {{ $json.city }}', KEYWORD, 'dentist '],
		[
			'={{ $json.name + "null.de nullpunkt /null/ UNDEFINED" }}',
			KEYWORD,
			'Nullnull.de nullpunkt /null/ UNDEFINED',
		],
		['={{ "leads-" + $json.town }}', KEYWORD, 'leads-undefined'],
		['=leads_null{{ $json.city }}', GROUP, 'leads_null'],
		['={{ "is." + $json.code }}', SORT, 'is.null'],
		['={{ $json.code + ".de" }}', VALUE, 'null.de'],
		['={{ $json.code + "@" + $json.code + ".de" }}', EMAIL, 'null@null.de'],
		['={{ $json.name }}', PLACE_ID, 'Null'],
		['={{ "christian." + $json.code + "@firma.de" }}', EMAIL, 'christian.null@firma.de'],
		['null', LIST_TO_ADD_TO, '/null'],
		['dentist in #REF!', KEYWORD, 'dentist in #REF!'],
		['={{ "#NVIDIA partner" }}', KEYWORD, '#NVIDIA partner'],
		['={{ $json.tags }}', KEYWORD, TAGS],
		['={{ "🍕" }}', KEYWORD, '🍕'],
	])('%s', async (entered, fill, sent) => {
		const { sandbox, error } = await run(fill(entered));
		expect(error).toBeUndefined();
		const [{ path, body }] = sandbox.requests as [RecordedRequest];
		const all = [...Object.values(body ?? {}), path.slice(path.lastIndexOf('/'))];
		expect(all).toContain(sent);
	});
});

it.each([
	['Group Name', { ...CREATE, groupName: '={{ $fromAI("group") }}' }],
	['Keyword', { ...CREATE, keyword: '={{ $fromAI("group") }}' }],
	['Value', PLACE_ID('={{ $fromAI("group") }}')],
])('a model that writes a gap in "%s" is refused', async (label, parameters) => {
	const { sandbox, account: owner } = account();
	expect(await runWithoutExecution(parameters, owner, { group: 'null' })).toEqual([
		{
			error: `"${label}" is "null"`,
			message: expect.stringContaining('spell it differently'),
		},
	]);
	expect(sandbox.requests).toEqual([]);
	await runWithoutExecution(parameters, owner, { group: 'Null' });
	expect(sandbox.requests).toHaveLength(1);
});

it.each(['domain', 'place_id', 'auto'])('a gap in "Values" is invalid: %s', async (type) => {
	const values = '={{ ["a.example", "" + $json.town, "b.example, " + $json.city, "Na" + "N"] }}';
	const { sandbox, json } = await run({ ...ADD_MANY, type, values });
	const { problems } = json[0] as { problems: Array<{ value: string; reason: string }> };
	const gaps = problems.filter(({ reason }) => reason.startsWith('comes from a missing field'));
	expect(gaps.map(({ value }) => value)).toEqual(['undefined', 'null', 'NaN']);
	expect(sandbox.requests.map(({ rawBody }) => rawBody).join()).not.toMatch(/null|undef|NaN/);
});

it.each([
	...['#N/A', '#N/D', '#I/T', '#NV', '#REF!', '#NAME?', '#DIV/0!', '#VALEUR!', '#¡VALOR!'],
	...['#¿NOMBRE?', '#ЗНАЧ!', 'Loading...'],
])('a formula that does not work is refused as a word of an expression: %s', async (cell) => {
	const out = cell.startsWith('#') ? ', or write it without the #' : '';
	const advice = `correct it in this cell${out}`;
	for (const [fill, entered] of [
		[KEYWORD, '=dentist in {{ $json.cell }}'],
		[GROUP, '=leads_{{ $json.cell }}'],
		[LIST_TO_ADD_TO, '={{ $json.cell }}'],
		[PLACE_ID, '={{ $json.cell }}'],
	] as const) {
		const { sandbox, error } = await run(fill(entered), { cell });
		expect(error?.message).toContain(`"${cell}"`);
		expect(error?.description).toContain(`A formula in the sheet does not work: ${advice}.`);
		expect(sandbox.requests).toEqual([]);
	}
	const { json } = await run({ ...ADD_MANY, values: '={{ [$json.cell] }}' }, { cell });
	const reason = `comes from a formula that does not work: ${advice}`;
	expect(json[0]!.problems).toMatchObject([{ value: cell, reason }]);
});

it.each(['-', '|', ' + ', '\u200b'])(
	'a keyword of nothing but gaps and what joins them is refused: "%s"',
	async (joint) => {
		const { sandbox, error } = await run(KEYWORD(`={{ $json.town + "${joint}" + $json.state }}`));
		expect(error?.message).toBe(`"Keyword" is "undefined${joint}undefined"`);
		expect(sandbox.requests).toEqual([]);
		const beside = await run(KEYWORD(`={{ "dentist${joint}" + $json.town }}`));
		expect(beside.error?.message).toBe(
			joint === '-' ? undefined : '"Keyword" contains "undefined"',
		);
	},
);

it.each([', ', ' | ', ' -> ', ' + ', ' = ', '\u200b, ', '\u2800'])(
	'a keyword of nothing but what joins two empty fields is refused: "%s"',
	async (joint) => {
		const { sandbox, error } = await run(KEYWORD(`={{ $json.trade }}${joint}{{ $json.town }}`));
		expect(error?.message).toBe('"Keyword" is empty');
		expect(sandbox.requests).toEqual([]);
	},
);

describe('a keyword of nothing but the words between two empty fields', () => {
	it.each<[entered: string, left: string]>([
		['={{ $json.trade }} in {{ $json.town }}', ' in '],
		['={{ $json.trade }} in {{ $json.town }}, {{ $json.state }}', ' in , '],
		['="{{ $json.trade }}" near {{ $json.town }}.', '"" near .'],
		['={{ $json.trade }} in {{ $json.blank }}', ' in  '],
		['={{\n$json.trade\n}}\nin\n{{ $json.town ? "}" : "" }}', '\nin\n'],
	])('is refused: %s', async (entered, left) => {
		const { sandbox, error } = await run(KEYWORD(entered), { city: null, blank: ' ' });
		const shown = left.replace(/\n/g, ' ');
		expect(error?.message).toBe(`"Keyword" has only its own words: "${shown}"`);
		expect(error?.description).toContain('The fields in it are empty in this row.');
		expect(sandbox.requests).toEqual([]);
	});

	it.each<[entered: string, sent: string]>([
		['={{ $json.trade }} in {{ $json.date }}', ' in soon'],
		['=dentist in {{ $json.town }}', 'dentist in '],
		['={{ $json.kind }} dentist in Vienna', ' dentist in Vienna'],
		['=dentist in Vienna {{ $json.district }} {{ $json.zip }}', 'dentist in Vienna  '],
		['={{ "in" }}{{ $json.town }}', 'in'],
		[' in ', ' in '],
	])('is sent if one is there, or it begins or ends with a word: %s', async (entered, sent) => {
		const { sandbox, error } = await run(KEYWORD(entered));
		expect(error).toBeUndefined();
		expect(sandbox.state.jobs.map(({ keyword }) => keyword)).toEqual([sent]);
	});
});

it.each<[entered: string, row: IDataObject, keyword: string]>([
	['=best {{ $json.keyword }} in town', {}, '"best  in town"'],
	['={{ $json.keyword ?? "dentist" }} in town', {}, 'dentist in town'],
	['best in town', {}, 'best in town'],
	['={{ $("Start").first().json.keyword }} in town', {}, ' in town'],
	['=best {{ $json.keyword }} in town', { other: 1 }, 'best  in town'],
])('a keyword of the fields of an item without any is refused: %s of %j', async (...args) => {
	const [entered, row, keyword] = args;
	const { sandbox, error } = await run(KEYWORD(entered), row);
	const isRefused = keyword.startsWith('"');
	expect(error?.message).toBe(
		isRefused ? `"Keyword" has only its own words: ${keyword}` : undefined,
	);
	expect(sandbox.state.jobs.map((job) => job.keyword)).toEqual(isRefused ? [] : [keyword]);
});

it.each([
	['dentist in Vienna\nplumber in Graz', undefined],
	['\n dentist in Vienna \r\n', 'dentist in Vienna'],
	[' dentist  in Vienna ', ' dentist  in Vienna '],
])(
	'a keyword of several lines is refused, at its ends they do not matter: %j',
	async (cell, sent) => {
		const { sandbox, error } = await run(KEYWORD('={{ $json.cell }}'), { cell });
		if (!sent) expect(error?.message).toMatch(/^"Keyword" has several lines: "dentist.*⏎plumber/);
		expect(sandbox.state.jobs.map(({ keyword }) => keyword)).toEqual(sent ? [sent] : []);
	},
);

it('a keyword of a file that was read with the wrong encoding is refused, unless it was typed', async () => {
	const { error } = await run(KEYWORD('={{ $json.trade }}'), { trade: 'B\uFFFDcker' });
	expect(error?.message).toBe('"Keyword" contains characters that cannot be read: B\uFFFDcker');
	expect(error?.description).toContain(
		'Save it as UTF-8, or set "Encoding" in "Extract from File".',
	);
	expect(account().sandbox.requests).toEqual([]);
	const typed = await run(KEYWORD('B\uFFFDcker'));
	expect(typed.error).toBeUndefined();
});

it('a column with a byte order mark is read by its plain name as empty', async () => {
	const { sandbox, error } = await run(KEYWORD('={{ $json.keyword }}'), {
		'\uFEFFkeyword': 'dentist',
	});
	expect(error?.message).toBe('"Keyword" is empty');
	expect(sandbox.requests).toEqual([]);
});
