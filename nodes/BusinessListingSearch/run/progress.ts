import type { Logger } from 'n8n-workflow';

import { after } from '../../shared/after';

/** How often progress is logged at most, in milliseconds. */
const INTERVAL = 5_000;

/** How long something that must not be lost may wait for its line, in milliseconds. */
const LONGEST_UNLOGGED = 900;

/**
 * Lines in n8n's log on how far a long run is; n8n offers a node no other place for it while it runs,
 * and keeps nothing of a node whose process is killed.
 */
export class Progress {
	private done = 0;
	private last = Date.now();
	/** What must not be lost of those done since the last line. */
	private unlogged: string[] = [];
	private callOff: (() => void) | undefined;

	/**
	 * @param name of the node
	 * @param total how many there are to do
	 */
	constructor(
		private readonly logger: Logger,
		private readonly name: string,
		private readonly total: number,
	) {}

	/**
	 * Notes that one more is settled.
	 *
	 * @param kept what must not be lost of it; a line names it within a second, unless the run ends
	 * before that
	 */
	step(kept: string[] = []): void {
		this.done += 1;
		this.unlogged.push(...kept);
		if (Date.now() - this.last >= INTERVAL) this.log();
		else if (kept.length > 0) this.callOff ??= after(LONGEST_UNLOGGED, () => this.log());
	}

	/** Ends the lines; n8n keeps nothing of a node before the whole workflow has ended. */
	end(): void {
		this.callOff?.();
		if (this.unlogged.length > 0) this.log();
	}

	private log(): void {
		this.callOff?.();
		this.callOff = undefined;
		this.last = Date.now();
		const named = this.unlogged.length > 0 ? `, new: ${this.unlogged.join(', ')}` : '';
		this.unlogged = [];
		this.logger.info(`${this.name}: ${this.done} of ${this.total} done${named}`);
	}
}
