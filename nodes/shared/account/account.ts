import type { Credential } from '../http/credential';
import type { ServiceRequest } from '../http/exchange';
import { Lane, type LaneName } from './lane';

/** How long an account without requests is remembered, in milliseconds: longer than any pause. */
const LONGEST_IDLE = 600_000;

/** The limits of an account: those of its lanes, between which no signal passes. */
export type Account = Record<LaneName, Lane>;

const accounts = new Map<string, Account>();

/**
 * The account of a credential, shared by all runs of this process that reach it in the same way: trouble with a
 * proxy concerns no other run. It is kept in memory only.
 */
export function accountOf({ idInMemory }: Credential, proxy?: ServiceRequest['proxy']): Account {
	for (const [other, account] of accounts) if (isIdle(account)) accounts.delete(other);
	const key = JSON.stringify([idInMemory, proxy?.host, proxy?.port]);
	const account = accounts.get(key) ?? { jobs: new Lane('jobs'), others: new Lane('others') };
	accounts.set(key, account);
	return account;
}

function isIdle(account: Account): boolean {
	return Object.values(account).every(({ idleTime }) => idleTime > LONGEST_IDLE);
}
