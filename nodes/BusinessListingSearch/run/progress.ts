import type { Logger } from 'n8n-workflow';

import { after, now } from '../../shared/time';

/** The shortest time between two lines, in milliseconds. */
const INTERVAL = 5_000;

/**
 * How long something that must not be lost may stay unlogged, in milliseconds, and the shortest time
 * between two lines then: a killed process loses little more than what is in flight anyway, and
 * results that arrive together share a line.
 */
const LONGEST_UNLOGGED = 100;

/**
 * Logs the progress of a long run: n8n shows nothing else of a node while it runs, and keeps nothing
 * of it when the process is killed.
 */
export class Progress {
	private settled = 0;
	private total = 0;
	private last = now();
	/** What must not be lost, since the last line. */
	private unlogged: string[] = [];
	private callOff: (() => void) | undefined;

	/** @param name of the node */
	constructor(
		private readonly logger: Logger,
		private readonly name: string,
	) {}

	/**
	 * Records that one more task is settled.
	 *
	 * @param total how many tasks there are, as far as is known
	 * @param kept what must not be lost of it: logged at once, shortly after the last line, or when the
	 * run ends
	 */
	step(total: number, kept: string[] = []): void {
		this.total = total;
		this.settled += 1;
		this.unlogged.push(...kept);
		const isNews = this.unlogged.length > 0;
		const wait = this.last + (isNews ? LONGEST_UNLOGGED : INTERVAL) - now();
		if (wait <= 0) this.log();
		else if (isNews) this.callOff ??= after(wait, () => this.log());
	}

	/** Logs a sentence on its own line. */
	note(text: string): void {
		this.logger.info(`${this.name}: ${text}`);
	}

	/** Logs what is left; n8n stores nothing of a node before the whole workflow has ended. */
	end(): void {
		if (this.unlogged.length > 0) this.log();
	}

	private log(): void {
		this.callOff?.();
		this.callOff = undefined;
		this.last = now();
		const named = this.unlogged.length > 0 ? `, new: ${this.unlogged.join(', ')}` : '';
		this.unlogged = [];
		this.note(`${this.settled} of ${this.total} finished${named}`);
	}
}
