import type { INode } from 'n8n-workflow';

/** "Retry On Fail" with one more attempt, at once. */
export const RETRY_ON_FAIL: Partial<INode> = {
	retryOnFail: true,
	maxTries: 2,
	waitBetweenTries: 1,
};

/** "Continue (using error output)". */
export const CONTINUE: Partial<INode> = { onError: 'continueErrorOutput' };
