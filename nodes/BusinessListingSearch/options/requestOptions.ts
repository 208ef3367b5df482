import { Failure } from '../../shared/errors/failure';
import type { ConnectionOptions } from '../../shared/service/exchange';
import { isUnset, readBoolean, readWholeNumber } from '../../shared/readField';
import { urlDecoded } from '../../shared/text';
import { LONGEST_DELAY } from '../../shared/time/clock';

/** An option of the node, or of n8n: it applies to the whole run. */
export interface Option {
	label: string;
	/** Its place among the parameters of the node: `options.maxJobs`. */
	path: string;
	/**
	 * @param isExpression whether it was entered as an expression
	 * @returns undefined if it is not set
	 * @throws Failure for an invalid value
	 */
	read: (value: unknown, isExpression: boolean) => unknown;
}

/** The values of `REQUEST_OPTIONS`; times in milliseconds. */
export interface RequestOptions {
	skipSslCertificateValidation?: boolean;
	batchSize?: number;
	batchInterval?: number;
	proxy?: ConnectionOptions['proxy'];
	timeout?: number;
}

const requestOption = (
	label: string,
	name: string,
	read: (label: string, value: unknown) => unknown,
): Option => ({
	label,
	path: `requestOptions.${name}`,
	read: (value) => (isUnset(value) ? undefined : read(label, value)),
});

/** The fields of "Request Options", which n8n adds to every declarative node. */
export const REQUEST_OPTIONS: Record<keyof RequestOptions, Option> = {
	skipSslCertificateValidation: requestOption(
		'Ignore SSL Issues (Insecure)',
		'allowUnauthorizedCerts',
		readBoolean,
	),
	batchSize: requestOption('Items per Batch', 'batching.batch.batchSize', readWholeNumber),
	batchInterval: requestOption('Batch Interval (ms)', 'batching.batch.batchInterval', readTime),
	proxy: requestOption('Proxy', 'proxy', readProxy),
	timeout: requestOption('Timeout', 'timeout', readTime),
};

/** @returns whole milliseconds */
function readTime(label: string, value: unknown): number {
	return readWholeNumber(label, value, [0, LONGEST_DELAY], 'a whole number of milliseconds');
}

/** `http://user:password@host:port`; the port is required, as in n8n's engine. */
const ADDRESS =
	/^(https?):\/\/(?:([^:@/]*)(?::([^@/]*))?@)?([^\s:@/[\]]+|\[[\da-f:.]+\]):(\d{1,5})\/?$/i;

function readProxy(label: string, value: unknown): ConnectionOptions['proxy'] {
	const parts = typeof value === 'string' ? ADDRESS.exec(value.trim()) : null;
	if (!parts || !URL.canParse(parts[0])) {
		throw new Failure(
			`"${label}" under "Request Options" is not a complete address`,
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
