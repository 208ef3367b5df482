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

const NOT_SENT: Consequence = { verdict: 'notSent', thisRun: 'again', told: 'advice' };
/** Nothing was sent, and nothing will change by itself. */
const LASTING: Consequence = { ...NOT_SENT, thisRun: 'no' };
const TOLD_TO_WAIT: Consequence = {
	verdict: 'throttled',
	thisRun: 'all wait',
	told: 'run it later',
};
const REJECTED: Consequence = { verdict: 'rejected', thisRun: 'no', told: 'advice' };
const FAILED: Consequence = {
	verdict: 'reportedFailed',
	thisRun: 'no',
	told: 'may be carried out',
};
const UNKNOWN: Consequence = { verdict: 'unknown', thisRun: 'no', told: 'may be carried out' };
const TRIED_AGAIN: Reading = { thisRun: 'again', told: 'run it later' };

type Pair = [read: Reading | undefined, change: Consequence];

function statuses(numbers: number[], [read, change]: Pair, retryAfter?: string): Outcome[] {
	const more = retryAfter === undefined ? '' : ` with Retry-After: ${retryAfter}`;
	return numbers.map((status) => ({
		what: `${status}${more}`,
		cause: { status, retryAfter },
		read,
		change,
	}));
}

function codes(names: string[], syscall: string | undefined, [read, change]: Pair): Outcome[] {
	return names.map((code) => ({
		what: syscall === undefined ? code : `${code} of ${syscall}`,
		cause: { code, syscall },
		read,
		change,
	}));
}

function securing(names: string[], consequence: Consequence): Outcome[] {
	return names.map((code) => ({
		what: `${code} during the handshake`,
		cause: { code, isSecuring: true },
		read: consequence,
		change: consequence,
	}));
}

/** Blocked by n8n's SSRF protection. */
function blocked(blockedBy: string, isConnecting: boolean): Outcome {
	return {
		what: `${blockedBy} ${isConnecting ? 'while connecting' : 'before connecting'}`,
		cause: { blockedBy, isConnecting },
		read: LASTING,
		change: LASTING,
	};
}

/** What Node.js 20 throws when no address of a host is reachable: without a syscall of its own. */
function attempts(...names: string[]): Outcome {
	return {
		what: `${names.join(' and ')} of the addresses of a host`,
		cause: { code: names[0], attempts: names.map((code) => ({ code, syscall: 'connect' })) },
		read: NOT_SENT,
		change: NOT_SENT,
	};
}

const JSON_TYPE = 'application/json';

/** The table of outcomes (design, section 3), written out. */
export const OUTCOMES: Outcome[] = [
	...statuses([429], [TOLD_TO_WAIT, TOLD_TO_WAIT]),
	// However long, and even if it does not say how long.
	...statuses([429, 503], [TOLD_TO_WAIT, TOLD_TO_WAIT], '2'),
	...statuses([429, 503], [TOLD_TO_WAIT, TOLD_TO_WAIT], '86400'),
	...statuses([429, 503], [TOLD_TO_WAIT, TOLD_TO_WAIT], 'soon'),

	...statuses([301, 302, 307, 308], [REJECTED, REJECTED]),
	...statuses([400, 401, 402, 403, 404, 405, 409, 410, 413, 418, 422, 498], [REJECTED, REJECTED]),
	...statuses([404], [REJECTED, REJECTED], '2'),
	// A proxy that wants a password refused to connect.
	...statuses([407], [LASTING, LASTING]),

	...statuses([500, 501, 503, 505], [TRIED_AGAIN, FAILED]),
	...statuses([500], [TRIED_AGAIN, FAILED], '2'),
	...statuses([503], [TRIED_AGAIN, FAILED], ' '),

	...statuses([303], [REJECTED, UNKNOWN]),
	...statuses([408, 499], [TRIED_AGAIN, UNKNOWN]),
	...statuses([502, 504], [TRIED_AGAIN, UNKNOWN]),
	...statuses([520, 521, 522, 523, 524, 525, 526, 527], [TRIED_AGAIN, UNKNOWN]),
	...statuses([408, 502, 520], [TRIED_AGAIN, UNKNOWN], '2'),

	...codes(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL'], 'getaddrinfo', [NOT_SENT, NOT_SENT]),
	...codes(
		['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'EADDRNOTAVAIL', 'ECONNRESET'],
		'connect',
		[NOT_SENT, NOT_SENT],
	),
	...codes(['ECONNREFUSED', 'ERR_INVALID_URL', 'ERR_INVALID_CHAR'], undefined, [
		NOT_SENT,
		NOT_SENT,
	]),
	attempts('EHOSTUNREACH', 'ECONNREFUSED'),
	attempts('ENETUNREACH', 'ETIMEDOUT'),

	...codes(
		[
			'CERT_HAS_EXPIRED',
			'CERT_SIGNATURE_FAILURE',
			'DEPTH_ZERO_SELF_SIGNED_CERT',
			'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
			'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
			'ERR_TLS_CERT_ALTNAME_INVALID',
			'INVALID_PURPOSE',
			'PATH_LENGTH_EXCEEDED',
			'HOSTNAME_MISMATCH',
			'CRL_HAS_EXPIRED',
		],
		undefined,
		[LASTING, LASTING],
	),
	blocked('SsrfBlockedIpError', false),
	blocked('SsrfBlockedIpError', true),
	blocked('SsrfBlockedHostnameError', false),
	blocked('SsrfBlockedHostnameError', true),

	...securing(['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_UNSUPPORTED_PROTOCOL'], LASTING),
	...securing(['ECONNRESET', 'EPIPE'], NOT_SENT),
	// After the handshake: something in between damaged the data in flight.
	...codes(['EPROTO'], 'write', [TRIED_AGAIN, UNKNOWN]),
	...codes(
		['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC'],
		undefined,
		[TRIED_AGAIN, UNKNOWN],
	),

	...codes(['ETIMEDOUT', 'ECONNRESET'], 'read', [TRIED_AGAIN, UNKNOWN]),
	...codes(['EPIPE', 'ECONNRESET', 'ECONNABORTED'], 'write', [TRIED_AGAIN, UNKNOWN]),
	...codes(
		['ECONNABORTED', 'ETIMEDOUT', 'ECONNRESET', 'ERR_BAD_RESPONSE', 'HPE_INVALID_CONSTANT'],
		undefined,
		[TRIED_AGAIN, UNKNOWN],
	),
	{ what: 'an error without a code', cause: {}, read: TRIED_AGAIN, change: UNKNOWN },

	...[
		{ what: 'a web page', cause: { body: '<html>Hello</html>', contentType: 'text/html' } },
		{ what: 'an empty body', cause: { body: '' } },
		{ what: 'half a response', cause: { body: '{"job_id":"a-', contentType: JSON_TYPE } },
		{ what: 'plain text', cause: { body: 'Thank you', contentType: 'text/plain' } },
		{ what: 'no documented field', cause: { body: '{}', contentType: JSON_TYPE } },
		{ what: 'a list', cause: { body: '["a"]', contentType: JSON_TYPE } },
		{ what: 'null', cause: { body: 'null', contentType: JSON_TYPE } },
	].map((outcome) => ({ ...outcome, read: REJECTED, change: UNKNOWN })),
	{
		what: 'success: false',
		cause: { body: '{"success":false,"message":"No such item"}', contentType: JSON_TYPE },
		read: REJECTED,
		change: REJECTED,
	},
	{ what: 'a cancelled run', cause: { cancelled: true }, read: undefined, change: UNKNOWN },
];
