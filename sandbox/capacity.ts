import type { ServerResponse } from 'node:http';

/** A limited number of slots for requests. Each request keeps its slot until its response closes. */
export class Capacity {
	private taken = 0;
	private readonly waiting: Array<{ response: ServerResponse; start: () => void }> = [];

	constructor(private readonly atOnce: number) {}

	/** Takes a slot if one is free. A closed connection needs none, and would never free it again. */
	take(response: ServerResponse): boolean {
		if (response.destroyed) return true;
		if (this.taken >= this.atOnce) return false;
		this.taken += 1;
		response.once('close', () => {
			this.taken -= 1;
			this.startNext();
		});
		return true;
	}

	/** Waits in the queue for a slot and takes it; never resolves if the connection closes first. */
	async wait(response: ServerResponse): Promise<void> {
		await new Promise<void>((start) => this.waiting.push({ response, start }));
	}

	private startNext(): void {
		// These clients have left the queue: their requests are no longer carried out.
		while (this.waiting[0]?.response.destroyed === true) this.waiting.shift();
		const [next] = this.waiting;
		if (next === undefined || !this.take(next.response)) return;
		this.waiting.shift();
		next.start();
	}
}
