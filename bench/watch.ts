import { setTimeout as sleep } from 'node:timers/promises';

/** How often n8n is asked, in milliseconds. */
const INTERVAL = 20;

/** When n8n was asked whether it is healthy (milliseconds since 1970), how long it took, and its CPU time then. */
interface Sample {
	at: number;
	tookMs: number;
	cpuMs: number;
}

/** Asks n8n all the time whether it is healthy. */
export class Watch {
	private readonly samples: Sample[] = [];
	private isOver = false;
	private readonly asking: Promise<void>;

	/** @param cpuTime gives n8n's CPU time so far */
	constructor(
		private readonly address: string,
		private readonly cpuTime: () => Promise<number | undefined>,
	) {
		this.asking = this.ask();
	}

	private async ask(): Promise<void> {
		while (!this.isOver) {
			const at = Date.now();
			const began = performance.now();
			await this.answer();
			const tookMs = performance.now() - began;
			this.samples.push({ at, tookMs, cpuMs: (await this.cpuTime()) ?? NaN });
			await sleep(INTERVAL);
		}
	}

	/** Waits for an answer. n8n that was silent closes a kept connection, which is no answer. */
	private async answer(): Promise<void> {
		for (;;) {
			try {
				await (await fetch(`${this.address}/healthz`)).text();
				return;
			} catch (error) {
				if (this.isOver) return;
				if (!(error instanceof TypeError)) throw error;
			}
		}
	}

	async stop(): Promise<void> {
		this.isOver = true;
		await this.asking;
	}

	/** The longest time without an answer that began in this span. */
	longest(from: number, to: number): number {
		const within = this.samples.filter(({ at, tookMs }) => at + tookMs >= from && at <= to);
		return Math.max(0, ...within.map(({ tookMs }) => tookMs));
	}

	/** The CPU time between two moments. */
	cpuBetween(from: number, to: number): number {
		const at = (time: number) =>
			(this.samples.find((sample) => sample.at + sample.tookMs >= time) ?? this.samples.at(-1))
				?.cpuMs ?? NaN;
		return at(to) - at(from);
	}
}
