import type { IContextObject, IDataObject } from 'n8n-workflow';

import { fingerprint } from './fingerprint';

/** Where in the node's context this package keeps what it remembers. */
const KEY = 'businessListingSearch';

/** What is kept of a run, by the identity of its tasks. */
interface Kept {
	/** The run it is about: a loop's next pass, or a node with other parameters, is another. */
	run: string;
	/** The outputs of what was carried out, as JSON. */
	done: Record<string, string>;
	/** What may have been carried out. */
	unknown: string[];
	/** Whether the execution was cancelled, and the sum of the run is in the log. */
	cancelled?: true;
}

/**
 * Remembers which tasks of a run are done, and of which nobody knows, so that Retry On Fail and n8n's
 * Retry button, which run the whole node again, pay for none of them twice. It is kept in the node's
 * context, which n8n keeps through the tries and stores with a failed execution; as text, because n8n
 * stores a text in much less space than the object it describes.
 */
export class Memory {
	private readonly kept: Kept;
	private readonly unknown: Set<string>;
	private readonly recalled = new Set<string>();

	/**
	 * @param context the node's context (`getContext('node')`)
	 * @param runIndex n8n's: a loop's next pass has the next one
	 * @param parameters as a person entered them: what an expression gives can differ with every try
	 */
	constructor(
		private readonly context: IContextObject,
		runIndex: number,
		parameters: IDataObject,
	) {
		// Neither of these two changes what a request is about, and changing them is a way to make a run
		// succeed that failed.
		const { options: _options, requestOptions: _requestOptions, ...others } = parameters;
		const run = `${runIndex} ${fingerprint(withoutLabels(others))}`;
		const kept = context[KEY] as Partial<Kept> | undefined;
		// Only the latest run can be tried again, so nothing older is kept.
		const { done = {}, unknown = [], cancelled } = kept?.run === run ? kept : {};
		this.kept = { run, done, unknown, cancelled };
		this.unknown = new Set(unknown);
	}

	/** @returns the output of a task that was done in an earlier try */
	recall(identity: string): IDataObject[] | undefined {
		const output = this.kept.done[identity];
		this.recalled.add(identity);
		return output === undefined ? undefined : (JSON.parse(output) as IDataObject[]);
	}

	/** Whether a task may have been carried out in an earlier try. */
	isUnknown(identity: string): boolean {
		return this.unknown.has(identity);
	}

	/** Notes that a task was carried out, with its output. */
	finish(identity: string, output: IDataObject[]): void {
		this.kept.done[identity] = JSON.stringify(output);
		this.recalled.add(identity);
		this.context[KEY] = this.kept;
	}

	/** Notes that a task may have been carried out. */
	leaveUnknown(identity: string): void {
		this.unknown.add(identity);
		this.kept.unknown = [...this.unknown];
		this.context[KEY] = this.kept;
	}

	/** The outputs of what was done in an earlier try and has not been recalled in this one. */
	get notRecalled(): IDataObject[][] {
		return Object.entries(this.kept.done)
			.filter(([identity]) => !this.recalled.has(identity))
			.map(([, output]) => JSON.parse(output) as IDataObject[]);
	}

	get isCancelled(): boolean {
		return this.kept.cancelled === true;
	}

	noteCancelled(): void {
		this.kept.cancelled = true;
		this.context[KEY] = this.kept;
	}

	/** Forgets the run: all of it was done, so it is not tried again. */
	forget(): void {
		delete this.context[KEY];
	}
}

/** The label of a choice is not what a person chose: that of a blacklist counts its items. */
function withoutLabels(parameters: IDataObject): IDataObject {
	return Object.fromEntries(
		Object.entries(parameters).map(([name, value]) => {
			if (typeof value !== 'object' || value === null || !('__rl' in value)) return [name, value];
			const { mode, value: chosen } = value as IDataObject;
			return [name, { mode, chosen }];
		}),
	) as IDataObject;
}
