import fc from 'fast-check';

import { BusinessListingSearchApi } from '../../credentials/BusinessListingSearchApi.credentials';
import { BusinessListingSearch } from '../../nodes/BusinessListingSearch/BusinessListingSearch.node';
import { explain } from '../../nodes/BusinessListingSearch/transport/explain';
import { Failure, type Trouble } from '../../nodes/BusinessListingSearch/transport/failure';

type Status = Trouble & { kind: 'status' };

const status = (statusCode: number, more: Partial<Status> = {}): Trouble => ({
	kind: 'status',
	statusCode,
	...more,
});
const broken = (code: string, sent: boolean): Trouble => ({
	kind: 'connection',
	code,
	sent,
	isLasting: false,
});
const shape = (more: Partial<Trouble & { kind: 'shape' }> = {}): Trouble => ({
	kind: 'shape',
	statusCode: 200,
	expected: 'a "job_id"',
	received: 'application/json without it',
	...more,
});

function explained(trouble: Trouble, method = 'POST', tries = 1) {
	const failure = new Failure(trouble);
	failure.tries = tries;
	return explain(failure, method);
}

const MAYBE = 'The request may have been carried out: check your account before you send it again.';
const SAID = 'The service says: "So it is".';

describe('a status', () => {
	const serviceMessage = 'So it is';

	it.each<[code: number, message: string, description: RegExp]>([
		[400, 'The service rejected the input', /Check the values of this item/],
		[409, 'The service rejected the input', /Check the values of this item/],
		[422, 'The service rejected the input', /Check the values of this item/],
		[401, 'The service refused the API key', /"API Key" .* "API Key Format"/],
		[403, 'The service refused the API key', /"API Key" .* "API Key Format"/],
		[402, 'The request allowance of the account is used up', /Usage shows what remains/],
		[404, 'The service did not find what was asked for', /"Blacklist" .* "Base URL"/],
		[429, 'The service is receiving too many requests', /lower "Concurrency" under "Options"/],
		[418, 'The service did not accept the request (status 418)', /and the credential/],
		[500, 'The service could not process the request (status 500)', /may have been carried out/],
		[504, 'The service could not process the request (status 504)', /may have been carried out/],
	])('of %i', (code, message, whatToDo) => {
		const explanation = explained(status(code, { serviceMessage }));
		expect(explanation).toEqual({
			message,
			description: expect.stringMatching(whatToDo),
			httpCode: String(code),
		});
		expect(explanation.description.startsWith(`${SAID} `)).toBe(true);
		expect(explained(status(code)).description).not.toContain('The service says');
	});

	it('of a redirect names its target, if it has one', () => {
		expect(explained(status(301, { location: 'http://127.0.0.1:9/' })).message).toBe(
			'The service answered with a redirect to http://127.0.0.1:9/, which is not followed',
		);
		expect(explained(status(304)).message).toBe(
			'The service answered with a redirect, which is not followed',
		);
		expect(explained(status(302)).description).toMatch(/^Following it .* "Base URL"/);
	});

	it('of the service leaves a GET without consequence', () => {
		expect(explained(status(500), 'GET').description).toBe('Run this again later.');
		expect(explained(status(500), 'POST').description).toBe(MAYBE);
		expect(explained(status(503), 'DELETE').description).toBe(MAYBE);
	});

	it('that asks to come again later says how long, and what was not waited for', () => {
		expect(explained(status(429, { retryAfter: 7_000 })).description).toBe(
			'It asked to wait 7 seconds. Run this again later, or lower "Concurrency" under "Options".',
		);
		expect(explained(status(429, { retryAfter: 1_001 })).description).toMatch(/wait 2 seconds\./);
		expect(explained(status(429, { retryAfter: 120_000 })).description).toMatch(
			/^It asked to wait 120 seconds\. Run/,
		);
		expect(explained(status(429, { retryAfter: 120_001 })).description).toMatch(
			/^It asked to wait 121 seconds; more than 120 are not waited for\. Run/,
		);
		expect(explained(status(429)).description).toMatch(/^Run this again later/);
	});

	it('of 503 that asks to come again later did nothing else', () => {
		expect(explained(status(503, { retryAfter: 200_000, serviceMessage }))).toEqual({
			message: 'The service is not available for now',
			description: `${SAID} It asked to wait 200 seconds; more than 120 are not waited for. It asked to come again later. Nothing was carried out. Run this again later.`,
			httpCode: '503',
		});
	});
});

describe('a connection', () => {
	it.each([
		['ECONNREFUSED', /^No connection to the service could be made \(ECONNREFUSED\)$/],
		['EHOSTUNREACH', /^No connection to the service could be made \(EHOSTUNREACH\)$/],
		['ENOTFOUND', /^The address of the service was not found \(ENOTFOUND\)$/],
		['EAI_AGAIN', /^The address of the service was not found \(EAI_AGAIN\)$/],
		['CERT_HAS_EXPIRED', /^No secure connection to the service could be made \(CERT_HAS_EXPIRED\)/],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /^No secure connection/],
		['ERR_SSL_WRONG_VERSION_NUMBER', /^No secure connection/],
		['ERR_TLS_CERT_ALTNAME_INVALID', /^No secure connection/],
		['EPROTO', /^No secure connection/],
	])('that was never made (%s) has sent nothing', (code, message) => {
		for (const method of ['GET', 'POST', 'DELETE']) {
			const explanation = explained(broken(code, false), method);
			expect(explanation.message).toMatch(message);
			expect(explanation.description).toMatch(/^Nothing was sent\. Check "Base URL" in the cred/);
			expect(explanation.httpCode).toBeUndefined();
		}
	});

	it.each(['ETIMEDOUT', 'ECONNABORTED', 'ESOCKETTIMEDOUT', 'ERR_TIMEOUT'])(
		'on which no answer came in time (%s) names the time that can be changed',
		(code) => {
			const { message, description } = explained(broken(code, true));
			expect(message).toBe('The service did not answer in time');
			expect(description).toBe(
				`${MAYBE} The time can be changed with "Timeout" under "Request Options".`,
			);
			expect(explained(broken(code, true), 'GET').description).toMatch(/^Run this again later\./);
		},
	);

	it('that broke leaves open what became of a request that changes something', () => {
		const { message, description } = explained(broken('ECONNRESET', true));
		expect(message).toBe(
			'The connection to the service broke before its answer was complete (ECONNRESET)',
		);
		expect(description).toBe(MAYBE);
		expect(explained(broken('ECONNRESET', true), 'GET').description).toBe('Run this again later.');
	});
});

it('an answer of a wrong shape names what was expected, what came, and what to check', () => {
	expect(explained(shape({ serviceMessage: 'So it is' }))).toEqual({
		message: 'The answer is not the one the service documents',
		description: `Expected a "job_id", received application/json without it. ${SAID} Check "Base URL" in the credential. ${MAYBE}`,
		httpCode: '200',
	});
	expect(explained(shape(), 'GET').description).toBe(
		'Expected a "job_id", received application/json without it. Check "Base URL" in the credential.',
	);
});

it('an answer of success: false gives the reason, if there is one', () => {
	const reason = explained({ kind: 'unsuccessful', statusCode: 200, serviceMessage: 'So it is' });
	expect(reason).toEqual({
		message: 'The service reported that the call did not succeed',
		description: `${SAID} Check the values of this item.`,
		httpCode: '200',
	});
	expect(explained({ kind: 'unsuccessful', statusCode: 200 }).description).toBe(
		'It gave no reason. Check the values of this item.',
	);
});

it('what was tried more than once says so first', () => {
	expect(explained(status(429), 'POST', 5).description).toMatch(/^Tried 5 times\. Run this again/);
	expect(explained(status(429), 'POST', 1).description).not.toContain('Tried');
});

/** Every label a person can find in the forms of the node and the credential, and in n8n's own. */
function labels(): Set<string> {
	const found = new Set(['Request Options', 'Timeout']);
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

describe('whatever happened', () => {
	const serviceMessage = fc.option(fc.constant('So it is'), { nil: undefined });
	const troubles: fc.Arbitrary<Trouble> = fc.oneof(
		fc.record({
			kind: fc.constant('status' as const),
			statusCode: fc.oneof(fc.integer({ min: 300, max: 599 }), fc.constantFrom(401, 429, 503)),
			serviceMessage,
			location: fc.option(fc.webUrl(), { nil: undefined }),
			retryAfter: fc.option(fc.nat(4_000_000), { nil: undefined }),
		}),
		fc.record({
			kind: fc.constant('connection' as const),
			code: fc.constantFrom(
				'ECONNREFUSED',
				'ECONNRESET',
				'ENOTFOUND',
				'EAI_AGAIN',
				'ETIMEDOUT',
				'EPROTO',
				'CERT_HAS_EXPIRED',
				'EPIPE',
			),
			sent: fc.boolean(),
			isLasting: fc.boolean(),
		}),
		fc.record({
			kind: fc.constant('shape' as const),
			statusCode: fc.constant(200),
			expected: fc.constantFrom('JSON', 'a short answer', 'a list of blacklists'),
			received: fc.constantFrom('text/html', 'more than 10 MB', 'an answer without a content type'),
			serviceMessage,
		}),
		fc.record({
			kind: fc.constant('unsuccessful' as const),
			statusCode: fc.constant(200),
			serviceMessage,
		}),
	);
	const always = (check: (explanation: ReturnType<typeof explain>, trouble: Trouble) => void) => {
		fc.assert(
			fc.property(
				troubles,
				fc.constantFrom('GET', 'POST', 'DELETE'),
				fc.integer({ min: 1, max: 5 }),
				(trouble, method, tries) => check(explained(trouble, method, tries), trouble),
			),
			{ numRuns: 2_000 },
		);
	};

	it('says what happened and what to do, in the words of a person who uses the form', () => {
		const blaming = /\b(errors?|problems?|failures?|failed|mistakes?)\b/i;
		always(({ message, description }) => {
			expect(message.replace(/https?:\S+/, '')).not.toMatch(blaming);
			expect(description).not.toMatch(blaming);
		});
	});

	it('is a clause that can be quoted, and whole sentences', () => {
		always(({ message, description }) => {
			expect(message).toMatch(/^[A-Z].*[^.\s]$/);
			expect(description).toMatch(/^[A-Z].*[^.]\.$/);
			for (const text of [message, description]) {
				expect(text).not.toMatch(/ {2}|undefined|null|NaN|\[object|\n/);
			}
		});
	});

	it('names only labels that are in the forms, in quotes', () => {
		const known = labels();
		always(({ message, description }) => {
			const quoted = `${message} ${description}`.replaceAll(SAID, '').match(/"[^"]*"/g);
			for (const label of quoted ?? []) expect(known).toContain(label.slice(1, -1));
		});
	});

	it('carries the status, if there was one, as n8n calls it', () => {
		always(({ httpCode }, trouble) => {
			expect(httpCode).toBe('statusCode' in trouble ? String(trouble.statusCode) : undefined);
		});
	});

	it('always includes what the service said', () => {
		always(({ description }, trouble) => {
			const said = 'serviceMessage' in trouble && trouble.serviceMessage !== undefined;
			expect(description.includes(SAID)).toBe(said);
		});
	});

	it('warns of a second payment exactly where the first may have been made', () => {
		fc.assert(
			fc.property(troubles, fc.constantFrom('GET', 'POST', 'DELETE'), (trouble, method) => {
				const isOpen =
					trouble.kind === 'shape' ||
					(trouble.kind === 'connection' && trouble.sent) ||
					(trouble.kind === 'status' &&
						trouble.statusCode >= 500 &&
						!(trouble.statusCode === 503 && trouble.retryAfter !== undefined));
				expect(explained(trouble, method).description.includes(MAYBE)).toBe(
					isOpen && method !== 'GET',
				);
			}),
			{ numRuns: 2_000 },
		);
	});
});
