import { BusinessListingSearchApi } from '../../credentials/BusinessListingSearchApi.credentials';
import { explain } from '../../nodes/shared/errors/explain';
import { Failure, messageOf, Refusal } from '../../nodes/shared/errors/failure';
import { doubtOf, notSentAfter } from '../../nodes/shared/errors/notSent';
import {
	healthOf,
	isRetried,
	MAYBE,
	OUTCOMES as TABLE,
	reasonOfStatus,
} from '../../nodes/shared/errors/outcomes';
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
	'may be carried out': 'The request may have been carried out: look in your account.',
};

function failureOf(cause: Cause): Failure {
	if ('status' in cause) {
		const { status: statusCode } = cause;
		const retryAfter = parseRetryAfter(cause.retryAfter);
		const facts = { statusCode, serviceMessage: SAID, retryAfter };
		return new Failure(reasonOfStatus(statusCode, retryAfter), facts);
	}
	if ('unconnected' in cause) return new Failure('notConnectedInTime');
	if ('cancelled' in cause) return new Failure('abandoned');
	if ('body' in cause) return failureOfBody(cause.body, cause.contentType);
	const failure = classify('blockedBy' in cause ? thrownByProtection(cause) : thrown(cause));
	expect(failure).toBeInstanceOf(Failure);
	return failure as Failure;
}

function failureOfBody(text: string, contentType?: string): Failure {
	const response: ServiceResponse = {
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

function thisRun({ reason }: Failure, method: string): Consequence['thisRun'] {
	if (TABLE[reason].verdict === 'throttled') return 'all wait';
	return isRetried(reason, method) ? 'again' : 'no';
}

function check(failure: Failure, method: string, { thisRun: happens, told }: Reading): void {
	const { whatToDo } = explain(failure, { method });
	const said = Object.entries(SENTENCES).filter(([, sentence]) => whatToDo.includes(sentence));
	expect({
		thisRun: thisRun(failure, method),
		told: said.map(([name]) => name).join(' and ') || 'advice',
	}).toEqual({ thisRun: happens, told });
}

function checkChange(failure: Failure, expected: Consequence): void {
	for (const method of ['POST', 'DELETE']) check(failure, method, expected);
	const { verdict } = expected;
	expect(TABLE[failure.reason].verdict).toBe(verdict);
	// What is kept for a retry.
	const doubt = verdict === 'reportedFailed' || verdict === 'unknown' ? verdict : undefined;
	expect(['GET', 'POST'].map((method) => doubtOf(failure, method))).toEqual([undefined, doubt]);
}

it('test/support/outcomes.ts has a row for each row and each status of TABLE', () => {
	const reasons = new Set(OUTCOMES.map(({ cause }) => failureOf(cause).reason));
	const statuses = new Set(OUTCOMES.map(({ cause }) => 'status' in cause && cause.status));
	const missing = Object.entries(TABLE).flatMap(([reason, row]) => [
		...(reasons.has(reason as keyof typeof TABLE) ? [] : [reason]),
		...(row.statuses ?? []).filter((status) => !statuses.has(status)),
	]);
	expect(missing).toEqual([]);
});

it('each row of TABLE has a `cause` for the schedulers of n8n', () => {
	const without = Object.entries(TABLE).filter(([, { cause }]) => cause === undefined);
	// Nobody waits for what was stopped.
	expect(without.map(([reason]) => reason)).toEqual(['abandoned']);
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
		if (read) check(failureOf(cause), 'GET', read);
		checkChange(failureOf(cause), change);
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
		checkChange(classify(thrownBefore2(cause as NetworkCause)) as Failure, change);
	});
});

describe('classify', () => {
	const OWN_CAUSE: Error = new Error('Not today');
	OWN_CAUSE.cause = OWN_CAUSE;

	it('knows that nothing was sent to a host name that the resolver calls invalid', () => {
		const error = Object.assign(new Error(), { code: 'EINVAL', syscall: 'getaddrinfo' });
		expect(classify(error)).toMatchObject({ reason: 'noAddress', facts: { code: 'EINVAL' } });
	});

	it('returns a failure and a refusal unchanged', () => {
		const failure = new Failure('abandoned');
		const refusal = new Refusal('No', 'Do.');
		expect(classify(failure)).toBe(failure);
		expect(classify(refusal)).toBe(refusal);
	});

	it('returns a refusal for what n8n or the credential refused, in the words of its first cause', () => {
		const cause = Object.assign(new Error('"API Key" is empty'), { description: 'Enter it.' });
		const refusal = classify(new Error('Of n8n', { cause }));
		expect(refusal).toBeInstanceOf(Refusal);
		expect(refusal).toMatchObject({ message: '"API Key" is empty', description: 'Enter it.' });
	});

	it.each<[thrown: unknown, message: string]>([
		[new Error('Domain not allowed'), 'Domain not allowed'],
		['Not today', 'Not today'],
		[OWN_CAUSE, 'Not today'],
		[new Error(' '), 'The credential could not be used'],
		[{ errors: [], message: '' }, 'The credential could not be used'],
		[undefined, 'The credential could not be used'],
	])('has words for %p', (thrown, message) => {
		const refusal = classify(thrown) as Refusal;
		expect(refusal.message).toBe(message);
		expect(refusal.description).toBe('Check the credential and its settings.');
	});

	it('does not mistake a status for a system code', () => {
		const error = Object.assign(new Error('Of n8n'), { httpCode: '404', code: 404 });
		expect(classify(error)).toBeInstanceOf(Refusal);
	});

	it('uses the outermost code in the chain of causes', () => {
		const { reason, facts } = failureOf({ code: 'ECONNRESET', syscall: 'read' });
		expect({ reason, facts }).toEqual({ reason: 'broken', facts: { code: 'ECONNRESET' } });
		expect(failureOf({})).toMatchObject({ reason: 'broken', facts: {} });
		expect(failureOf({ code: 'ETIMEDOUT' })).toMatchObject({ reason: 'timedOut' });
	});
});

it('only what concerns the input is counted as a failed value of Add Many Items', () => {
	const rejected = OUTCOMES.filter(({ cause }) => TABLE[failureOf(cause).reason].isOfValue);
	expect(rejected.map(({ what }) => what)).toEqual(['400', '409', '422', 'success: false']);
});

/** With these, the same run goes on for no other item of the account. */
it('only a refused key and a used-up allowance concern the rest of the run', () => {
	const concerning = OUTCOMES.filter(({ cause }) => TABLE[failureOf(cause).reason].isOfAccount);
	expect(concerning.map(({ what }) => what)).toEqual(['401', '402']);
});

it('what is not sent after any failure repeats it, and leaves no doubt', () => {
	for (const { cause } of OUTCOMES) {
		const failure = failureOf(cause);
		const { message, description } = notSentAfter(failure);
		expect(message).toMatch(/^Not sent: [a-z]/);
		expect(message).toContain(messageOf(failure).slice(1));
		expect(description).not.toBe('');
		expect(`${message} ${description}`).not.toContain(MAYBE);
	}
});

it('only trouble on the way to the service or in it can pass by itself', () => {
	const saying = (aboutService: string | undefined) =>
		Object.entries(TABLE).flatMap(([reason, outcome]) =>
			outcome.aboutService === aboutService ? reason : [],
		);
	expect(saying('trouble').sort()).toEqual(
		[
			...['broken', 'noAddress', 'notConnected', 'notConnectedInTime', 'serverError'],
			...['notProcessed', 'timedOut'],
		].sort(),
	);
	expect(saying('nothing').sort()).toEqual(['abandoned', 'blocked', 'notSecure', 'refusedByProxy']);
});

it.each([
	// A Timeout below 10 s says nothing about a service that is slow.
	['timedOut', 9_999, 'nothing'],
	['timedOut', 10_000, 'trouble'],
	['notConnectedInTime', 9_999, 'nothing'],
	['notConnectedInTime', 10_000, 'trouble'],
	['tooManyRequests', 1, 'throttled'],
	['unavailable', 1, 'throttled'],
	['rejectedInput', 1, 'answered'],
	['unexpectedResponse', 10_000, 'answered'],
] as const)('%s with a timeout of %i ms: %s', (reason, timeout, health) => {
	expect(healthOf(reason, timeout)).toBe(health);
});
