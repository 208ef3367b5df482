import { OVERDUE } from '../time/timeLimits';

/**
 * What a failed POST or DELETE means for the user who pays for it. A GET changes nothing, so it can always
 * be sent again.
 *
 * - `notSent`: the service never received it
 * - `throttled`: the service asked to retry later, and did nothing
 * - `rejected`: the service answered, and did nothing
 * - `reportedFailed`: the service itself reports a failure; whether to repeat a change is the user's decision
 * - `unknown`: it may have been carried out
 */
export type Verdict = 'notSent' | 'throttled' | 'rejected' | 'reportedFailed' | 'unknown';

/**
 * What the end of a request says about the service:
 *
 * - `answered`: it answers, whatever it says
 * - `throttled`: it asked to wait
 * - `trouble`: it failed or timed out, or the connection was refused or broke
 * - `nothing`
 */
export type Health = 'answered' | 'throttled' | 'trouble' | 'nothing';

/**
 * What sends the rest of a run, with each request once:
 *
 * - `retry`: n8n's Retry
 * - `content`: a field or the item is wrong, so a retry meets it again
 * - `log`: n8n lost what was done; the log of its server says how to go on
 * - `none`: nothing, because another retry is sending it
 */
export type WayOn = 'retry' | 'content' | 'log' | 'none';

/** Whether a failed request may have been carried out: its outcome is unknown, or the service says that it failed. */
export type Doubt = 'reportedFailed' | 'unknown';

/** Said where sending again could pay twice. Workflows look for these words. */
export const MAYBE = 'may have been carried out';

interface Outcome {
	/** What identifies it, where that alone decides: the status, or the system's code of an error. */
	statuses?: readonly number[];
	codes?: RegExp;
	verdict: Verdict;
	/** What it says about the service; by default, that it answers. One that asked to wait has none. */
	aboutService?: 'trouble' | 'nothing';
	/** What happened; `{status}` and `{location}` are filled in. */
	message: string;
	/** What to do about it, true for a person and a model, in the node, the trigger and the test of the credential. */
	whatToDo?: string;
	/** By default n8n's Retry. */
	wayOn?: WayOn;
	/** Whether it concerns the whole account: the rest of the run is not sent. */
	isOfAccount?: true;
	/** Whether it is about this value alone: Add Many Items sends the others. */
	isOfValue?: true;
}

const TROUBLE = { aboutService: 'trouble' } as const;
const NOT_SENT = { verdict: 'notSent', ...TROUBLE } as const;
/** Trying again does not help until somebody changes a certificate, or a setting of n8n. */
const NEVER_SENT = {
	verdict: 'notSent',
	aboutService: 'nothing',
} as const;
const REJECTED = { verdict: 'rejected' } as const;
const CONTENT_REJECTED = { ...REJECTED, wayOn: 'content' } as const;
const UNKNOWN = { verdict: 'unknown', ...TROUBLE } as const;

const REFUSED_KEY = {
	verdict: 'rejected',
	message: 'The service refused the API key',
} as const;
const REDIRECT = {
	...REJECTED,
	message: 'The service responded with a redirect{location}, which is not followed',
} as const;
const NOT_PROCESSED = 'The service could not process the request (status {status})';

const TABLE = {
	// Nothing was sent.
	noAddress: {
		codes: /^(ENOTFOUND|EAI_[A-Z]+)$/,
		...NOT_SENT,
		message: 'The host name of the service was not found',
		whatToDo:
			'Check "Base URL" in the credential, and that n8n can resolve host names. Behind a proxy, check HTTP_PROXY of n8n, and "Proxy" if the node has one.',
	},
	notConnected: {
		codes: /^(ECONNREFUSED|ERR_INVALID_URL|ERR_INVALID_CHAR)$/,
		...NOT_SENT,
		message: 'Could not connect to the service',
		whatToDo:
			'Check "Base URL" in the credential, and that n8n can reach the service. Behind a proxy, check HTTP_PROXY of n8n, and "Proxy" if the node has one.',
	},
	refusedByProxy: {
		statuses: [407],
		...NEVER_SENT,
		message: 'Could not connect to the service',
		whatToDo:
			'Check the user name and the password in HTTP_PROXY of n8n, and in "Proxy" if the node has one.',
	},
	notSecure: {
		codes: /CERT|SIGNATURE|CRL|ISSUER|HOSTNAME_MISMATCH|PATH_LENGTH|^INVALID_(CA|PURPOSE)$/,
		...NEVER_SENT,
		message: 'Could not make a secure connection to the service',
		whatToDo:
			'Check "Base URL" in the credential. n8n does not trust the certificate of this address, or the service expects http://, not https://.',
	},
	blocked: {
		...NEVER_SENT,
		message: "This address is blocked by n8n's SSRF protection (see N8N_SSRF_ALLOWED_HOSTNAMES)",
		whatToDo:
			'To allow an address in your own network, set N8N_SSRF_ALLOWED_HOSTNAMES (a host name) or N8N_SSRF_ALLOWED_IP_RANGES (e.g. 10.0.0.5/32), and restart n8n.',
	},

	// The service asked to wait.
	tooManyRequests: {
		statuses: [429],
		verdict: 'throttled',
		message: 'The service is receiving too many requests',
		whatToDo: 'Try again later. If "Concurrency" is set, remove it.',
	},
	unavailable: {
		verdict: 'throttled',
		message: 'The service is temporarily unavailable',
		whatToDo: 'Try again later.',
	},

	// The service answered, and did nothing.
	rejectedInput: {
		statuses: [400, 409, 422],
		...CONTENT_REJECTED,
		isOfValue: true,
		message: 'The service rejected the input',
	},
	refusedKey: {
		statuses: [401],
		...REFUSED_KEY,
		whatToDo:
			'Check "API Key" and "API Key Format" in the credential. A firewall or a proxy can refuse a request, too.',
		isOfAccount: true,
	},
	// It can be about this request alone, so the rest of the run is sent.
	forbidden: {
		statuses: [403],
		...REFUSED_KEY,
		whatToDo: 'Check "API Key", "API Key Format" and firewalls.',
		wayOn: 'content',
	},
	allowanceUsedUp: {
		statuses: [402],
		verdict: 'rejected',
		message: 'The request allowance of the account is used up',
		whatToDo: 'Wait until the allowance is renewed, or choose a larger plan.',
		isOfAccount: true,
	},
	notFound: {
		statuses: [404],
		...CONTENT_REJECTED,
		message: 'The service could not find what was requested',
		whatToDo: 'Check "Base URL" in the credential, and "Blacklist" if there is one.',
	},
	notAccepted: {
		...CONTENT_REJECTED,
		message: 'The service did not accept the request (status {status})',
	},
	unsuccessful: {
		...CONTENT_REJECTED,
		isOfValue: true,
		message: 'The service reported that the request was not successful',
		whatToDo: 'Check "Blacklist", and "Value" if there is one.',
	},
	redirect: {
		...REDIRECT,
		whatToDo:
			'A redirect could send the key to another address. If the service has moved, enter its new address in "Base URL" in the credential.',
	},

	// The service itself reports its failure.
	serverError: {
		statuses: [500, 501, 503, 505],
		verdict: 'reportedFailed',
		...TROUBLE,
		message: NOT_PROCESSED,
	},

	// Something in between answered or timed out, or nothing arrived that can be read.
	notProcessed: { statuses: [408, 499], ...UNKNOWN, message: NOT_PROCESSED },
	timedOut: {
		codes: /^(ECONNABORTED|ETIMEDOUT)$/,
		...UNKNOWN,
		message: 'The service did not respond in time',
		whatToDo: 'Set a longer "Timeout".',
	},
	broken: {
		...UNKNOWN,
		message: 'The connection to the service broke before the response was complete',
	},
	// The result is elsewhere, so there may be one.
	redirectToResult: { statuses: [303], ...REDIRECT, verdict: 'unknown' },
	unexpectedResponse: {
		verdict: 'unknown',
		message: 'The response does not match the documentation of the service',
		whatToDo: 'Check "Base URL".',
	},
	abandoned: {
		verdict: 'unknown',
		aboutService: 'nothing',
		message: 'The execution was stopped before the service responded',
	},
} satisfies Record<string, Outcome>;

/** Why a request failed. */
export type Reason = keyof typeof TABLE;

/** What each reason means, what happened, and what to do. Retries, the ledger, lanes and messages read it. */
export const OUTCOMES: Record<Reason, Outcome> = TABLE;
const REASONS = Object.keys(TABLE) as Reason[];

/**
 * The reason of a status other than 2xx.
 *
 * @param retryAfter how long it asks to wait, in milliseconds; undefined if it does not
 */
export function reasonOfStatus(status: number, retryAfter: number | undefined): Reason {
	if (status === 503 && retryAfter !== undefined) return 'unavailable';
	const listed = REASONS.find((reason) => OUTCOMES[reason].statuses?.includes(status));
	if (listed) return listed;
	if (status >= 500) return 'notProcessed';
	return status < 400 ? 'redirect' : 'notAccepted';
}

/** The reason of a system's code; undefined for one that says nothing by itself. */
export function reasonOfCode(code: string): Reason | undefined {
	return REASONS.find((reason) => OUTCOMES[reason].codes?.test(code));
}

/** Whether a request with this method changes something, and may cost money. */
export function changesSomething(method = 'GET'): boolean {
	return method !== 'GET';
}

/** Whether a change that failed may have been carried out. */
export function doubtOf(reason: Reason): Doubt | undefined {
	const { verdict } = OUTCOMES[reason];
	return verdict === 'reportedFailed' || verdict === 'unknown' ? verdict : undefined;
}

/**
 * What a failure says about the service.
 *
 * @param timeout of the request, in milliseconds
 */
export function healthOf(reason: Reason, timeout: number): Health {
	const { verdict, aboutService = 'answered' } = OUTCOMES[reason];
	if (verdict === 'throttled') return verdict;
	// A short time says nothing about a slow service.
	return reason === 'timedOut' && timeout < OVERDUE ? 'nothing' : aboutService;
}

/**
 * Whether the same run sends a failed request again: only trouble passes by itself. If the service asked to
 * wait, the lane decides for all its requests together.
 */
export function isRetried(reason: Reason, method: string): boolean {
	const { verdict, aboutService } = OUTCOMES[reason];
	return aboutService === 'trouble' && (verdict === 'notSent' || !changesSomething(method));
}
