import type {
	IDataObject,
	IExecuteFunctions,
	IGetNodeParameterOptions,
	IHttpRequestOptions,
	INodeExecutionData,
} from 'n8n-workflow';

import { Refusal } from '../../transport/failure';
import { asNodeError, explanationOf } from '../../transport/nodeError';
import { checkConcurrency } from '../concurrency';
import { readBoolean, readText, show } from '../input';
import { blacklistSegment } from './blacklist';
import type { Row } from './collect';
import { KINDS, type ItemType } from './values';

/** The options of Add Many Items; they are for the whole run and read from its first row. */
interface Settings {
	cleans: boolean;
	concurrency: number;
	output: 'summary' | 'items';
}

/**
 * Reads the parameters of all rows.
 *
 * @returns the rows that can be, and with Continue an `{ error, message }` item for each other row
 * @throws NodeApiError for the first row that cannot be, without Continue
 */
export function readInput(context: IExecuteFunctions): {
	rows: Row[];
	refused: INodeExecutionData[];
	settings: Settings;
} {
	const blacklistAt = reader(context, 'blacklist', { extractValue: true });
	const typeAt = reader(context, 'type');
	const valuesAt = reader(context, 'values');
	const rows: Row[] = [];
	const refused: INodeExecutionData[] = [];
	let settings: Settings | undefined;
	context.getInputData().forEach((_item, row) => {
		try {
			settings ??= readSettings(context.getNodeParameter('options', 0, {}) as IDataObject);
			const blacklist = readText('Blacklist', blacklistAt(row));
			blacklistSegment(blacklist);
			rows.push({ row, blacklist, type: readType(typeAt(row)), values: valuesAt(row) });
		} catch (error) {
			const explanation = explanationOf(error, 'GET');
			if (!context.continueOnFail()) throw asNodeError(context.getNode(), explanation, row);
			const { message, description } = explanation;
			refused.push({ json: { error: message, message: description }, pairedItem: { item: row } });
		}
	});
	return {
		rows,
		refused,
		settings: settings ?? { cleans: true, concurrency: 1, output: 'summary' },
	};
}

/** Reads a parameter row by row; once for all where it has no expression that could tell rows apart. */
function reader(
	context: IExecuteFunctions,
	name: string,
	options?: IGetNodeParameterOptions,
): (row: number) => unknown {
	const at = (row: number): unknown => context.getNodeParameter(name, row, undefined, options);
	if (hasExpression(context.getNode().parameters[name])) return at;
	let value: { read: unknown } | undefined;
	return () => (value ??= { read: at(0) }).read;
}

function hasExpression(parameter: unknown): boolean {
	if (typeof parameter === 'string') return parameter.startsWith('=');
	return (
		typeof parameter === 'object' &&
		parameter !== null &&
		Object.values(parameter).some(hasExpression)
	);
}

function readSettings({
	cleanValues = true,
	concurrency = 5,
	output = 'summary',
}: IDataObject): Settings {
	if (output !== 'summary' && output !== 'items') {
		throw new Refusal(
			`"Output" is neither summary nor items: ${show(output)}`,
			'Choose one of the list, or use an expression that gives summary or items.',
		);
	}
	return {
		cleans: readBoolean('Clean Values', cleanValues),
		concurrency: checkConcurrency(concurrency),
		output,
	};
}

function readType(type: unknown): ItemType | 'auto' {
	if (type === 'auto' || (typeof type === 'string' && Object.hasOwn(KINDS, type))) {
		return type as ItemType | 'auto';
	}
	throw new Refusal(
		`"Type" is not one the service knows: ${show(type)}`,
		`Choose one of the list, or use an expression that gives auto or one of ${Object.keys(KINDS).join(', ')}.`,
	);
}

interface RequestSettings {
	timeout?: number;
	proxy?: string;
	allowUnauthorizedCerts?: boolean;
}

/** As n8n's engine sets it for the declarative operations, in milliseconds. */
const DEFAULT_TIMEOUT = 300_000;

/**
 * What all requests of the step have in common, with what a person set under "Request Options": n8n's
 * engine applies these to declarative operations only.
 */
export function commonRequest(context: IExecuteFunctions): Omit<IHttpRequestOptions, 'url'> {
	const settings = context.getNodeParameter('requestOptions', 0, {}) as RequestSettings;
	return {
		method: 'POST',
		timeout: settings.timeout || DEFAULT_TIMEOUT,
		skipSslCertificateValidation: settings.allowUnauthorizedCerts === true,
		...(settings.proxy && { proxy: readProxy(context, settings.proxy) }),
	};
}

function readProxy(context: IExecuteFunctions, address: string): IHttpRequestOptions['proxy'] {
	let url: URL;
	try {
		url = new URL(address);
	} catch {
		throw asNodeError(context.getNode(), {
			message: '"Proxy" under "Request Options" is not an address',
			description: 'Enter it as http://host:port, or remove it.',
		});
	}
	const { hostname, port, protocol, username, password } = url;
	return {
		host: hostname,
		port: Number(port) || (protocol === 'https:' ? 443 : 80),
		protocol: protocol.replace(':', ''),
		...(username && {
			auth: { username: decodeURIComponent(username), password: decodeURIComponent(password) },
		}),
	};
}
