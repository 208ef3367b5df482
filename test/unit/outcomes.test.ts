import { BusinessListingSearchApi } from '../../credentials/BusinessListingSearchApi.credentials';
import { Failure } from '../../nodes/shared/errors/failure';
import { notSentAfter } from '../../nodes/shared/errors/notSent';
import {
	healthOf,
	isRetried,
	OUTCOMES as TABLE,
	reasonOfStatus,
} from '../../nodes/shared/errors/outcomes';
import { requestFailure } from '../../nodes/shared/errors/requestFailure';
import { classify } from '../../nodes/shared/errors/thrown';
import {
	unexpectedResponse,
	unsuccessfulResponse,
	type ServiceResponse,
} from '../../nodes/shared/service/response';
import { parseRetryAfter } from '../../nodes/shared/service/retryAfter';
import { OUTCOMES, type Cause, type Consequence, type Reading } from '../support/outcomes';

const SAID = 'No such item';

/** The sentences about what an outcome means for the payment. */
const SENTENCES: Record<Exclude<Consequence['told'], 'advice'>, string> = {
	'run it later': 'Try again later.',
	'may be carried out': 'The request may have been carried out.',
};

function failureOf(cause: Cause, method = 'POST'): Failure {
	if ('status' in cause) {
		const { status: statusCode } = cause;
		const retryAfter = parseRetryAfter(cause.retryAfter);
		const answer = { statusCode, serviceMessage: SAID, retryAfter };
		return requestFailure(reasonOfStatus(statusCode, retryAfter), method, answer);
	}
	if ('cancelled' in cause) return requestFailure('abandoned', method);
	if ('body' in cause) return failureOfBody(cause.body, method, cause.contentType);
	return classify('blockedBy' in cause ? thrownByProtection(cause) : thrown(cause), method);
}

const reasonOf = (cause: Cause) => failureOf(cause).facts.reason!;

function failureOfBody(text: string, method: string, contentType?: string): Failure {
	const response: ServiceResponse = {
		method,
		statusCode: 200,
		contentType,
		body: text,
		isJson: false,
	};
	try {
		Object.assign(response, { body: JSON.parse(text), isJson: true });
	} catch {
		return unexpectedResponse(response, 'JSON');
	}
	const { success } = (response.body ?? {}) as { success?: unknown };
	return success === false
		? unsuccessfulResponse(response)
		: unexpectedResponse(response, 'a "job_id"');
}

type NetworkCause = Extract<Cause, { code?: string }>;
type ProtectionCause = Extract<Cause, { blockedBy: string }>;

/** As thrown by n8n's request helper: its own error wraps axios's, which wraps the system's. */
function thrown({ code, syscall, attempts, isSecuring }: NetworkCause): Error {
	const each = attempts?.map((attempt) => Object.assign(new Error('One of them'), attempt));
	const system = each
		? Object.assign(new AggregateError(each), { code })
		: Object.assign(new Error('Of the system'), { code, syscall });
	const axios = Object.assign(new Error('Of axios', { cause: system }), {
		isAxiosError: true,
		code,
		request: { socket: { secureConnecting: isSecuring === true } },
	});
	return Object.assign(new Error('Of n8n', { cause: axios }), { httpCode: code ?? null });
}

/** As thrown by n8n 2.41: its own error wraps its protection's, inside axios's while connecting. */
function thrownByProtection({ blockedBy, isConnecting }: ProtectionCause): Error {
	const blocked = Object.assign(new Error('Blocked'), { name: blockedBy, ip: '10.0.0.5' });
	const axios = Object.assign(new Error('Blocked', { cause: blocked }), { isAxiosError: true });
	const cause = isConnecting ? axios : blocked;
	return Object.assign(new Error('Of n8n', { cause }), { httpCode: null });
}

/** As thrown by n8n 1.123: without the cause, but with the code and the text. */
function thrownBefore2({ code, syscall, attempts, isSecuring }: NetworkCause): Error {
	const tried = attempts ?? (syscall ? [{ code, syscall }] : []);
	const text = isSecuring
		? 'Client network socket disconnected before secure TLS connection was established'
		: tried.map((each) => `${each.syscall} ${each.code} 127.0.0.1:443`).join(' | ');
	const messages = [text || 'socket hang up', text || 'socket hang up'];
	return Object.assign(new Error('Of n8n'), { httpCode: code, messages });
}

function thisRun({ facts: { reason } }: Failure, method: string): Consequence['thisRun'] {
	if (TABLE[reason!].verdict === 'throttled') return 'all wait';
	return isRetried(reason!, method) ? 'again' : 'no';
}

function check(failure: Failure, method: string, { thisRun: happens, told }: Reading): void {
	const { whatToDo } = failure;
	const said = Object.entries(SENTENCES).filter(([, sentence]) => whatToDo.includes(sentence));
	expect({
		thisRun: thisRun(failure, method),
		told: said.map(([name]) => name).join(' and ') || 'advice',
	}).toEqual({ thisRun: happens, told });
}

function checkChange(failureBy: (method: string) => Failure, expected: Consequence): void {
	const { verdict } = expected;
	// What is kept for a retry.
	const doubt = verdict === 'reportedFailed' || verdict === 'unknown' ? verdict : undefined;
	for (const method of ['POST', 'DELETE']) {
		const failure = failureBy(method);
		check(failure, method, expected);
		expect(TABLE[failure.facts.reason!].verdict).toBe(verdict);
		expect(failure.facts.doubt).toBe(doubt);
	}
	expect(failureBy('GET').facts).toMatchObject({ doubt: undefined, wayOn: 'retry' });
}

it('test/support/outcomes.ts has a row for each row and each status of TABLE', () => {
	const reasons = new Set(OUTCOMES.map(({ cause }) => reasonOf(cause)));
	const statuses = new Set(OUTCOMES.map(({ cause }) => 'status' in cause && cause.status));
	const missing = Object.entries(TABLE).flatMap(([reason, row]) => [
		...(reasons.has(reason as keyof typeof TABLE) ? [] : [reason]),
		...(row.statuses ?? []).filter((status) => !statuses.has(status)),
	]);
	expect(missing).toEqual([]);
});

it('a retry meets again what is about the content of a request, and nothing else', () => {
	const statuses = Array.from({ length: 300 }, (_, index) => 300 + index);
	const content = statuses.filter((each) => TABLE[reasonOfStatus(each, 0)].wayOn === 'content');
	const others = [401, 402, 407, 408, 429, 499];
	expect(content).toEqual(
		statuses.filter((each) => each >= 400 && each < 500 && !others.includes(each)),
	);
	expect(TABLE.unsuccessful.wayOn).toBe('content');
});

it('TESTED of the credential has each status of TABLE that its test can meet', () => {
	const { rules } = new BusinessListingSearchApi().test;
	const told = rules!.map(({ properties: { value } }) => value);
	// Of what is sent with a change, or so rare that n8n's own words are enough.
	const others = [408, 409, 413, 422, 499, 501, 505];
	const statuses = Object.values(TABLE).flatMap((row) => row.statuses ?? []);
	expect(statuses.filter((status) => ![...told, ...others].includes(status))).toEqual([]);
});

describe('the consequence of', () => {
	it.each(OUTCOMES)('$what', ({ cause, read, change }) => {
		if (read) check(failureOf(cause, 'GET'), 'GET', read);
		checkChange((method) => failureOf(cause, method), change);
	});
});

it('any other redirect or 4xx is rejected, and any other 5xx leaves the outcome unknown', () => {
	const listed = OUTCOMES.map(({ cause }) => 'status' in cause && cause.status);
	const others = Array.from({ length: 700 }, (_, index) => 300 + index).filter(
		(statusCode) => !listed.includes(statusCode),
	);
	const verdicts = (from: number, to: number) => [
		...new Set(
			others
				.filter((statusCode) => statusCode >= from && statusCode <= to)
				.map((statusCode) => TABLE[reasonOfStatus(statusCode, undefined)].verdict),
		),
	];
	expect(verdicts(300, 499)).toEqual(['rejected']);
	expect(verdicts(500, 999)).toEqual(['unknown']);
});

describe('an error of n8n 1.123, which keeps only the code and the text', () => {
	// Of the handshake, only the text of one that was cut tells that it was not finished.
	const KNOWN = OUTCOMES.filter(
		({ cause }) =>
			'code' in cause &&
			cause.code !== undefined &&
			(!cause.isSecuring || cause.code === 'ECONNRESET'),
	);
	it.each(KNOWN)('of $what', ({ cause, change }) => {
		checkChange((method) => classify(thrownBefore2(cause as NetworkCause), method), change);
	});
});

describe('classify', () => {
	const OWN_CAUSE: Error = new Error('Not today');
	OWN_CAUSE.cause = OWN_CAUSE;

	it('knows that nothing was sent to a host name that the resolver calls invalid', () => {
		const error = Object.assign(new Error(), { code: 'EINVAL', syscall: 'getaddrinfo' });
		expect(classify(error, 'GET')).toMatchObject({
			facts: { reason: 'noAddress' },
			said: 'System code: EINVAL.',
		});
	});

	it('returns a failure unchanged', () => {
		const failure = new Failure('No', 'Do.');
		expect(classify(failure, 'GET')).toBe(failure);
	});

	it('returns a refusal for what n8n or the credential refused, in the words of its first cause', () => {
		const cause = Object.assign(new Error('"API Key" is empty'), { description: 'Enter it.' });
		const refusal = classify(new Error('Of n8n', { cause }), 'GET');
		expect(refusal.facts.reason).toBeUndefined();
		expect(refusal).toMatchObject({ message: '"API Key" is empty', description: 'Enter it.' });
	});

	it.each<[thrown: unknown, message: string]>([
		[new Error('Domain not allowed'), 'Domain not allowed'],
		['Not today', 'Not today'],
		[OWN_CAUSE, 'Not today'],
		[new Error(' '), 'An error without a message'],
		[{ errors: [], message: '' }, 'An error without a message'],
		[undefined, 'An error without a message'],
	])('has words for %p', (thrown, message) => {
		const refusal = classify(thrown, 'GET');
		expect(refusal.message).toBe(message);
		expect(refusal.description).toBe('Check the credential and its settings.');
	});

	it('does not mistake a status for a system code', () => {
		const error = Object.assign(new Error('Of n8n'), { httpCode: '404', code: 404 });
		expect(classify(error, 'GET').facts.reason).toBeUndefined();
	});

	it('uses the outermost code in the chain of causes', () => {
		const { facts, said } = failureOf({ code: 'ECONNRESET', syscall: 'read' });
		expect([facts.reason, said]).toEqual(['broken', 'System code: ECONNRESET.']);
		expect(failureOf({})).toMatchObject({ facts: { reason: 'broken' }, said: '' });
		expect(reasonOf({ code: 'ETIMEDOUT' })).toBe('timedOut');
	});
});

it('only what concerns the input is counted as a failed value of Add Many Items', () => {
	const rejected = OUTCOMES.filter(({ cause }) => TABLE[reasonOf(cause)].isOfValue);
	expect(rejected.map(({ what }) => what)).toEqual(['400', '409', '422', 'success: false']);
});

/** With these, the same run goes on for no other item of the account. */
it('only a refused key and a used-up allowance concern the rest of the run', () => {
	const concerning = OUTCOMES.filter(({ cause }) => TABLE[reasonOf(cause)].isOfAccount);
	expect(concerning.map(({ what }) => what)).toEqual(['401', '402']);
});

it('what is not sent after any failure repeats it, and leaves no doubt', () => {
	for (const { cause } of OUTCOMES) {
		const failure = failureOf(cause);
		const { message, description, facts } = notSentAfter(failure);
		expect(message).toMatch(/^Not sent: [a-z]/);
		expect(message).toContain(failure.message.slice(1));
		expect(description).not.toBe('');
		expect(`${message} ${description}`).not.toContain('may have been carried out');
		expect(facts.doubt).toBeUndefined();
	}
});

it('only trouble on the way to the service or in it can pass by itself', () => {
	const saying = (aboutService: string | undefined) =>
		Object.entries(TABLE).flatMap(([reason, outcome]) =>
			outcome.aboutService === aboutService ? reason : [],
		);
	expect(saying('trouble').sort()).toEqual(
		[
			...['broken', 'noAddress', 'notConnected', 'serverError'],
			...['notProcessed', 'timedOut'],
		].sort(),
	);
	expect(saying('nothing').sort()).toEqual(['abandoned', 'blocked', 'notSecure', 'refusedByProxy']);
});

it.each([
	// A Timeout below 10 s says nothing about a service that is slow.
	['timedOut', 9_999, 'nothing'],
	['timedOut', 10_000, 'trouble'],
	['tooManyRequests', 1, 'throttled'],
	['unavailable', 1, 'throttled'],
	['rejectedInput', 1, 'answered'],
	['unexpectedResponse', 10_000, 'answered'],
] as const)('%s with a timeout of %i ms: %s', (reason, timeout, health) => {
	expect(healthOf(reason, timeout)).toBe(health);
});
