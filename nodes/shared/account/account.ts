import type { Credential } from '../http/credential';
import type { ServiceRequest } from '../http/exchange';
import { Lane, type LaneName } from './lane';

/** How long an account without requests is remembered, in milliseconds: longer than any pause. */
const LONGEST_IDLE = 600_000;

/** The lanes of an account. Neither knows what the other meets. */
export type Account = Record<LaneName, Lane>;

const accounts = new Map<string, Account>();

/**
 * The account of a credential, shared by all runs of this process that reach it through the same proxy:
 * trouble with a proxy says nothing about the others. It is kept in memory only.
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
