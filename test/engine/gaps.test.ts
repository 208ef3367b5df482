import { CONTINUE } from '../support/settings';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { RecordedRequest } from '../../sandbox/traffic';
import { runWithoutExecution } from '../support/engine';
import { ADD, ADD_MANY, CREATE, DELETE, listNamed } from '../support/parameters';
import { useEngine } from '../support/useEngine';

const { sandbox, owner, execute } = useEngine();

/** Parameters with one field entered like this. */
type Fill = (entered: string) => INodeParameters;

const KEYWORD: Fill = (keyword) => ({ ...CREATE, keyword });
const GROUP: Fill = (groupName) => ({ ...CREATE, groupName });
const SORT: Fill = (sortBy) => ({ ...CREATE, sort: { sortBy } });
const VALUE: Fill = (value) => ({ ...ADD, value });
const PLACE_ID: Fill = (value) => ({ ...ADD, type: 'place_id', value });
const EMAIL: Fill = (value) => ({ ...ADD, type: 'email', value });
const LIST_TO_ADD_TO: Fill = (name) => ({ ...ADD, blacklist: listNamed(name) });
const FROM_LIST = { __rl: true, mode: 'list' } as const;
const LIST_FROM_LIST: Fill = (value) => ({ ...ADD, blacklist: { ...FROM_LIST, value } });
const LIST_OF_MANY: Fill = (name) => ({ ...ADD_MANY, blacklist: listNamed(name) });
const LIST_TO_DELETE: Fill = (name) => ({ ...DELETE, blacklist: listNamed(name) });

/** What begins like what a sheet shows for a broken formula. */
const TAGS = '#1! #n/a #ref! #hashtag! #Best! #A1';
const NO_DATE = 'DateTime.fromISO($json.date)';
/** A row in which all but its date is missing or null. */
const ROW = { city: null, date: 'soon', code: 'null', name: 'Null', tags: TAGS };

async function run(parameters: INodeParameters, row: IDataObject = ROW) {
	const { error, json } = await execute(parameters, [row]);
	return { sandbox, error, json };
}

async function expectRefused(parameters: INodeParameters, row: IDataObject, ...said: string[]) {
	const { sandbox, error } = await run(parameters, row);
	const [message, advice = ''] = said;
	expect(error?.message).toBe(message);
	expect(error?.description).toContain(advice);
	expect(sandbox.requests).toEqual([]);
}

describe('an expression that writes a gap as a word is refused', () => {
	it.each<[label: string, entered: string, fill: Fill, gap: string]>([
		['Keyword', '={{ "dentist in " + $json.town }}', KEYWORD, 'contains "undefined"'],
		['Keyword', '={{ `dentist in ${$json.city}` }}', KEYWORD, 'contains "null"'],
		['Keyword', '={{ $json.nullable + " null".slice(0, 0) }}', KEYWORD, 'contains "undefined"'],
		['Keyword', '=rooms ({{ "" + Number($json.town) }})!', KEYWORD, 'contains "NaN"'],
		['Keyword', '=since {{ new Date($json.date) }}', KEYWORD, 'contains "Invalid Date"'],
		['Keyword', `=since {{ ${NO_DATE}.toFormat("yy") }}`, KEYWORD, 'contains "Invalid DateTime"'],
		['Keyword', `={{ ${NO_DATE} }}`, KEYWORD, 'is not text: an invalid date'],
		['Keyword', '={{ $json.name + " /null/" }}', KEYWORD, 'contains "null"'],
		['Group Name', '={{ "leads-" + $json.town }}', GROUP, 'contains "undefined"'],
		['Group Name', '=leads_null{{ $json.city }}', GROUP, 'contains "null"'],
		['Sort By', '={{ "is." + $json.code }}', SORT, 'contains "null"'],
		['Blacklist', '={{ "leads-" + $json.town }}', LIST_TO_ADD_TO, 'contains "undefined"'],
		['Blacklist', '={{ "" + $json.city }}', LIST_FROM_LIST, 'contains "null"'],
		['Blacklist', '=customers_{{ "" + $json.city }}', LIST_OF_MANY, 'contains "null"'],
		['Blacklist', '={{ "leads-" + $json.town }}', LIST_TO_DELETE, 'contains "undefined"'],
		['Value', '={{ $json.code + ".de" }}', VALUE, 'contains "null"'],
		['Value', '= {{ $json.code }}', PLACE_ID, 'contains "null"'],
		['Value', '=christian.{{ $json.code }}@firma.de', EMAIL, 'contains "null"'],
	])('"%s" entered as %s', async (label, entered, fill, gap) => {
		const advice = `heck the expression in "${label}"`;
		await expectRefused(fill(entered), ROW, `"${label}" ${gap}`, advice);
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

describe('what nobody filled in', () => {
	const GIVEN = { given: 'leads {{ $json.city }}' };

	it.each<[label: string, entered: string, fill: Fill]>([
		['Keyword', GIVEN.given, KEYWORD],
		['Keyword', '={{ $json.given }}', KEYWORD],
		['Group Name', GIVEN.given, GROUP],
		['Blacklist', '={{ $json.given }}', LIST_TO_ADD_TO],
		['Value', '={{ $json.given }}', VALUE],
	])('in "%s" is refused: %s', async (label, entered, fill) => {
		const why = 'contains an expression that was not evaluated: leads {{ $json.city }}';
		await expectRefused(fill(entered), GIVEN, `"${label}" ${why}`, 'or remove the {{ }}.');
	});

	it('is the name of a blacklist to delete, which is used as it is', async () => {
		const { sandbox } = await run(LIST_TO_DELETE('{{ a }}'));
		expect(sandbox.requests).toMatchObject([{ path: '/api/v1/blacklist/%7B%7B%20a%20%7D%7D' }]);
	});

	it('in a row of "Values" is listed', async () => {
		const { sandbox, json } = await run({ ...ADD_MANY, values: '={{ [$json.given] }}' }, GIVEN);
		const reason = 'contains an expression that was not evaluated';
		expect(json[0]!.problems).toMatchObject([{ value: GIVEN.given, reason }]);
		expect(sandbox.requests).toEqual([]);
	});
});

it.each(['["dentist in Wien","baker in Graz"]', '{"keyword":"dentist"}', '```json dentist'])(
	'a keyword that is the text of a program is refused: %s',
	async (keyword) => {
		const why = `"Keyword" is JSON or code, not a phrase: "${keyword}"`;
		await expectRefused(KEYWORD('={{ $json.given }}'), { given: keyword }, why);
	},
);

it.each<[entered: string, fill: Fill, sent: string]>([
	['[Wien] dentist', KEYWORD, '[Wien] dentist'],
	['"dentist in Wien"', KEYWORD, '"dentist in Wien"'],
	['{{ a }}', LIST_FROM_LIST, '/%7B%7B%20a%20%7D%7D'],
	['dentist in undefined', KEYWORD, 'dentist in undefined'],
	['how to mend [object Object]', KEYWORD, 'how to mend [object Object]'],
	['x => { [native code] }', KEYWORD, 'x => { [native code] }'],
	['dentist in #REF!', KEYWORD, 'dentist in #REF!'],
	['B\uFFFDcker', KEYWORD, 'B\uFFFDcker'],
	[' in ', KEYWORD, ' in '],
	['null', LIST_TO_ADD_TO, '/null'],
	// A gap is a part of each word.
	['=1null null2 Ä{{ $json.code }} UNDEFINED', KEYWORD, '1null null2 Änull UNDEFINED'],
	['={{ $json.code + "punkt.de" }}', VALUE, 'nullpunkt.de'],
	['={{ $json.name }}', PLACE_ID, 'Null'],
	['={{ "#NVIDIA partner" }}', KEYWORD, '#NVIDIA partner'],
	['={{ $json.tags }}', KEYWORD, TAGS],
	['={{ "🍕" }}', KEYWORD, '🍕'],
	// A field is there, or it begins or ends with a word.
	['={{ $json.trade }} in {{ $json.date }}', KEYWORD, ' in soon'],
	['=dentist in {{ $json.town }}', KEYWORD, 'dentist in '],
	['={{ $json.kind }} dentist in Vienna', KEYWORD, ' dentist in Vienna'],
	['=dentist in Vienna {{ $json.town }} {{ $json.zip }}', KEYWORD, 'dentist in Vienna  '],
	['=best {{ $json.keyword }} in town', KEYWORD, 'best  in town'],
	['={{ "in" }}{{ $json.town }}', KEYWORD, 'in'],
	// A line break at an end does not matter.
	['={{ "\\n dentist in Vienna \\r\\n" }}', KEYWORD, 'dentist in Vienna'],
	['={{ " dentist  in Vienna " }}', KEYWORD, ' dentist  in Vienna '],
])('what is meant is sent: %s', async (entered, fill, sent) => {
	const { sandbox, error } = await run(fill(entered));
	expect(error).toBeUndefined();
	const [{ path, body }] = sandbox.requests as [RecordedRequest];
	const all = [...Object.values(body ?? {}), path.slice(path.lastIndexOf('/'))];
	expect(all).toContain(sent);
});

it.each([
	['Group Name', { ...CREATE, groupName: '={{ $fromAI("group") }}' }],
	['Keyword', { ...CREATE, keyword: '={{ $fromAI("group") }}' }],
	['Value', PLACE_ID('={{ $fromAI("group") }}')],
])('a model that writes a gap in "%s" is refused', async (label, parameters) => {
	const [json] = await runWithoutExecution(parameters, owner, { group: 'null' });
	const message = expect.stringContaining('spell it differently');
	expect(json).toEqual({ error: `"${label}" contains "null"`, message });
	expect(sandbox.requests).toEqual([]);
	await runWithoutExecution(parameters, owner, { group: 'Null' });
	expect(sandbox.requests).toHaveLength(1);
});

it.each(['domain', 'place_id', 'auto'])('a gap in "Values" is invalid: %s', async (type) => {
	const values =
		'={{ ["a.example", "" + $json.town, "b.example, " + $json.city, "NaN", "null@x.example"] }}';
	const { sandbox, json } = await run({ ...ADD_MANY, type, values });
	const { problems } = json[0] as { problems: Array<{ value: string; reason: string }> };
	const gaps = problems.filter(({ reason }) => reason.includes('A field is probably missing'));
	expect(gaps.map(({ value }) => value)).toEqual(['undefined', 'null', 'NaN', 'null@x.example']);
	expect(sandbox.requests.map(({ rawBody }) => rawBody).join()).not.toMatch(/null|undef|NaN/);
});

it.each([
	...['#N/A', '#N/D', '#I/T', '#NV', '#REF!', '#NAME?', '#DIV/0!', '#VALEUR!', '#¡VALOR!'],
	...['#¿NOMBRE?', '#ЗНАЧ!', 'Loading...'],
])('a formula that does not work is refused as a word of an expression: %s', async (cell) => {
	const advice = 'A formula in the sheet does not work: correct this cell';
	for (const [fill, entered, label] of [
		[KEYWORD, '=dentist in {{ $json.cell }}', 'Keyword'],
		[GROUP, '=leads_{{ $json.cell }}', 'Group Name'],
		[LIST_TO_ADD_TO, '={{ $json.cell }}', 'Blacklist'],
		[PLACE_ID, '={{ $json.cell }}', 'Value'],
	] as const) {
		await expectRefused(fill(entered), { cell }, `"${label}" contains "${cell}"`, `${advice}.`);
	}
	const { json } = await run({ ...ADD_MANY, values: '={{ [$json.cell] }}' }, { cell });
	const reason = `contains "${cell}". ${advice}`;
	expect(json[0]!.problems).toMatchObject([{ value: cell, reason }]);
});

it.each(['-', '|', ', ', ' -> ', ' + ', ' = ', '\u200b', '\u200b, ', '\u2800'])(
	'a keyword is refused if "%s" joins gaps or empty fields',
	async (joint) => {
		for (const [entered, why] of [
			[`={{ $json.town + "${joint}" + $json.state }}`, 'contains "undefined"'],
			[`=dentist${joint}{{ "" + $json.town }}`, 'contains "undefined"'],
			[`={{ $json.trade }}${joint}{{ $json.town }}`, 'is empty'],
		] as const) {
			await expectRefused(KEYWORD(entered), ROW, `"Keyword" ${why}`);
		}
	},
);

const only = (words: string) => `has only its own words: "${words}"`;
const UNREADABLE = 'contains characters that cannot be read: B\uFFFDcker';

it.each<[entered: string, row: IDataObject, why: string, advice: string]>([
	// Nothing but the words between two empty fields.
	['={{ $json.trade }} in {{ $json.town }}', ROW, only(' in '), 'are empty in this row.'],
	['={{ $json.trade }} in {{ $json.town }}, {{ $json.state }}', ROW, only(' in , '), ''],
	['="{{ $json.trade }}" near {{ $json.town }}.', ROW, only('"" near .'), ''],
	['={{ $json.trade }} in {{ $json.blank }}', { city: null, blank: ' ' }, only(' in  '), ''],
	['={{\n$json.trade\n}}\nin\n{{ $json.town ? "}" : "" }}', ROW, only(' in '), ''],
	// An item without a field.
	['=best {{ $json.keyword }} in town', {}, only('best  in town'), ''],
	['={{ $json.cell }}', { cell: 'a in b\nc' }, 'has several lines: "a in b⏎c"', 'Split Out'],
	['={{ $json.trade }}', { trade: 'B\uFFFDcker' }, UNREADABLE, 'Save it as UTF-8, or set'],
	// A column with a byte order mark, read by its plain name.
	['={{ $json.keyword }}', { '\uFEFFkeyword': 'dentist' }, 'is empty', ''],
])('a keyword is refused: %s of %j', async (entered, row, why, advice) => {
	await expectRefused(KEYWORD(entered), row, `"Keyword" ${why}`, advice);
});

it.each<[entered: string, keyword: string]>([
	['={{ $json.keyword ?? "dentist" }} in town', 'dentist in town'],
	['best in town', 'best in town'],
	['={{ $("Start").first().json.keyword }} in town', ' in town'],
])('a keyword of an item without a field is sent: %s', async (entered, keyword) => {
	const { sandbox } = await run(KEYWORD(entered), {});
	expect(sandbox.state.jobs).toMatchObject([{ keyword }]);
});

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
