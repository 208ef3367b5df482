import { Refusal } from '../refusal';
import { Failure, type ConnectionTrouble } from './failure';

/** Codes of a secure connection that could not be agreed on, or that was damaged later. */
const SECURITY = /^ERR_(TLS|SSL)|^EPROTO$/;

/** An error can be its own cause. */
const MOST_CAUSES = 10;

/** What the system's codes mean; with any other, a connection that was there broke. */
const CODES: Array<[RegExp, ConnectionTrouble]> = [
	[/^(ENOTFOUND|EAI_[A-Z]+)$/, 'noAddress'],
	[/^(ECONNREFUSED|ERR_INVALID_URL|ERR_INVALID_CHAR)$/, 'notConnected'],
	[/CERT|SIGNATURE|CRL|ISSUER|HOSTNAME_MISMATCH|PATH_LENGTH|^INVALID_(CA|PURPOSE)$/, 'notSecure'],
	[/^(ECONNABORTED|ETIMEDOUT|ESOCKETTIMEDOUT|ERR_TIMEOUT)$/, 'timedOut'],
];

interface Cause {
	code?: unknown;
	httpCode?: unknown;
	syscall?: unknown;
	errors?: unknown;
	isAxiosError?: unknown;
	request?: { socket?: { secureConnecting?: unknown } };
	message?: string;
	description?: unknown;
	cause?: Cause;
}

/**
 * Sorts what n8n's request helper threw. n8n wraps what the network reports; the system's code is
 * somewhere down the chain of causes. n8n 1.123 drops the cause and keeps the code as `httpCode`.
 *
 * @returns a Failure for whatever happened on the network; a Refusal for what n8n or the credential
 * refused, so that nothing was sent
 */
export function toFailure(error: unknown): Failure | Refusal {
	if (error instanceof Failure || error instanceof Refusal) return error;
	const chain: Cause[] = [];
	let next = error as Cause | undefined;
	// Of a host with several addresses there is an error for each.
	for (; next && chain.length < MOST_CAUSES; next = next.cause) {
		chain.push(next, ...(Array.isArray(next.errors) ? (next.errors as Cause[]) : []));
	}
	const code = chain.flatMap(({ code, httpCode }) => [code, httpCode]).find(isSystemCode);
	if (code !== undefined) {
		return new Failure({ kind: 'connection', code, what: meaningOf(code, chain) });
	}
	// Without a code nothing says how far the request got, so it may have got there.
	if (chain.some(({ isAxiosError }) => isAxiosError === true)) {
		return new Failure({ kind: 'connection', code: 'no code', what: 'broken' });
	}
	// n8n puts words of its own over those of the credential.
	return toRefusal(chain.reverse().find(({ message }) => typeof message === 'string') ?? error);
}

/** What n8n or the credential refused: its own words, which say more than those it wraps. */
export function toRefusal(error: unknown): Refusal {
	if (error instanceof Refusal) return error;
	const { message, description } = (error ?? {}) as { message?: unknown; description?: unknown };
	return new Refusal(
		String(message ?? error),
		String(description ?? 'Nothing was sent. Check the credential and its settings.'),
	);
}

function meaningOf(code: string, chain: Cause[]): ConnectionTrouble {
	if (chain.some(({ syscall }) => syscall === 'connect')) return 'notConnected';
	// Only while the connection is being secured, nothing was sent.
	const isSecuring = chain.some(({ request }) => request?.socket?.secureConnecting === true);
	if (isSecuring && SECURITY.test(code)) return 'notSecure';
	return CODES.find(([codes]) => codes.test(code))?.[1] ?? 'broken';
}

/** Such as ECONNRESET; a status is digits. */
function isSystemCode(value: unknown): value is string {
	return typeof value === 'string' && /^[A-Z]/.test(value);
}
