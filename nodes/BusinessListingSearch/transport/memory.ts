import type {
	IContextObject,
	IDataObject,
	IExecuteData,
	IExecuteFunctions,
	IExecuteSingleFunctions,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { CREDENTIAL } from './exchange';
import { changesSomething } from './failure';

/** Where in the node's context this package keeps what it remembers. */
const KEY = 'businessListingSearch';

interface Remembered {
	run: number;
	account: string;
	/** By item index: the fingerprint of the request, followed by the output as JSON. */
	done: Record<string, string>;
}

/** Requests whose outcome is open, by the execution data that all tries of one run share. */
const openOutcomes = new WeakMap<IExecuteData, Map<number, string>>();

/**
 * Remembers which requests of a run are finished, so that Retry On Fail, which runs the whole node
 * again, pays for none of them twice. What was finished is kept in the node's context, which n8n keeps
 * through the tries and stores with a failed execution; as text, because n8n stores a text in much
 * less space than the object it describes.
 */
export class Memory {
	private readonly remembered: Remembered;
	private readonly open: Map<number, string>;

	/**
	 * @param context the node's context (`getContext('node')`)
	 * @param run the run index: a loop's next pass is another run
	 * @param executeData what n8n hands to every try of this run
	 * @param account tells accounts apart: what was done on one is not done on another
	 */
	constructor(
		private readonly context: IContextObject,
		run: number,
		executeData: IExecuteData,
		account = '',
	) {
		const kept = context[KEY] as Remembered | undefined;
		// Only the latest run can be tried again, so that nothing older is kept.
		const isKept = kept?.run === run && kept.account === account;
		this.remembered = isKept ? kept : { run, account, done: {} };
		this.open = openOutcomes.get(executeData) ?? new Map<number, string>();
		openOutcomes.set(executeData, this.open);
	}

	/** @returns the output of an item whose very request was finished before */
	recall(item: number, request: IHttpRequestOptions): IDataObject[] | undefined {
		if (!changesSomething(request.method ?? 'GET')) return undefined;
		const entry = this.remembered.done[item];
		if (entry === undefined) return undefined;
		const mark = fingerprint(request);
		if (!entry.startsWith(mark)) return undefined;
		return JSON.parse(entry.slice(mark.length)) as IDataObject[];
	}

	/** Notes that an item's request was carried out, with its output. */
	finish(item: number, request: IHttpRequestOptions, output: IDataObject[]): void {
		if (!changesSomething(request.method ?? 'GET')) return;
		this.remembered.done[item] = fingerprint(request) + JSON.stringify(output);
		this.context[KEY] = this.remembered;
	}

	/** Notes that it is open whether an item's request was carried out. */
	leaveOpen(item: number, request: IHttpRequestOptions): void {
		this.open.set(item, fingerprint(request));
	}

	/** Whether it was left open in an earlier try if the item's very request was carried out. */
	isOpen(item: number, request: IHttpRequestOptions): boolean {
		return this.open.size > 0 && this.open.get(item) === fingerprint(request);
	}

	/** Forgets the run: all of it came to its result, so that it is not tried again. */
	forget(): void {
		delete this.context[KEY];
	}
}

/** The memory of the run that a context of n8n's engine belongs to. */
export async function openMemory(
	context: IExecuteFunctions | IExecuteSingleFunctions,
): Promise<Memory> {
	const { $runIndex } = context.getWorkflowDataProxy(0);
	// A credential that cannot be read is reported by the first request that needs it.
	const { baseUrl } = await context.getCredentials(CREDENTIAL).catch(() => ({ baseUrl: '' }));
	return new Memory(
		context.getContext('node'),
		$runIndex,
		context.getExecuteData(),
		String(baseUrl),
	);
}

/**
 * A short text that tells requests of different method, address or body apart: 53 bits, in 11
 * characters. It is only ever compared with that of the same item.
 */
export function fingerprint({ method, baseURL, url, body }: IHttpRequestOptions): string {
	const text = JSON.stringify([method, baseURL, url, body]);
	let high = 0xdeadbeef;
	let low = 0x41c6ce57;
	for (let index = 0; index < text.length; index++) {
		const code = text.charCodeAt(index);
		high = Math.imul(high ^ code, 2654435761);
		low = Math.imul(low ^ code, 1597334677);
	}
	high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
	low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
	const number = 4294967296 * (2097151 & low) + (high >>> 0);
	return number.toString(36).padStart(11, '0');
}
