import type { Logger } from 'n8n-workflow';

/** How often progress is logged at most, in milliseconds. */
const INTERVAL = 5_000;

/**
 * Lines in n8n's log on how far a long run is; n8n offers a node no other place for it while it runs,
 * and keeps nothing of a node whose process is killed.
 */
export class Progress {
	private done = 0;
	private last = Date.now();
	/** What must not be lost of those done since the last line. */
	private receipts: string[] = [];

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
	 * Notes that one more is done.
	 *
	 * @param receipts what must not be lost of it; the next line names it
	 */
	step(receipts: string[] = []): void {
		this.receipts.push(...receipts);
		this.done += 1;
		const now = Date.now();
		if (now - this.last < INTERVAL) return;
		this.last = now;
		const named = this.receipts.length > 0 ? `, new: ${this.receipts.join(', ')}` : '';
		this.receipts = [];
		this.logger.info(`${this.name}: ${this.done} of ${this.total} done${named}`);
	}
}
