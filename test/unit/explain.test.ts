import { BLACKLIST_NOT_FOUND } from '../../nodes/BusinessListingSearch/resources/blacklist/blacklist';
import { TOO_MANY_REQUESTS_ADVICE } from '../../nodes/BusinessListingSearch/run/form/concurrency';
import {
	CONNECTION_ADVICE,
	PROXY_SETTINGS,
} from '../../nodes/BusinessListingSearch/run/form/requestOptions';
import { type Advice, explain, explanationOf, told } from '../../nodes/shared/errors/explain';
import { type Facts, Failure, Refusal, type Refused } from '../../nodes/shared/errors/failure';
import { OtherRetryInProgress, UnknownOutcome } from '../../nodes/shared/errors/notSent';
import { OUTCOMES, type Reason, reasonOfStatus } from '../../nodes/shared/errors/outcomes';

const status = (statusCode: number, facts: Facts = {}) =>
	new Failure(reasonOfStatus(statusCode, facts.retryAfter), { statusCode, ...facts });

/** Advice from the forms of the node; the trigger, its test and the dropdown have none. */
const ADVICE: Advice = {
	...BLACKLIST_NOT_FOUND,
	...TOO_MANY_REQUESTS_ADVICE,
	...CONNECTION_ADVICE,
};

/** What the user is told about a failure. */
const toldOf = (failure: Failure, method = 'POST', advice?: Advice) =>
	told(explain(failure, { method, advice }));
const descriptionOf = (...of: Parameters<typeof toldOf>) => toldOf(...of).description;

// What is said of each outcome: outcomes.test.ts. What of it reaches the user: engine/failures.test.ts.
it.each<[failure: Failure, method: string, ...named: string[]]>([
	[status(401), 'POST', '"API Key"', '"API Key Format"'],
	[status(402), 'POST', '"Get usage"'],
	[status(407), 'POST', 'HTTP_PROXY'],
	[status(418), 'POST', 'the credential'],
	[status(503, { retryAfter: 200_000 }), 'POST', 'Nothing was carried out.'],
	// A GET sends no values that could be wrong.
	[status(400), 'GET', '"Base URL"', '"API Key Format"'],
	[status(405), 'GET', '"Base URL"', '"API Key Format"'],
	[new Failure('blocked'), 'POST', 'N8N_SSRF_ALLOWED_HOSTNAMES', 'N8N_SSRF_ALLOWED_IP_RANGES'],
	[new Failure('notConnected'), 'POST', '"Base URL"', 'HTTP_PROXY'],
	[new Failure('noAddress'), 'GET', '"Base URL"', 'HTTP_PROXY'],
	[new Failure('notSecure'), 'POST', '"Base URL"'],
])('%j of a %s names what to check', (failure, method, ...named) => {
	const description = descriptionOf(failure, method);
	for (const each of named) expect(description).toContain(each);
});

it.each<[Reason, string]>([
	['notConnected', PROXY_SETTINGS],
	['noAddress', PROXY_SETTINGS],
	['timedOut', '"Timeout" under "Request Options"'],
])('%s names %s only where the form has it', (reason, field) => {
	const form = { method: 'POST', advice: ADVICE, proxy: PROXY_SETTINGS };
	expect(explain(new Failure(reason), form).description).toContain(field);
	expect(descriptionOf(new Failure(reason))).not.toContain('Request Options');
});

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

it('tells a model not to call again what may have been carried out before', () => {
	for (const error of [new UnknownOutcome('It broke.'), new OtherRetryInProgress()]) {
		const { description } = explanationOf(error, { method: 'POST', isTool: true });
		expect(description).toMatch(/may have been carried out\. Do not call the tool again/);
		expect(description).not.toMatch(/run the workflow|list of executions/);
	}
});

it.each([
	[new Error('No such item'), 'No such item'],
	['No such item', 'No such item'],
	[Object.assign(new Error(''), { description: '' }), 'Error'],
])('whatever is thrown has words: %j', (error, message) => {
	const { description } = explanationOf(new Error('No such item'), { method: 'POST' });
	expect(explanationOf(error, { method: 'POST' })).toMatchObject({ message, description });
	expect(description).not.toBe('');
});

it.each<[what: string, error: Refusal, of: Refused, next: string, correct?: string]>([
	['an option', new Refusal('"A" is wrong', 'Mend it.'), 'option', 'retrySaved'],
	['a value', new Refusal('"A" is wrong', 'Mend it.'), 'values', 'continue', 'Mend it.'],
	['the run', new Refusal('"A" is wrong', 'Mend it.', { of: 'run' }), 'values', 'retrySaved'],
	['what says so itself', new Refusal('"A" is wrong', 'Wait.', { next: 'none' }), 'values', 'none'],
])('a refusal of %s is corrected before the rest is sent, or after', (...row) => {
	const [, error, of, next, correct] = row;
	const explanation = explanationOf(error, { method: 'POST', of });
	expect(explanation).toMatchObject({ description: correct ? '' : error.description, next });
	expect(explanation.correct).toBe(correct);
});

describe("the cause for n8n's schedulers", () => {
	const SOMEBODY_ACTS = { cause: 'configuration-invalid' };
	const WAIT = { cause: 'temporarily-unavailable' };
	const of = (expected: object, ...failures: Array<number | Reason>) =>
		failures.map((failure): [Failure, object] => [
			typeof failure === 'number' ? status(failure) : new Failure(failure),
			expected,
		]);

	it.each<[Failure, object | undefined]>([
		[status(401, { retryAfter: 5_000 }), { cause: 'credential-invalid' }],
		...of({ cause: 'credential-invalid' }, 403),
		...of({ cause: 'quota-exhausted' }, 402),
		[status(402, { retryAfter: 5_000 }), { cause: 'quota-exhausted', retryAfterMs: 5_000 }],
		...of({ cause: 'rate-limited' }, 429),
		[status(429, { retryAfter: 0 }), { cause: 'rate-limited' }],
		[status(429, { retryAfter: 100_000 }), { cause: 'rate-limited', retryAfterMs: 100_000 }],
		[status(503, { retryAfter: 5_000 }), { ...WAIT, retryAfterMs: 5_000 }],
		...of(WAIT, 408, 499, 500, 502, 503, 504, 524),
		...of(WAIT, 'noAddress', 'notConnected', 'timedOut', 'broken'),
		...of(SOMEBODY_ACTS, 301, 400, 404, 405, 409, 422),
		...of(SOMEBODY_ACTS, 'unexpectedResponse', 'unsuccessful', 'notSecure', 'blocked'),
		[new Failure('abandoned'), undefined],
	])('of %j', (failure, expected) => {
		expect(explain(failure, { method: 'POST' }).forSchedulers).toEqual(expected);
	});
});

it.each(Object.keys(OUTCOMES) as Reason[])('%s has a clause and whole sentences', (reason) => {
	for (const method of ['GET', 'POST', 'DELETE']) {
		// A stopped GET is not reported.
		if (reason === 'abandoned' && method === 'GET') continue;
		for (const advice of [undefined, ADVICE]) {
			const { message, description } = toldOf(new Failure(reason, {}), method, advice);
			expect(message).toMatch(/^[A-Z].*[^.\s]$/);
			expect(description).toMatch(/^[A-Z].*[^.]\.$/);
			expect(`${message} ${description}`).not.toMatch(/ {2}|null|NaN|\[object|\n|\{location\}/);
		}
	}
});
