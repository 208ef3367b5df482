import type { Health } from '../errors/outcomes';

/** After so many requests in a row that met trouble, the service is taken to be in trouble. */
const TROUBLES_IN_A_ROW = 3;
/** The first pause and the longest, in milliseconds: soon enough for a short outage, and rare in a long one. */
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 30_000;

/**
 * A circuit breaker: pauses a lane while its requests meet trouble, so that a long run does not send
 * everything into an outage. After a few in a row, nothing starts for a pause. Then one request probes the
 * service: if it meets trouble too, the next pause is twice as long. When the service answers, all go on. All
 * times are in milliseconds, by the caller's clock.
 */
export class Breaker {
	private troublesInARow = 0;
	/** The latest pause; 0 without trouble. */
	private pause = 0;
	private pausedUntil = 0;
	/** When the latest pause ends. Trouble with a request that started before that no longer counts. */
	private resumedAt = 0;

	/** True from the first pause until the service answers. */
	get isOpen(): boolean {
		return this.pause > 0;
	}

	/** @returns how long nothing starts */
	waitLeft(now: number): number {
		return Math.max(0, this.pausedUntil - now);
	}

	/** @returns how long until the pause is over; 0 while a request probes the service */
	pauseLeft(now: number): number {
		return Math.max(0, this.resumedAt - now);
	}

	/** The first request after a pause is the probe: the others wait for its end. */
	started(now: number): void {
		if (this.pause > 0) this.pausedUntil = now + LONGEST_PAUSE;
	}

	ended(now: number, health: Health, startedAt: number): void {
		if (health === 'answered' || health === 'throttled') {
			this.troublesInARow = this.pause = this.pausedUntil = this.resumedAt = 0;
		} else if (startedAt >= this.resumedAt) {
			if (health === 'trouble') this.meetTrouble(now);
			else if (this.pause > 0) this.pausedUntil = now;
		}
	}

	private meetTrouble(now: number): void {
		this.troublesInARow += 1;
		if (this.troublesInARow < TROUBLES_IN_A_ROW) return;
		this.pause = Math.min(2 * this.pause || FIRST_PAUSE, LONGEST_PAUSE);
		this.resumedAt = this.pausedUntil = now + this.pause;
	}
}
