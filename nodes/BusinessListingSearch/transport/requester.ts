import { sleep } from 'n8n-workflow';
import type { IHttpRequestOptions } from 'n8n-workflow';

import type { Answer } from './answer';
import { exchange, type RequestContext } from './exchange';
import { changesSomething, Failure, Refusal } from './failure';
import { Pace } from './pace';
import { decide } from './retry';

/** How many retries one run spends on an outage, over all its requests. */
const MOST_LIMITED_RETRIES = 50;

/** Thrown where a request ends because its run does; nothing more of it is sent. */
export class Stopped extends Error {}

/**
 * Sends the requests of one run, patiently: they share the pace that the service allows, and the
 * number of retries that an outage is worth.
 */
export class Requester {
	private readonly pace = new Pace();
	private limitedRetries = 0;
	private isStopped = false;
	private wakeUps = new Set<() => void>();

	/** Ends all waits at once; from now on nothing is sent. */
	stop(): void {
		this.isStopped = true;
		for (const wakeUp of this.wakeUps) wakeUp();
	}

	/**
	 * Sends a request, and again where the retry table says so.
	 *
	 * @param context where in n8n the request comes from
	 * @param options the request, as `exchange` takes it
	 * @throws Failure, with the number of its tries, when it came to no result
	 * @throws Refusal when it could not be sent
	 * @throws Stopped when the run ended before it was sent, or while it waited for another try
	 */
	async request(context: RequestContext, options: IHttpRequestOptions): Promise<Answer> {
		const method = options.method ?? 'GET';
		const sender = changesSomething(method) ? unabortable(context) : context;
		for (let tries = 1; ; tries++) {
			await this.turn();
			const result = await exchange(sender, options);
			if (result instanceof Refusal) throw result;
			if (!(result instanceof Failure)) {
				this.pace.accept();
				return result;
			}
			result.tries = tries;
			if (this.isStopped && !changesSomething(method)) throw new Stopped();
			const wait = this.waitAfter(result, method);
			if (wait === undefined) throw result;
			await this.pause(wait);
		}
	}

	/** Waits until the next request may start. */
	private async turn(): Promise<void> {
		for (;;) {
			if (this.isStopped) throw new Stopped();
			const wait = this.pace.ask(Date.now());
			if (wait === 0) return;
			await this.pause(wait);
		}
	}

	/** @returns milliseconds to wait before the next try; undefined when there is none */
	private waitAfter({ trouble, tries }: Failure, method: string): number | undefined {
		const decision = decide(trouble, method, tries, Math.random());
		if (!decision.again) return undefined;
		if (decision.isLimited && this.limitedRetries++ >= MOST_LIMITED_RETRIES) return undefined;
		if (decision.holdsBack) this.pace.hold(Date.now(), decision.wait);
		return decision.wait;
	}

	/** Waits without blocking anything, and no longer than the run goes on. */
	private async pause(milliseconds: number): Promise<void> {
		if (this.isStopped) return;
		let wakeUp = () => {};
		const woken = new Promise<void>((resolve) => (wakeUp = resolve));
		this.wakeUps.add(wakeUp);
		await Promise.race([sleep(milliseconds), woken]);
		this.wakeUps.delete(wakeUp);
	}
}

/**
 * The same context without n8n's signal that the execution was cancelled: a request that changes
 * something, and is under way, is heard to its end. Aborted, it would be carried out all the same,
 * and what it brought would be lost.
 */
function unabortable(context: RequestContext): RequestContext {
	return Object.create(context, {
		getExecutionCancelSignal: { value: () => undefined },
	}) as RequestContext;
}
