import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import type { Answer } from './answer';
import type { RequestContext } from './exchange';
import { Failure, isUncertain, Refusal } from './failure';
import type { Memory } from './memory';
import type { Requester } from './requester';

/** Sends the requests of one run, none of them twice where it would be paid twice. */
export class Once {
	constructor(
		private readonly requester: Requester,
		private readonly memory: Memory,
	) {}

	/**
	 * Sends a request and notes what became of it.
	 *
	 * @param key tells the requests of a run apart: the index of an item, or of a value
	 * @param read makes the output of the answer; throws Failure for an undocumented one
	 * @param guard looks whether it should be sent at all; not asked for what may have been sent already,
	 * which has to be said first
	 * @returns the output
	 * @throws Failure, Refusal or Stopped as the requester does; Refusal also where an earlier try of the
	 * run may have carried out the request
	 */
	async send(
		key: number,
		context: RequestContext,
		options: IHttpRequestOptions,
		read: (answer: Answer) => IDataObject[] | Promise<IDataObject[]>,
		guard?: () => Promise<void>,
	): Promise<IDataObject[]> {
		if (this.memory.isOpen(key, options)) throw outcomeIsOpen();
		await guard?.();
		try {
			const output = await read(await this.requester.request(context, options));
			this.memory.finish(key, options, output);
			return output;
		} catch (error) {
			if (error instanceof Failure && isUncertain(error, options.method ?? 'GET')) {
				this.memory.leaveOpen(key, options);
			}
			return await Promise.reject(error);
		}
	}
}

function outcomeIsOpen(): Refusal {
	return new Refusal(
		'Not sent again: an earlier try may have been carried out',
		'Check your account, and run the workflow again for what is missing there.',
	);
}
