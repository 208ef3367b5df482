import { Failure } from '../../shared/errors/failure';
import type { RunOptions } from '../../shared/pacing/runLimit';
import type { ConnectionOptions } from '../../shared/service/exchange';
import { isUnset, readBoolean, readWholeNumber, urlDecoded } from '../../shared/input';
import type { Item } from '../form/item';
import { concurrencyOption } from './concurrency';
import { readOption } from './readOption';
import { LONGEST_DELAY } from '../../shared/time/clock';

/**
 * The parameter "Request Options", which n8n adds to every declarative node.
 *
 * With expressions, "Timeout", "Proxy" and certificates apply to each item. "Concurrency" and "Batching"
 * apply to the run, from the first item with valid values. Add Many Items, which is one step, takes all its
 * options from the first row.
 */
interface Entered {
	allowUnauthorizedCerts?: unknown;
	batching?: { batch?: { batchSize?: unknown; batchInterval?: unknown } };
	proxy?: unknown;
	timeout?: unknown;
}

/**
 * Reads "Request Options", and "Concurrency", which is an option of the node.
 *
 * @returns `connection`, which is set on every request, overriding what n8n's engine made of it, and `limits` of the run
 * @throws Failure that names the option, before anything is sent
 */
export function readRequestOptions(item: Item): {
	connection: ConnectionOptions;
	limits: RunOptions;
} {
	const entered = item.parameter('Request Options', 'requestOptions', {}) ?? {};
	const { allowUnauthorizedCerts, batching, proxy, timeout } = entered as Entered;
	const { batchSize, batchInterval } = batching?.batch ?? {};
	const interval = readTime('Batch Interval (ms)', batchInterval);
	return {
		limits: {
			concurrency: readOption<number>(item, concurrencyOption),
			batching: interval > 0 ? { size: readSize(batchSize), interval } : undefined,
		},
		connection: {
			skipSslCertificateValidation:
				!isUnset(allowUnauthorizedCerts) &&
				readBoolean('Ignore SSL Issues (Insecure)', allowUnauthorizedCerts),
			// As in n8n's engine, 0 means not set.
			timeout: readTime('Timeout', timeout) || undefined,
			proxy: isUnset(proxy) ? undefined : readProxy(proxy),
		},
	};
}

/** @returns whole milliseconds; 0 when nothing is set */
function readTime(label: string, value: unknown): number {
	if (isUnset(value)) return 0;
	return readWholeNumber(label, value, [0, LONGEST_DELAY], 'a whole number of milliseconds');
}

/** Anything below 1 means one at a time, as n8n's engine reads it. */
function readSize(value: unknown): number {
	return isUnset(value) ? 1 : Math.max(1, readWholeNumber('Items per Batch', value));
}

/** `http://user:password@host:port`; the port is required, as in n8n's engine. */
const PROXY =
	/^(https?):\/\/(?:([^:@/]*)(?::([^@/]*))?@)?([^\s:@/[\]]+|\[[\da-f:.]+\]):(\d{1,5})\/?$/i;

function readProxy(value: unknown): ConnectionOptions['proxy'] {
	const parts = typeof value === 'string' ? PROXY.exec(value.trim()) : null;
	if (!parts || !URL.canParse(parts[0])) {
		throw new Failure(
			'"Proxy" under "Request Options" is not a complete address',
			'Enter it as http://host:port, or remove it.',
		);
	}
	const [, protocol = '', username, password = '', host = '', port] = parts;
	return {
		protocol: protocol.toLowerCase(),
		host,
		port: Number(port),
		...(username !== undefined && {
			auth: { username: urlDecoded(username), password: urlDecoded(password) },
		}),
	};
}
