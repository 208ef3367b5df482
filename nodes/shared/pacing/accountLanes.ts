import type { Credential } from '../service/credential';
import type { ServiceRequest } from '../service/exchange';
import { Lane, type LaneName } from './lane';

/** How long an account without requests is remembered, in milliseconds: longer than any pause. */
const LONGEST_IDLE = 600_000;

/** The lanes of an account. Neither knows what the other meets. */
export type Lanes = Record<LaneName, Lane>;

const lanesByAccount = new Map<string, Lanes>();

/**
 * The lanes of the account of a credential, shared by all runs of this process that reach it through the same proxy:
 * trouble with a proxy says nothing about the others. They are kept in memory only.
 */
export function lanesOf({ idInMemory }: Credential, proxy?: ServiceRequest['proxy']): Lanes {
	for (const [other, lanes] of lanesByAccount) {
		const isIdle = Object.values(lanes).every(({ idleTime }) => idleTime > LONGEST_IDLE);
		if (isIdle) lanesByAccount.delete(other);
	}
	const key = JSON.stringify([idInMemory, proxy?.host, proxy?.port]);
	const lanes = lanesByAccount.get(key) ?? { jobs: new Lane('jobs'), others: new Lane('others') };
	lanesByAccount.set(key, lanes);
	return lanes;
}
