import fc from 'fast-check';

import { BusinessListingSearchApi } from '../../credentials/BusinessListingSearchApi.credentials';
import { BusinessListingSearch } from '../../nodes/BusinessListingSearch/BusinessListingSearch.node';
import { BLACKLIST_NOT_FOUND } from '../../nodes/BusinessListingSearch/resources/blacklist/blacklist';
import { TOO_MANY_REQUESTS_ADVICE } from '../../nodes/BusinessListingSearch/run/form/concurrency';
import { CONNECTION_ADVICE } from '../../nodes/BusinessListingSearch/run/form/requestOptions';
import { type Advice, explain, explanationOf, told } from '../../nodes/shared/errors/explain';
import { type Facts, Failure, Refusal, type Refused } from '../../nodes/shared/errors/failure';
import { OtherRetryInProgress, UnknownOutcome } from '../../nodes/shared/errors/notSent';
import { OUTCOMES, type Reason, reasonOfStatus } from '../../nodes/shared/errors/outcomes';

const status = (statusCode: number, facts: Facts = {}) =>
	new Failure(reasonOfStatus(statusCode, facts.retryAfter), { statusCode, ...facts });
const connection = (reason: Reason, code = 'ECODE') => new Failure(reason, { code });
const unexpected = (facts: Facts = {}) =>
	new Failure('unexpectedResponse', {
		statusCode: 200,
		expected: 'a "job_id"',
		received: 'application/json without it',
		...facts,
	});
const unsuccessful = (facts: Facts = {}) =>
	new Failure('unsuccessful', { statusCode: 200, ...facts });

/** Advice from the forms of the node. */
const ADVICE: Advice = {
	...BLACKLIST_NOT_FOUND,
	...TOO_MANY_REQUESTS_ADVICE,
	...CONNECTION_ADVICE,
};

/** The words alone. */
function explained(failure: Failure, method = 'POST', attempts = 1, advice?: Advice) {
	failure.attempts = attempts;
	const explanation = explain(failure, { method, advice });
	const { message, description, httpCode } = told(explanation);
	return { message, description, ...(httpCode && { httpCode }) };
}

const MAYBE = 'The request may have been carried out. Check your account before you send it again.';
const NOT_DOCUMENTED =
	'The request may have been carried out. The service does not say whether it was: check your account.';
const SAID = 'The service says: "No such item".';

describe('a status', () => {
	const serviceMessage = 'No such item';

	it.each<[code: number, message: string, description: string | RegExp]>([
		[400, 'The service rejected the input', /Correct the values of this item/],
		[409, 'The service rejected the input', /Correct the values of this item/],
		[422, 'The service rejected the input', /Correct the values of this item/],
		[
			401,
			'The service refused the API key',
			/"API Key" in this credential\. If the key is correct/,
		],
		[403, 'The service refused the API key', /"API Key".* "API Key Format"/],
		[402, 'The request allowance of the account is used up', /run "Get usage"/],
		[
			404,
			'The service could not find what was requested',
			`${SAID} Check "Base URL" in the credential.`,
		],
		[407, 'The proxy refused the request (status 407)', /HTTP_PROXY/],
		[429, 'The service is receiving too many requests', `${SAID} Try again later.`],
		[418, 'The service did not accept the request (status 418)', /and the credential/],
		[408, 'The service could not process the request (status 408)', `${SAID} ${MAYBE}`],
		[499, 'The service could not process the request (status 499)', `${SAID} ${MAYBE}`],
		[500, 'The service could not process the request (status 500)', `${SAID} ${NOT_DOCUMENTED}`],
		[503, 'The service could not process the request (status 503)', `${SAID} ${NOT_DOCUMENTED}`],
		[504, 'The service could not process the request (status 504)', `${SAID} ${MAYBE}`],
		[524, 'The service could not process the request (status 524)', `${SAID} ${MAYBE}`],
	])('of %i', (code, message, description) => {
		const explanation = explained(status(code, { serviceMessage }));
		expect(explanation).toEqual({
			message,
			description:
				typeof description === 'string' ? description : expect.stringMatching(description),
			httpCode: String(code),
		});
		expect(explanation.description.startsWith(`${SAID} `)).toBe(true);
		expect(explained(status(code)).description).not.toContain('The service says');
	});

	it.each([400, 405, 409, 422])(
		'of %i after a GET, which sends no values, points to the credential',
		(code) => {
			expect(explained(status(code), 'GET').description).toBe(
				'Check "Base URL" and "API Key Format" in the credential.',
			);
		},
	);

	it('of a redirect names its target, if any', () => {
		expect(explained(status(301, { location: 'http://127.0.0.1:9/' })).message).toBe(
			'The service responded with a redirect to http://127.0.0.1:9/, which is not followed',
		);
		for (const location of [undefined, '']) {
			expect(explained(status(304, { location })).message).toBe(
				'The service responded with a redirect, which is not followed',
			);
		}
		expect(explained(status(302)).description).toMatch(
			/^A redirect could .* "Base URL" in the cred/,
		);
	});

	it('of 303 says after a change that the result may be elsewhere', () => {
		expect(explained(status(303)).description).toMatch(
			/^A redirect could .*\. The request may have /,
		);
		expect(explained(status(303)).description.endsWith(MAYBE)).toBe(true);
		expect(explained(status(303), 'GET').description).not.toContain(MAYBE);
	});

	it('with Retry-After names the wait and why it was not waited for', () => {
		expect(explained(status(429, { retryAfter: 7_000 })).description).toBe(
			'It said to wait 7 seconds. Try again later.',
		);
		expect(explained(status(429, { retryAfter: 1_000 })).description).toMatch(/wait 1 second\./);
		expect(explained(status(429, { retryAfter: 1_001 })).description).toMatch(/wait 2 seconds\./);
		expect(explained(status(429, { retryAfter: 120_000 })).description).toMatch(
			/^It said to wait 120 seconds\. Try/,
		);
		expect(explained(status(429, { retryAfter: 120_001 })).description).toMatch(
			/^It said to wait 121 seconds. This node waits at most 120 seconds\. Try/,
		);
		for (const retryAfter of [undefined, 0]) {
			expect(explained(status(429, { retryAfter })).description).toBe('Try again later.');
		}
	});

	it('of 503 with Retry-After says that nothing was done', () => {
		expect(explained(status(503, { retryAfter: 200_000, serviceMessage }))).toEqual({
			message: 'The service is temporarily unavailable',
			description: `${SAID} It said to wait 200 seconds. This node waits at most 120 seconds. Nothing was carried out. Try again later.`,
			httpCode: '503',
		});
	});

	it('without Retry-After mentions no wait', () => {
		for (const code of [400, 404, 500, 502]) {
			expect(explained(status(code, { retryAfter: 7_000 }))).toEqual(explained(status(code)));
		}
	});
});

describe('a connection', () => {
	it("that n8n's SSRF protection blocks names the settings of n8n that allow it", () => {
		const { message, description } = explained(new Failure('blocked'), 'POST');
		expect(message).toBe(
			"This address is blocked by n8n's SSRF protection (see N8N_SSRF_ALLOWED_HOSTNAMES)",
		);
		expect(description).toMatch(/^Nothing was sent\. .* N8N_SSRF_ALLOWED_HOSTNAMES/);
		expect(description).toContain('N8N_SSRF_ALLOWED_IP_RANGES');
		expect(description).not.toContain(MAYBE);
	});

	it.each<[Reason, string]>([
		['noAddress', 'The host name of the service was not found'],
		['notConnected', 'Could not connect to the service'],
		['notSecure', 'Could not make a secure connection to the service'],
	])('that was never made (%s) has sent nothing', (what, message) => {
		for (const method of ['GET', 'POST', 'DELETE']) {
			const explanation = explained(connection(what), method);
			expect(explanation.message).toBe(message);
			expect(explanation.description).toMatch(
				/^System code: ECODE\. Nothing was sent\. Check "Base URL" in the cred/,
			);
			if (what !== 'notSecure') expect(explanation.description).toContain('HTTP_PROXY');
			// Only the node has "Request Options"; the trigger, its test and the dropdown have none.
			expect(explanation.description).not.toContain('"Proxy"');
			if (what !== 'notSecure')
				expect(explained(connection(what), method, 1, ADVICE).description).toContain(
					'"Proxy" under "Request Options", or HTTP_PROXY of n8n',
				);
			expect(explanation.description).not.toContain(MAYBE);
			expect(explanation).not.toHaveProperty('httpCode');
		}
	});

	it('that timed out names the timeout, if it can be changed', () => {
		const { message, description } = explained(connection('timedOut'), 'POST', 1, ADVICE);
		expect(message).toBe('The service did not respond in time');
		expect(description).toBe(
			`To wait longer, set a longer "Timeout" under "Request Options" on the Settings tab. ${MAYBE}`,
		);
		expect(explained(connection('timedOut'), 'POST').description).toBe(MAYBE);
		expect(explained(connection('timedOut'), 'GET').description).toBe('Try again later.');
	});

	it('that broke leaves the outcome of a POST or DELETE unknown', () => {
		const { message, description } = explained(connection('broken', 'ECONNRESET'));
		expect(message).toBe('The connection to the service broke before the response was complete');
		expect(description).toBe(`System code: ECONNRESET. ${MAYBE}`);
		expect(explained(new Failure('broken')).description).toBe(MAYBE);
		expect(explained(connection('broken'), 'GET').description).toBe(
			'System code: ECODE. Try again later.',
		);
	});

	it('that was aborted after a cancellation leaves it unknown too', () => {
		expect(explained(new Failure('abandoned'))).toEqual({
			message: 'The execution was stopped before the service responded',
			description: MAYBE,
		});
	});
});

it('an undocumented response names what was expected, what arrived, and what to check', () => {
	expect(explained(unexpected({ serviceMessage: 'No such item' }))).toEqual({
		message: 'The response does not match the documentation of the service',
		description: `Expected a "job_id", received application/json without it. ${SAID} Check "Base URL" in the credential. ${MAYBE}`,
		httpCode: '200',
	});
	expect(explained(unexpected(), 'GET').description).toBe(
		'Expected a "job_id", received application/json without it. Check "Base URL" in the credential.',
	);
});

it('success: false gives the reason, if there is one', () => {
	const reason = explained(unsuccessful({ serviceMessage: 'No such item' }));
	expect(reason).toEqual({
		message: 'The service reported that the request was not successful',
		description: `${SAID} Correct the values of this item.`,
		httpCode: '200',
	});
	expect(explained(unsuccessful()).description).toBe(
		'It gave no reason. Correct the values of this item.',
	);
});

it('several attempts are mentioned first', () => {
	expect(explained(status(429), 'POST', 5).description).toMatch(/^Tried 5 times\. Try again later/);
	expect(explained(status(429), 'POST', 2).description).toMatch(/^Tried 2 times\. /);
	expect(explained(status(429), 'POST', 1).description).not.toContain('Tried');
});

it('advice uses the terms of the form', () => {
	const advised = (failure: Failure) => explained(failure, 'POST', 1, ADVICE).description;
	expect(advised(status(429, { retryAfter: 7_000 }))).toBe(
		'It said to wait 7 seconds. Try again later. If "Concurrency" under "Options" is set, remove it.',
	);
	expect(advised(status(404))).toBe(
		'Check "Base URL" in the credential. Check the name in "Blacklist".',
	);
	expect(advised(status(400))).toBe(explained(status(400)).description);
});

it('the service’s message is quoted verbatim', () => {
	const said = "$& $1 $' {status} {code} {location}";
	expect(explained(status(418, { serviceMessage: said })).description).toContain(`"${said}"`);
	expect(explained(status(301, { location: 'http://h/?$&' })).message).toContain('http://h/?$&,');
	expect(explained(connection('broken', '$&')).description).toContain(' $&. ');
});

describe('explanationOf', () => {
	it('tells a model not to call again what may have been carried out before', () => {
		for (const error of [new UnknownOutcome('It broke.'), new OtherRetryInProgress()]) {
			const { description } = explanationOf(error, { method: 'POST', isTool: true });
			expect(description).toMatch(/may have been carried out\. Do not call the tool again/);
			expect(description).not.toMatch(/run the workflow|list of executions/);
		}
	});

	it('explains a failure, a refusal and any other error', () => {
		const failure = status(404);
		const circumstances = { method: 'GET', advice: ADVICE };
		expect(explanationOf(failure, circumstances)).toEqual(explain(failure, circumstances));
		expect(
			explanationOf(new Refusal('"Keyword" is empty', 'Enter one.'), { method: 'POST' }),
		).toEqual({
			message: '"Keyword" is empty',
			description: 'Enter one.',
			next: 'retry',
			namesAddress: false,
			forSchedulers: { cause: 'configuration-invalid' },
		});
		expect(
			explanationOf(new Refusal('Not sent', 'Look.', { forSchedulers: null }), { method: 'POST' }),
		).toEqual({
			message: 'Not sent',
			description: 'Look.',
			next: 'retry',
			namesAddress: false,
		});
		expect(explanationOf(new Error('No such item'), { method: 'POST' })).toEqual({
			message: 'No such item',
			description: 'Check the values of this item.',
			next: 'retry',
			namesAddress: false,
		});
		expect(explanationOf('No such item', { method: 'POST' }).message).toBe('No such item');
		expect(
			explanationOf(Object.assign(new Error(''), { description: '' }), { method: 'POST' }),
		).toEqual({
			message: 'Error',
			description: 'Check the values of this item.',
			next: 'retry',
			namesAddress: false,
		});
	});
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

	it.each<[Failure, object | undefined]>([
		[status(401, { retryAfter: 5_000 }), { cause: 'credential-invalid' }],
		[status(403), { cause: 'credential-invalid' }],
		[status(402), { cause: 'quota-exhausted' }],
		[status(402, { retryAfter: 5_000 }), { cause: 'quota-exhausted', retryAfterMs: 5_000 }],
		[status(429), { cause: 'rate-limited' }],
		[status(429, { retryAfter: 0 }), { cause: 'rate-limited' }],
		[status(429, { retryAfter: 100_000 }), { cause: 'rate-limited', retryAfterMs: 100_000 }],
		[status(503, { retryAfter: 5_000 }), { ...WAIT, retryAfterMs: 5_000 }],
		...[408, 499, 500, 502, 503, 504, 524].map((code): [Failure, object] => [status(code), WAIT]),
		...[301, 400, 404, 405, 409, 422].map((code): [Failure, object] => [
			status(code),
			SOMEBODY_ACTS,
		]),
		[unexpected(), SOMEBODY_ACTS],
		[unsuccessful(), SOMEBODY_ACTS],
		[connection('noAddress'), WAIT],
		[connection('notConnected'), WAIT],
		[connection('notSecure'), SOMEBODY_ACTS],
		[connection('blocked'), SOMEBODY_ACTS],
		[connection('timedOut'), WAIT],
		[connection('broken'), WAIT],
		[new Failure('abandoned'), undefined],
	])('of %j', (failure, expected) => {
		expect(explain(failure, { method: 'POST' }).forSchedulers).toEqual(expected);
	});
});

/** Every label in the forms of the node, of the credential and of n8n. */
function labels(): Set<string> {
	const found = new Set(['Request Options', 'Timeout', 'Proxy', 'Get usage']);
	const collect = (part: unknown): void => {
		if (typeof part !== 'object' || part === null) return;
		const { displayName } = part as { displayName?: unknown };
		if (typeof displayName === 'string') found.add(displayName);
		Object.values(part).forEach(collect);
	};
	collect(new BusinessListingSearch().description.properties);
	collect(new BusinessListingSearchApi().properties);
	return found;
}

describe('every explanation', () => {
	const serviceMessage = fc.option(fc.constant('No such item'), { nil: undefined });
	const reasons = Object.keys(OUTCOMES) as Reason[];
	const answered = fc.record({
		statusCode: fc.oneof(fc.integer({ min: 300, max: 599 }), fc.constantFrom(401, 429, 503)),
		serviceMessage,
		location: fc.option(fc.webUrl(), { nil: undefined }),
		retryAfter: fc.option(fc.nat(4_000_000), { nil: undefined }),
	});
	const withoutStatus = fc.record({
		code: fc.option(fc.constantFrom('ECONNREFUSED', 'EAI_AGAIN'), { nil: undefined }),
		serviceMessage,
	});
	const read = fc.record({
		serviceMessage,
		expected: fc.constantFrom('JSON', 'a list of blacklists'),
		received: fc.constantFrom('text/html', 'a response without a content type'),
	});
	const failures = fc.oneof(
		answered.map(({ statusCode, ...facts }) => status(statusCode, facts)),
		fc
			.tuple(fc.constantFrom(...reasons), withoutStatus)
			.filter(([reason]) => !OUTCOMES[reason].message.includes('{status}'))
			.map(([reason, facts]) => new Failure(reason, facts)),
		read.map(unexpected),
		read.map(({ serviceMessage }) => unsuccessful({ serviceMessage })),
	);
	const blaming = /\b(errors?|problems?|failures?|failed|mistakes?)\b/i;
	const known = labels();

	it('is a clause and whole sentences in the words of the form, with what the service says', () => {
		fc.assert(
			fc.property(
				failures,
				fc.constantFrom('GET', 'POST', 'DELETE'),
				fc.integer({ min: 1, max: 5 }),
				fc.constantFrom(undefined, ADVICE),
				(failure, method, attempts, advice) => {
					// A stopped GET is not reported.
					fc.pre(failure.reason !== 'abandoned' || method !== 'GET');
					const { message, description, httpCode } = explained(failure, method, attempts, advice);
					expect(message).toMatch(/^[A-Z].*[^.\s]$/);
					expect(description).toMatch(/^[A-Z].*[^.]\.$/);
					const text = `${message.replace(/https?:\S+/, 'there,')} ${description}`;
					expect(text).not.toMatch(/ {2}|undefined|null|NaN|\[object|\n/);
					expect(text).not.toMatch(blaming);
					for (const label of text.replaceAll(SAID, '').match(/"[^"]*"/g) ?? []) {
						expect(known).toContain(label.slice(1, -1));
					}
					const { statusCode, serviceMessage: said } = failure.facts;
					expect(description.includes(SAID)).toBe(said !== undefined);
					expect(httpCode).toBe(statusCode === undefined ? undefined : String(statusCode));
				},
			),
			{ numRuns: 100 },
		);
	});
});
