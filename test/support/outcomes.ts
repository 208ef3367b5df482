import type { Verdict } from '../../nodes/shared/errors/outcomes';

/** What the service or the network did, as plain data. */
export type Cause =
	/** A response with this status; `retryAfter` is the value of its header. */
	| { status: number; retryAfter?: string }
	/** A network error with the codes of Node.js; `attempts` for a host with several addresses. */
	| {
			code?: string;
			syscall?: string;
			attempts?: Array<{ code: string; syscall: string }>;
			/** During the TLS handshake. */
			isSecuring?: boolean;
	  }
	/** The name of the error when n8n's SSRF protection blocks, before or while connecting. */
	| { blockedBy: string; isConnecting: boolean }
	/** A success status with this body. */
	| { body: string; contentType?: string }
	/** The run was cancelled, and the response did not arrive within the grace period. */
	| { cancelled: true };

/** What happens after an outcome, and what the user is told. */
export interface Consequence {
	verdict: Verdict;
	/** Whether the same run retries it; `all wait` when the account decides that. */
	thisRun: 'again' | 'no' | 'all wait';
	/** What the message says about the request; `advice` if only what to do. */
	told: 'run it later' | 'advice' | 'may be carried out';
}

/** The same for a GET, which changes nothing. */
export type Reading = Pick<Consequence, 'thisRun' | 'told'>;

export interface Outcome {
	what: string;
	cause: Cause;
	/** For a GET; undefined when there is no message for one. */
	read: Reading | undefined;
	/** For a POST or a DELETE. */
	change: Consequence;
}

/** What follows for a GET, and for a POST or a DELETE. */
type Pair = [read: Reading, change: Consequence];

const same = (consequence: Consequence): Pair => [consequence, consequence];
const NOT_SENT: Consequence = { verdict: 'notSent', thisRun: 'again', told: 'advice' };
const REJECTED: Consequence = { verdict: 'rejected', thisRun: 'no', told: 'advice' };
const UNKNOWN: Consequence = { verdict: 'unknown', thisRun: 'no', told: 'may be carried out' };
const TRIED_AGAIN: Reading = { thisRun: 'again', told: 'run it later' };

const PAIRS: Record<string, Pair> = {
	'told to wait': same({ verdict: 'throttled', thisRun: 'all wait', told: 'run it later' }),
	rejected: same(REJECTED),
	failed: [TRIED_AGAIN, { ...UNKNOWN, verdict: 'reportedFailed' }],
	'rejected, or unknown': [REJECTED, UNKNOWN],
	unknown: [TRIED_AGAIN, UNKNOWN],
	'not sent': same(NOT_SENT),
	// Nothing was sent, and nothing will change by itself.
	lasting: same({ ...NOT_SENT, thisRun: 'no' }),
};

/**
 * The table of outcomes (design, section 3), written out: a consequence, and the statuses and codes with it, which can
 * all be of something. Told to wait is a service however long, and even if it does not say how long. A proxy that wants
 * a password (407) refused to connect. EPROTO of a write is after the handshake: something in between damaged the data.
 */
const TABLE = `
told to wait: 429
told to wait: 429 503 with Retry-After: 2
told to wait: 429 503 with Retry-After: 86400
told to wait: 429 503 with Retry-After: soon
rejected: 301 302 307 308 400 401 402 403 404 405 409 410 413 418 422 498
rejected: 404 with Retry-After: 2
lasting: 407
failed: 500 501 503 505
failed: 500 with Retry-After: 2
failed: 503 with Retry-After: (blank)
rejected, or unknown: 303
unknown: 408 499 502 504 520 521 522 523 524 525 526 527
unknown: 408 502 520 with Retry-After: 2
not sent: ENOTFOUND EAI_AGAIN EAI_FAIL of getaddrinfo
not sent: ECONNREFUSED EHOSTUNREACH ENETUNREACH ETIMEDOUT EADDRNOTAVAIL ECONNRESET of connect
not sent: ECONNREFUSED ERR_INVALID_URL ERR_INVALID_CHAR
not sent: EHOSTUNREACH+ECONNREFUSED ENETUNREACH+ETIMEDOUT of the addresses of a host
lasting: CERT_HAS_EXPIRED CERT_SIGNATURE_FAILURE DEPTH_ZERO_SELF_SIGNED_CERT INVALID_PURPOSE
lasting: UNABLE_TO_GET_ISSUER_CERT_LOCALLY UNABLE_TO_VERIFY_LEAF_SIGNATURE PATH_LENGTH_EXCEEDED
lasting: ERR_TLS_CERT_ALTNAME_INVALID HOSTNAME_MISMATCH CRL_HAS_EXPIRED
lasting: SsrfBlockedIpError SsrfBlockedHostnameError before connecting
lasting: SsrfBlockedIpError SsrfBlockedHostnameError while connecting
lasting: EPROTO ERR_SSL_WRONG_VERSION_NUMBER ERR_SSL_UNSUPPORTED_PROTOCOL during the handshake
not sent: ECONNRESET EPIPE during the handshake
unknown: EPROTO EPIPE ECONNRESET ECONNABORTED of write
unknown: ETIMEDOUT ECONNRESET of read
unknown: ERR_SSL_WRONG_VERSION_NUMBER ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC ECONNABORTED
unknown: ETIMEDOUT ECONNRESET ERR_BAD_RESPONSE HPE_INVALID_CONSTANT
`;

/** @param of what a status or a code is of, as in the table */
function causeOf(name: string, of: string): Cause {
	if (Number(name)) {
		const [, retryAfter] = of.split('Retry-After: ');
		return { status: Number(name), retryAfter: retryAfter?.replace('(blank)', ' ') };
	}
	if (name.startsWith('Ssrf')) return { blockedBy: name, isConnecting: of.startsWith('while') };
	if (of === 'during the handshake') return { code: name, isSecuring: true };
	const each = name.split('+');
	// What Node.js 20 throws when no address of a host is reachable: without a syscall of its own.
	const attempts = each.map((code) => ({ code, syscall: 'connect' }));
	if (each.length > 1) return { code: each[0], attempts };
	return { code: name, syscall: of === '' ? undefined : of.replace('of ', '') };
}

const outcome = (what: string, cause: Cause, [read, change]: Pair): Outcome => ({
	...{ what, cause, read, change },
});

const JSON_TYPE = 'application/json';

export const OUTCOMES: Outcome[] = [
	...TABLE.trim()
		.split('\n')
		.flatMap((row) => {
			const [, pair, names, of = ''] =
				/^(.*?): ([\w+ ]*?)(?: ((?:with|of|before|while|during) .*))?$/.exec(row)!;
			return names!
				.split(' ')
				.map((name) => outcome(`${name} ${of}`.trim(), causeOf(name, of), PAIRS[pair!]!));
		}),
	outcome('an error without a code', {}, PAIRS.unknown!),
	...Object.entries({
		'a web page': { body: '<html>Hello</html>', contentType: 'text/html' },
		'an empty body': { body: '' },
		'half a response': { body: '{"job_id":"a-', contentType: JSON_TYPE },
		'plain text': { body: 'Thank you', contentType: 'text/plain' },
		'no documented field': { body: '{}', contentType: JSON_TYPE },
		'a list': { body: '["a"]', contentType: JSON_TYPE },
		null: { body: 'null', contentType: JSON_TYPE },
	}).map(([what, cause]) => outcome(what, cause, PAIRS['rejected, or unknown']!)),
	outcome(
		'success: false',
		{ body: '{"success":false,"message":"No such item"}', contentType: JSON_TYPE },
		PAIRS.rejected!,
	),
	{ what: 'a cancelled run', cause: { cancelled: true }, read: undefined, change: UNKNOWN },
];
