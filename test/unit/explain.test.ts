import { BLACKLIST_NOT_FOUND } from '../../nodes/BusinessListingSearch/resources/blacklist/field';
import {
	asHtml,
	type Circumstances,
	explain,
	explanationOf,
	told,
} from '../../nodes/shared/errors/explain';
import { type Facts, Failure, Refusal, type Refused } from '../../nodes/shared/errors/failure';
import {
	isTemporary,
	OUTCOMES,
	type Reason,
	reasonOfStatus,
} from '../../nodes/shared/errors/outcomes';

const status = (statusCode: number, facts: Facts = {}) =>
	new Failure(reasonOfStatus(statusCode, facts.retryAfter), { statusCode, ...facts });

/** What the user is told about a failed POST. */
const toldOf = (failure: Failure, circumstances?: Circumstances) =>
	told(explain(failure, { method: 'POST', ...circumstances }));
const descriptionOf = (...of: Parameters<typeof toldOf>) => toldOf(...of).description;

// What is said of each outcome: outcomes.test.ts. What of it reaches the user: engine/failures.test.ts.
it.each([
	[7_000, 'It said to wait 7 seconds. Try'],
	[1_000, 'It said to wait 1 second. Try'],
	[1_001, 'It said to wait 2 seconds. Try'],
	[120_000, 'It said to wait 120 seconds. Try'],
	[120_001, 'It said to wait 121 seconds. This node waits at most 120 seconds. Try'],
	[0, 'Try again later.'],
])('with Retry-After, a 429 names the wait: %i ms', (retryAfter, beginning) => {
	expect(descriptionOf(status(429, { retryAfter })).startsWith(beginning)).toBe(true);
	expect(descriptionOf(status(500, { retryAfter }))).toBe(descriptionOf(status(500)));
});

it('the service’s message is quoted verbatim', () => {
	const said = "$& $1 $' {status} {code} {location}";
	expect(descriptionOf(status(418, { serviceMessage: said }))).toContain(`"${said}"`);
	expect(toldOf(status(301, { location: 'http://h/?$&' })).message).toContain('http://h/?$&,');
	expect(descriptionOf(new Failure('broken', { code: '$&' }))).toContain(' $&. ');
});

it.each([
	[new Error('No such item'), 'No such item'],
	['No such item', 'No such item'],
	[Object.assign(new Error(''), { description: '' }), 'Error'],
])('whatever is thrown has words: %j', (error, message) => {
	expect(told(explanationOf(error))).toEqual({
		message,
		description: 'Check the values of this item.',
	});
});

it.each<[what: string, of: Refused, error: Refusal, expected: object]>([
	['an option', 'option', new Refusal('"A" is wrong', 'Mend it.'), { of: 'option' }],
	[
		'a value',
		'values',
		new Refusal('"A" is wrong', 'Mend it.'),
		{ of: 'values', wayOn: 'content' },
	],
	[
		'what says so itself',
		'values',
		new Refusal('"A" is wrong', 'Mend it.', { wayOn: 'none', forSchedulers: null }),
		{ of: 'values', wayOn: 'none', forSchedulers: undefined },
	],
])('a retry meets a refusal of %s again, or not', (_what, of, error, expected) => {
	expect(explanationOf(error, { of })).toEqual({
		...{ message: '"A" is wrong', said: '', whatToDo: 'Mend it.' },
		forSchedulers: { cause: 'configuration-invalid' },
		...expected,
	});
});

describe('a text as HTML', () => {
	it.each([
		['pizza <near me', 'pizza &lt;near me'],
		['bar <!--', 'bar &lt;!--'],
		['AT&T', 'AT&T'],
		['a & b; c', 'a & b; c'],
		['&lt;', '&amp;lt;'],
		['&#60;b>', '&amp;#60;b>'],
		// Also what is escaped already: the editor shows it as it came.
		['&amp;lt;', '&amp;amp;lt;'],
	])('shows %j as it is', (text, html) => {
		expect(asHtml(text)).toBe(html);
		// The way back, as the page names it.
		expect(html.replaceAll('&lt;', '<').replaceAll('&amp;', '&')).toBe(text);
	});
});

describe("the cause for n8n's schedulers", () => {
	it.each<[Failure, object | undefined]>([
		[status(401, { retryAfter: 5_000 }), { cause: 'credential-invalid' }],
		[status(402, { retryAfter: 5_000 }), { cause: 'quota-exhausted', retryAfterMs: 5_000 }],
		[status(429, { retryAfter: 0 }), { cause: 'rate-limited' }],
		[status(429, { retryAfter: 100_000 }), { cause: 'rate-limited', retryAfterMs: 100_000 }],
		[new Failure('abandoned'), undefined],
	])('of %j has the time if waiting helps', (failure, expected) => {
		expect(toldOf(failure).forSchedulers).toEqual(expected);
	});

	it.each<[isTemporary: boolean, ...of: Array<number | Reason>]>([
		[true, 408, 429, 499, 500, 502, 503, 504, 524, 'notConnected', 'timedOut', 'broken'],
		[false, 301, 400, 401, 403, 404, 405, 422, 'noAddress', 'notSecure', 'blocked'],
		[false, 'unexpectedResponse', 'unsuccessful'],
	])('says (%p) whether it passes by itself: %s, %s …', (expected, ...of) => {
		for (const each of of) {
			const failure = typeof each === 'number' ? status(each) : new Failure(each);
			const { forSchedulers } = explain(failure);
			expect([each, isTemporary(forSchedulers, failure.reason)]).toEqual([each, expected]);
		}
	});
});

it.each(Object.keys(OUTCOMES) as Reason[])('%s has a clause and whole sentences', (reason) => {
	for (const method of ['GET', 'POST', 'DELETE']) {
		// A stopped GET is not reported.
		if (reason === 'abandoned' && method === 'GET') continue;
		for (const advice of [undefined, BLACKLIST_NOT_FOUND]) {
			const { message, description } = toldOf(new Failure(reason), { method, advice });
			expect(message).toMatch(/^[A-Z].*[^.\s]$/);
			expect(description).toMatch(/^[A-Z].*[^.]\.$/);
			expect(`${message} ${description}`).not.toMatch(/ {2}|null|NaN|\[object|\n|\{location\}/);
		}
	}
});
