import { ExecuteContext } from 'n8n-core';
import type { INodeParameters } from 'n8n-workflow';

import { ADD, ADD_MANY, CREATE, DELETE, LIST, listNamed, USAGE } from '../../support/parameters';
import { CONTINUE } from '../../support/settings';
import { useEngine } from '../../support/useEngine';

const { sandbox, owner, execute } = useEngine();

const MORE_THAN = { minReviews: 11, maxReviews: '={{ "10" }}' };

/** Invalid input, and the label that the message names. All other input: unit/input.test.ts. */
const REFUSED: Array<[what: string, parameters: INodeParameters, label: string]> = [
	['a keyword without text', { ...CREATE, keyword: '={{ "  " }}' }, 'Keyword'],
	['a minimum above the maximum', { ...CREATE, filters: MORE_THAN }, 'Minimum Reviews'],
	['a word for a boolean', { ...CREATE, filters: { hasPhone: '={{ "yes" }}' } }, 'Has Phone'],
	['a concurrency of zero', { ...CREATE, options: { concurrency: 0 } }, 'Concurrency'],
	['half a job as the maximum', { ...CREATE, options: { maxJobs: 1.5 } }, 'Maximum Jobs per Run'],
	['a value not of its type', { ...ADD, value: 'https://example.com' }, 'Value'],
	['a blacklist that no URL can address', { ...DELETE, blacklist: listNamed('..') }, 'Blacklist'],
	['an unknown type of many', { ...ADD_MANY, type: '={{ "phone" }}' }, 'Type'],
	['a limit of zero', { ...LIST, returnAll: false, limit: 0 }, 'Limit'],
	['a word for Simplify', { ...USAGE, simple: '={{ "no" }}' }, 'Simplify'],
];

it.each(REFUSED)('%s is refused before anything is sent', async (_what, parameters, label) => {
	const { error } = await execute(parameters);
	expect(error?.message).toContain(`"${label}"`);
	expect(error?.description).toMatch(/^[A-Z].*\.$/);
	expect(sandbox.requests).toEqual([]);
});

it.each<[method: string, parameters: INodeParameters, label: string]>([
	['POST', { ...CREATE, keyword: '={{ $json.bad ? "" : "dentist" }}' }, 'Keyword'],
	['GET', { ...USAGE, simple: '={{ $json.bad ? "no" : true }}' }, 'Simplify'],
])(
	'with Continue a refused %s becomes its own item, and the others are sent',
	async (_method, parameters, label) => {
		const items = [{}, { bad: true }, {}];
		const { outputs, error } = await execute(parameters, items, CONTINUE);
		expect(error).toBeUndefined();
		expect(outputs[0]!.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
		const json = { error: expect.stringContaining(`"${label}"`), message: expect.any(String) };
		expect(outputs[1]).toMatchObject([{ json, pairedItem: { item: 1 } }]);
		expect(sandbox.requests).toHaveLength(1);
	},
);

it('a refused item is found before the items before it are sent', async () => {
	const { error } = await execute(CREATE, [{}, {}, { keyword: ' ' }]);
	expect(error?.description).toMatch(/^Item 2: .*"Keyword"\.<br><br>Wrong field /);
	expect(sandbox.requests).toEqual([]);
});

it.each([
	['Base URL', { baseUrl: 'http://:secret@127.0.0.1:1' }],
	['Base URL', { baseUrl: 'ftp://service.example.com' }],
	['API Key', { apiKey: 'secret\r\nx-other: 1' }],
	['API Key', { apiKey: ' ' }],
	['Base URL', { baseUrl: '' }],
])('an invalid "%s" is refused: %j', async (label, fields) => {
	Object.assign(owner, fields);
	const { error } = await execute(CREATE);
	expect(error?.message).toContain(`"${label}"`);
	expect(error?.description).toMatch(/^(Enter|It is not text, or contains)/);
	const all = `${error?.message} ${error?.description} ${JSON.stringify(error)}`;
	expect(all).not.toContain('secret');
	expect(sandbox.requests).toEqual([]);
});

it('a credential that cannot be read ends the run, and sends nothing', async () => {
	const unreadable = jest
		.spyOn(ExecuteContext.prototype, 'getCredentials')
		.mockRejectedValue(new Error('The credential is not shared with you'));
	const { error } = await execute(CREATE, [{}, {}, {}]);
	unreadable.mockRestore();
	expect(error?.message).toBe('The credential is not shared with you');
	expect(error?.description).toMatch(/^Check the credential and its settings\.<br><br>Then save, /);
	expect(sandbox.requests).toEqual([]);
});
