import { sleep } from 'n8n-workflow';
import type {
	IDataObject,
	IExecutePaginationFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
	NodeApiError,
} from 'n8n-workflow';

import type { Answer } from './answer';
import type { Explanation } from './failure';
import { openMemory, type Memory } from './memory';
import { asNodeError, explanationOf } from './nodeError';
import { Once } from './once';
import { Progress } from './progress';
import { Queue } from './queue';
import { Requester, Stopped } from './requester';
import { summarize, type Tally } from './summary';

/** The request of one input item, as n8n's engine handed it over. */
export interface ItemRequest {
	context: IExecutePaginationFunctions;
	/** The index of the input item. */
	item: number;
	options: IHttpRequestOptions;
	/** Why it must not be sent, if so. */
	refusal?: unknown;
	/** How many requests of this run may be under way at once. */
	concurrency: number;
	/** The field of the output that must not be lost, if there is one. */
	receipt?: string;
	/** Looks, before anything of a run is sent, whether it should be; throws Refusal if not. */
	guard?: (requester: Requester, context: IExecutePaginationFunctions) => Promise<void>;
	/** Makes the JSON of the output items of an answer; throws Failure for an undocumented one. */
	read: (answer: Answer) => Promise<IDataObject[]>;
}

interface Call extends ItemRequest {
	isSettled: boolean;
	resolve: (items: INodeExecutionData[]) => void;
	reject: (error: NodeApiError) => void;
}

/**
 * One run of the node over its input items: one try of one pass. n8n's engine knows no such thing: it
 * hands over every item by itself, all at once, and goes on only when the last is settled.
 */
export class ItemRun {
	private readonly calls: Call[] = [];
	private readonly seen = new Set<number>();
	private readonly requester = new Requester();
	private readonly progress: Progress;
	private readonly total: number;
	private readonly continues: boolean;
	private readonly arrivesInBatches: boolean;
	/** There once the run has begun to send. */
	private sending: { queue: Queue; memory: Memory; once: Once } | undefined;
	private settled = 0;
	private hasEnded = false;
	private readonly tally: Tally = { done: 0, receipts: {}, alsoFailed: [], notStarted: 0 };
	private failed: { call: Call; explanation: Explanation } | undefined;

	/** @param first the context of the item that arrives first */
	constructor(private readonly first: IExecutePaginationFunctions) {
		this.total = countItems(first);
		this.progress = new Progress(first.logger, first.getNode().name, this.total);
		this.continues = first.continueOnFail() || isAgentTool(first);
		const { batching } = first.getNodeParameter('requestOptions', {}) as RequestOptions;
		this.arrivesInBatches = (batching?.batch?.batchInterval ?? 0) > 0;
	}

	/** Whether an item is not yet part of this run; it is where n8n tries the node again. */
	awaits(item: number): boolean {
		return !this.seen.has(item);
	}

	/**
	 * Takes an item in, and sends its request when its turn has come.
	 *
	 * Without Continue nothing is sent before all items are here. Where n8n cannot build a later item,
	 * it fails the node at once and forgets those that wait here; they must not become jobs that nobody
	 * hears of.
	 *
	 * @returns the output items
	 * @throws NodeApiError for the first item that fails, without Continue, when all that was under way
	 * has ended; its description says what was done and what was not
	 */
	async add(request: ItemRequest): Promise<INodeExecutionData[]> {
		this.seen.add(request.item);
		// It comes in a later batch; nothing is started any more.
		if (this.hasEnded) {
			this.report();
			return [];
		}
		return await new Promise((resolve, reject) => {
			const call: Call = { ...request, isSettled: false, resolve, reject };
			this.calls.push(call);
			if (this.sending) this.enqueue(call);
			else if (this.arrivesInBatches || this.calls.length === this.total) void this.open();
			// With Continue, items that cannot be built never arrive. The others are here all at once.
			else if (this.continues && this.calls.length === 1)
				void sleep(0).then(async () => await this.open());
		});
	}

	private async open(): Promise<void> {
		const memory = await openMemory(this.first);
		if (this.sending) return;
		this.calls.sort((a, b) => a.item - b.item);
		const queue = new Queue(this.calls[0]?.concurrency ?? 1);
		this.sending = { queue, memory, once: new Once(this.requester, memory) };
		const refused = this.continues ? undefined : this.calls.find(({ refusal }) => refusal);
		if (refused) this.fail(refused, explanationOf(refused.refusal, 'GET'));
		const signal = this.first.getExecutionCancelSignal();
		signal?.addEventListener('abort', this.stop);
		if (signal?.aborted) this.stop();
		for (const call of this.calls) this.enqueue(call);
	}

	private enqueue(call: Call): void {
		const remembered = this.sending?.memory.recall(call.item, call.options);
		if (remembered) this.succeed(call, remembered);
		else this.sending?.queue.add(async () => await this.perform(call));
	}

	private async perform(call: Call): Promise<void> {
		const { context, item, options } = call;
		try {
			if (call.refusal) throw call.refusal;
			const guard = async () => await call.guard?.(this.requester, context);
			const output = await this.sending?.once.send(item, context, options, call.read, guard);
			this.succeed(call, output ?? []);
		} catch (error) {
			// Without an answer to the call yet: `end` counts it among those that were not started.
			if (error instanceof Stopped) return;
			this.fail(call, explanationOf(error, options.method ?? 'GET'));
		}
	}

	private succeed(call: Call, output: IDataObject[]): void {
		this.tally.done += 1;
		const { receipt } = call;
		const receipts = receipt === undefined ? [] : output.map((json) => String(json[receipt]));
		if (receipt !== undefined) (this.tally.receipts[receipt] ??= []).push(...receipts);
		this.settle(call, output, receipts);
		if (this.tally.done === this.total) this.sending?.memory.forget();
	}

	private fail(call: Call, explanation: Explanation): void {
		const { message, description } = explanation;
		if (this.continues) {
			this.settle(call, [{ error: message, message: description }]);
		} else if (this.failed) {
			this.tally.alsoFailed.push({ item: call.item, message: `${message}. ${description}` });
			this.settle(call, []);
		} else {
			this.failed = { call, explanation };
			this.stop();
		}
	}

	private settle(call: Call, output: IDataObject[], receipts?: string[]): void {
		const pairedItem = { item: call.item };
		call.isSettled = true;
		call.resolve(output.map((json) => ({ json, pairedItem })));
		this.settled += 1;
		this.progress.step(receipts);
		if (this.settled === this.total) this.release();
	}

	/** Sends nothing more, and ends the run when what is under way has come to its result. */
	private readonly stop = (): void => {
		this.requester.stop();
		this.sending?.queue.stop();
		void this.sending?.queue.idle().then(() => this.end());
	};

	private end(): void {
		if (this.hasEnded) return;
		this.hasEnded = true;
		this.release();
		const { failed, tally } = this;
		tally.notStarted = this.total - tally.done - tally.alsoFailed.length - (failed ? 1 : 0);
		for (const call of this.calls) {
			if (!call.isSettled && call !== failed?.call) this.settle(call, []);
		}
		if (failed) this.report();
		else this.logCancellation();
	}

	/**
	 * Fails the run, once n8n listens: while it waits between batches, nobody would hear of it, and an
	 * unheard rejection can end the whole of n8n.
	 */
	private report(): void {
		const { failed, tally } = this;
		if (!failed || this.seen.size < this.total) return;
		const { context, item } = failed.call;
		const { message, description, httpCode } = failed.explanation;
		const all = [description, summarize(tally)].filter((part) => part).join(' ');
		failed.call.reject(
			asNodeError(context.getNode(), { message, description: all, httpCode }, item),
		);
	}

	/** n8n stores nothing of a node that is cancelled: what it had done is only to be had here. */
	private logCancellation(): void {
		const summary = summarize(this.tally, this.tally.alsoFailed.length);
		if (summary) this.first.logger.warn(`${this.first.getNode().name} was cancelled. ${summary}`);
	}

	private release(): void {
		this.first.getExecutionCancelSignal()?.removeEventListener('abort', this.stop);
	}
}

interface RequestOptions {
	batching?: { batch?: { batchInterval?: number } };
}

/** An AI agent hears nothing of a tool that throws; from an item it can learn what to do better. */
function isAgentTool(context: IExecutePaginationFunctions): boolean {
	return context.getNode().type.endsWith('Tool');
}

/** How many items n8n's engine goes through in this run. */
function countItems(context: IExecutePaginationFunctions): number {
	// An agent calls its tool for one item, with the execution data of its own items.
	if (context.getNode().executeOnce === true || isAgentTool(context)) return 1;
	return context.getExecuteData().data.main?.[0]?.length ?? 1;
}
