import { ExecuteSingleContext } from 'n8n-core';
import type { INode } from 'n8n-workflow';

import { useSandbox } from '../support/account';
import { runWorkflow, workflowOf } from '../support/engine';
import { ADD, CREATE, DELETE, keywords, LIST, listNamed } from '../support/parameters';
import { CONTINUE } from '../support/settings';

const account = useSandbox();

type Parameters = INode['parameters'];

const job = (parameters: Parameters): Parameters => ({
	...CREATE,
	...parameters,
});
const item = (parameters: Parameters): Parameters => ({
	...ADD,
	type: 'email',
	value: 'name@example.com',
	...parameters,
});
const remove = (name: unknown): Parameters => ({
	...DELETE,
	blacklist: listNamed(name),
});
const limit = (value: Parameters[string]): Parameters => ({
	...LIST,
	returnAll: false,
	limit: value,
});

/** Invalid input, and the label that the message must name. */
const REFUSED: Array<[what: string, parameters: Parameters, label: string]> = [
	['an empty keyword', job({ keyword: '={{ "  " }}' }), 'Keyword'],
	['no keyword', job({ keyword: '={{ null }}' }), 'Keyword'],
	['a keyword that nobody can see', job({ keyword: '\u200b \ufeff' }), 'Keyword'],
	['a list as keyword', job({ keyword: '={{ ["a", "b"] }}' }), 'Keyword'],
	['an object in a keyword', job({ keyword: '={{ "dentist in " + ({ a: 1 }) }}' }), 'Keyword'],
	['half a character in a keyword', job({ keyword: '={{ "dentist \\ud83d" }}' }), 'Keyword'],
	['an object as group', job({ groupName: '={{ ({ a: 1 }) }}' }), 'Group Name'],
	['half a rating', job({ filters: { minRating: 4.5 } }), 'Minimum Rating'],
	['a rating in words', job({ filters: { minRating: '={{ "four" }}' } }), 'Minimum Rating'],
	['half a review', job({ filters: { minReviews: '={{ "1.5" }}' } }), 'Minimum Reviews'],
	['an inexact number', job({ filters: { maxReviews: 2 ** 53 } }), 'Maximum Reviews'],
	['a list of numbers', job({ filters: { maxReviews: '={{ [1] }}' } }), 'Maximum Reviews'],
	['no limit left', job({ filters: { minReviews: 11, maxReviews: '10' } }), 'Minimum Reviews'],
	['yes in place of true', job({ filters: { hasPhone: '={{ "yes" }}' } }), 'Has Phone'],
	['a number in place of true', job({ filters: { hasWebsite: '={{ 1 }}' } }), 'Has Website'],
	['a list in place of true', job({ filters: { hasWebsite: '={{ [true] }}' } }), 'Has Website'],
	['an unknown order', job({ sort: { sortOrder: '={{ "up" }}' } }), 'Sort Order'],
	['a list to sort by', job({ sort: { sortBy: '={{ ["a"] }}' } }), 'Sort By'],

	['an empty blacklist', item({ blacklist: listNamed('={{ " " }}') }), 'Blacklist'],
	['no blacklist', item({ blacklist: listNamed('={{ null }}') }), 'Blacklist'],
	['the blacklist .', item({ blacklist: listNamed('.') }), 'Blacklist'],
	['the blacklist ..', remove('..'), 'Blacklist'],
	['a blacklist that nobody can see', remove('\u200b'), 'Blacklist'],
	['half a character', remove('={{ "\\ud83d" }}'), 'Blacklist'],
	['an object as blacklist', remove('={{ ({ name: "customers" }) }}'), 'Blacklist'],

	['an unknown type', item({ type: '={{ "phone" }}' }), 'Type'],
	['a type of the language', item({ type: '={{ "toString" }}' }), 'Type'],
	['an empty value', item({ value: '={{ " " }}' }), 'Value'],
	['an invisible character', item({ value: 'a@example.com\u200b' }), 'Value'],
	['an email without @', item({ value: 'name.example.com' }), 'Value'],
	['an email of two', item({ value: 'a@example.com, b@example.com' }), 'Value'],
	['a domain with a scheme', item({ type: 'domain', value: 'https://example.com' }), 'Value'],
	['a domain with a path', item({ type: 'domain', value: 'example.com/a' }), 'Value'],
	['a domain with a space', item({ type: 'domain', value: 'example com' }), 'Value'],
	['a CID with a letter', item({ type: 'cid', value: '0x12' }), 'Value'],
	['a CID that lost digits', item({ type: 'cid', value: '={{ 12345678901234567890 }}' }), 'Value'],
	['a place ID with a space', item({ type: 'place_id', value: 'ChIJ 1' }), 'Value'],
	['a list of values', item({ value: '={{ ["a@example.com"] }}' }), 'Value'],

	['no concurrency', job({ options: { concurrency: 0 } }), 'Concurrency'],
	['too much concurrency', item({ options: { concurrency: 101 } }), 'Concurrency'],
	['half a concurrency', item({ options: { concurrency: '={{ "1.5" }}' } }), 'Concurrency'],
	['a limit of zero', limit(0), 'Limit'],
	['half a limit', limit('={{ "2.5" }}'), 'Limit'],
	['Simplify in words', { resource: 'usage', operation: 'get', simple: '={{ "no" }}' }, 'Simplify'],
];

describe.each(REFUSED)('%s', (_what, parameters, label) => {
	it('is refused before anything is sent', async () => {
		const { sandbox, account: owner } = account();
		const { error } = await runWorkflow(workflowOf(parameters), owner);

		expect(error?.message).toContain(`"${label}"`);
		expect(error?.description).toBeTruthy();
		expect(sandbox.requests).toEqual([]);
	});

	it('becomes its own item with Continue, and the next item is processed', async () => {
		const { sandbox, account: owner } = account();
		const { outputs, error } = await runWorkflow(workflowOf(parameters, [{}, {}], CONTINUE), owner);

		expect(error).toBeUndefined();
		expect(outputs[1]).toEqual(
			[0, 1].map((index) => ({
				json: {
					error: expect.stringContaining(`"${label}"`),
					message: expect.any(String),
				},
				pairedItem: { item: index },
			})),
		);
		expect(sandbox.requests).toEqual([]);
	});
});

it('says once that nothing was sent if the credential cannot be read', async () => {
	const { sandbox, account: owner } = account();
	const unreadable = jest
		.spyOn(ExecuteSingleContext.prototype, 'getCredentials')
		.mockRejectedValue(new Error('The credential is not shared with you'));
	const { error } = await runWorkflow(workflowOf(CREATE, keywords(3)), owner);
	unreadable.mockRestore();
	expect(error).toMatchObject({
		message: 'The credential is not shared with you',
		description: 'Nothing was sent. Check the credential and its settings.',
	});
	expect(sandbox.requests).toEqual([]);
});

it('says that nothing was sent, for the items before the refused one either', async () => {
	const { sandbox, account: owner } = account();
	const { error } = await runWorkflow(workflowOf(CREATE, [{}, {}, { keyword: ' ' }]), owner);
	expect(error?.description).toBe('Enter the phrase to search for. Nothing was sent.');
	expect(sandbox.requests).toEqual([]);
});

/** Invalid credentials, and the label that the message must name. */
const UNUSABLE: Array<[what: string, fields: object, label: string]> = [
	['no address', { baseUrl: ' ' }, 'Base URL'],
	['half an address', { baseUrl: 'service.example.com' }, 'Base URL'],
	['another scheme', { baseUrl: 'ftp://service.example.com' }, 'Base URL'],
	['a user in the address', { baseUrl: 'http://user@127.0.0.1:1' }, 'Base URL'],
	['a password in the address', { baseUrl: 'http://:secret@127.0.0.1:1' }, 'Base URL'],
	['a query', { baseUrl: 'http://127.0.0.1:1/?' }, 'Base URL'],
	['a fragment', { baseUrl: 'http://127.0.0.1:1/#' }, 'Base URL'],
	['no key', { apiKey: ' ' }, 'API Key'],
	['the word alone', { apiKey: 'Token ' }, 'API Key'],
	['a line break inside the key', { apiKey: 'abc\r\nx-other: 1' }, 'API Key'],
	['a letter no header can carry', { apiKey: 'abc→def' }, 'API Key'],
];

it.each(UNUSABLE)('a credential with %s is refused', async (_what, fields, label) => {
	const { sandbox, account: owner } = account();
	const { error } = await runWorkflow(workflowOf(job({})), { ...owner, ...fields });

	expect(error?.message).toContain(`"${label}"`);
	expect(error?.description).toBeTruthy();
	expect(JSON.stringify(error)).not.toContain('secret');
	expect(sandbox.requests).toEqual([]);
});
