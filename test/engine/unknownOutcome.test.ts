import { ExecuteContext } from 'n8n-core';
import type { INode } from 'n8n-workflow';

import type { Fault } from '../../sandbox';
import { until } from '../support/clock';
import type { Account } from '../support/engine';
import { status } from '../support/faults';
import { ADD_MANY, CREATE, domains, keywords, ONE_BY_ONE } from '../support/parameters';
import { CONTINUE, RETRY_ON_FAIL } from '../support/settings';
import { useEngine } from '../support/useEngine';

const { sandbox, owner, execute, retry, start } = useEngine();

afterEach(() => jest.restoreAllMocks());

/** With Retry On Fail, the second attempt begins after this long, in milliseconds. */
const BETWEEN_TRIES = 1_000;
const RETRY_LATER: Partial<INode> = { ...RETRY_ON_FAIL, waitBetweenTries: BETWEEN_TRIES };

/** The service did it, and its response was lost. */
const LOST: Fault = { kind: 'drop', carryOut: true };

const NOT_SENT_AGAIN = 'Not sent again: the request may have been carried out in an earlier try';

const created = () => sandbox.state.jobs.map(({ keyword }) => keyword);
const jobIds = () => sandbox.state.jobs.map(({ job_id }) => job_id);

/** Acts between the two attempts of Retry On Fail: when so many requests have been answered. */
async function afterFirstAttempt(answered: number): Promise<void> {
	await until(
		() => sandbox.requests.filter(({ endedAt }) => endedAt !== undefined).length === answered,
	);
}

describe('an unknown outcome is reported in every attempt', () => {
	const several = { ...CREATE, options: { concurrency: 3 } };

	it('with what the service said then', async () => {
		const body = { message: 'Job created', data: { id: 'paid-1' } };
		sandbox.faults.add({ times: 1, fault: { kind: 'json', body } });
		const { error } = await execute(ONE_BY_ONE, keywords(1), RETRY_ON_FAIL);
		expect(error?.message).toMatch(NOT_SENT_AGAIN);
		expect(error?.description).toContain('Earlier: The response does not match');
		expect(error?.description).toContain(
			'The service says: "Job created {"data":{"id":"paid-1"}}".',
		);
		expect(sandbox.requests).toHaveLength(1);
	});

	it.each<[string, string, (owner: Account) => void]>([
		['the key is removed', '"API Key" in the credential is empty', (owner) => (owner.apiKey = '')],
		[
			'the credential cannot be read',
			'The database does not respond',
			() =>
				jest
					.spyOn(ExecuteContext.prototype, 'getCredentials')
					.mockRejectedValue(new Error('The database does not respond')),
		],
	])('and the jobs of an earlier one are returned, even if %s', async (_what, message, change) => {
		sandbox.faults.add({ match: 'keyword 0.', fault: status(400) });
		sandbox.faults.add({ match: 'keyword 2.', fault: LOST });
		const { finished } = start(ONE_BY_ONE, keywords(3), { ...RETRY_LATER, ...CONTINUE });
		await afterFirstAttempt(3);
		change(owner);
		const { outputs } = await until(finished);
		expect(outputs[0]!.map(({ json: { job_id } }) => job_id)).toEqual([jobIds()[0]]);
		expect(outputs[1]!.map(({ json: { error } }) => error)).toEqual([message, NOT_SENT_AGAIN]);
	});

	it.each<[string, Partial<INode>]>([
		['with Retry On Fail', RETRY_ON_FAIL],
		["with n8n's Retry button", {}],
	])('for several requests in flight, %s', async (_how, settings) => {
		sandbox.faults.add({ times: 3, fault: LOST });
		let end = await execute(several, keywords(5), settings);
		if (settings !== RETRY_ON_FAIL) end = await retry(end);
		expect(sandbox.requests).toHaveLength(5);
		expect(end.error?.message).toMatch(NOT_SENT_AGAIN);
		expect(end.error?.context.itemIndex).toBe(0);
		expect(end.error?.message).toContain('(paid: 2 of 5 jobs)');
		expect(end.error?.description).toMatch(/Item 1 [^:]*, Item 2 [^:]*: Not sent again/);
	});

	it('even if an earlier item ends the run', async () => {
		sandbox.faults.add({ fault: { kind: 'delay', ms: 30 } });
		sandbox.faults.add({ match: 'keyword 0.', fault: status(400) });
		sandbox.faults.add({ match: 'keyword 2.', fault: LOST });
		const { error } = await execute(several, keywords(5), RETRY_ON_FAIL);
		// In the second attempt, two more are in flight beside the one that ends the run.
		expect(sandbox.state.jobs).toHaveLength(4);
		expect(error?.httpCode).toBe('400');
		expect(error?.message).toContain('(paid: 3 of 5 jobs)');
		expect(error?.description).toMatch(/Item 2 .*: Not sent again/);
	});

	it('by Add Many Items', async () => {
		sandbox.faults.add({ times: 3, fault: LOST });
		const parameters = { ...ADD_MANY, options: { concurrency: 3 } };
		const items = domains(5);
		const { error } = await execute(parameters, items, RETRY_ON_FAIL);
		expect(sandbox.requests).toHaveLength(5);
		expect(error?.message).toMatch(NOT_SENT_AGAIN);
		const others = items.slice(1, 3).map(({ value }) => `"${String(value)}"`);
		expect(error?.description).toContain(`${others.join(', ')}: Not sent again`);
	});
});

describe('an unknown outcome of an earlier attempt ends a run last:', () => {
	/** Fails at these jobs of forty, whose connection breaks before they are created. */
	async function failAt(...broken: number[]) {
		for (const job of broken) {
			sandbox.faults.add({ match: `keyword ${job}.`, times: 1, fault: { kind: 'drop' } });
		}
		const failed = await execute({ ...CREATE, options: { concurrency: 5 } }, keywords(40));
		const expectCreated = (count: number) => {
			expect(new Set(created()).size).toBe(created().length);
			expect(created()).toHaveLength(count);
		};
		return { failed, expectCreated };
	}

	it('Retry creates all other jobs, names this one, and sends nothing the next time', async () => {
		const { failed, expectCreated } = await failAt(3);
		let end = await retry(failed);
		expectCreated(39);
		const { length } = sandbox.requests;
		for (let time = 0; time < 2; time++) end = await retry(end);
		expect(sandbox.requests).toHaveLength(length);
		expect(end.error?.message).toMatch(NOT_SENT_AGAIN);
		expect(end.error?.context.itemIndex).toBe(3);
		expect(end.error?.message).toContain('(paid: 39 of 40 jobs)');
		expect(end.error?.description).toContain(
			'run the workflow with only the items on the error output that are missing in your account,',
		);
	});

	it.each([
		['rejected', 400],
		['unknown', 502],
	])('a failure of this attempt ends it at once, and is shown: %s', async (_what, code) => {
		const { failed } = await failAt(3);
		sandbox.faults.add({ match: 'keyword 12.', fault: status(code) });
		const { error } = await retry(failed);
		expect(error?.httpCode).toBe(String(code));
		expect(error?.context.itemIndex).toBe(12);
		expect(error?.description).toMatch(/Item 3 .*: (?:Not sent again|The connection)/);
		expect(created()).not.toContain('keyword 39.');
	});

	/** Retries, with the keyword of an item blank in the second attempt. */
	async function blankLater(item: number) {
		sandbox.faults.add({ match: 'keyword 1.', times: 1, fault: { kind: 'drop' } });
		const keyword = `={{ $now.second > 0 && $itemIndex === ${item} ? " " : $json.keyword }}`;
		return { sandbox, ...(await execute({ ...ONE_BY_ONE, keyword }, keywords(4), RETRY_LATER)) };
	}

	it('another item that is invalid now ends it before anything is sent, and is shown', async () => {
		const { sandbox, error } = await blankLater(3);
		expect(error?.message).toBe('"Keyword" is empty (paid: 1 of 4 jobs)');
		expect(error?.description).toMatch(/Item 1 .*: Not sent again/);
		expect(sandbox.requests).toHaveLength(2);
	});

	it('if this item is invalid now, the others are sent all the same', async () => {
		const { sandbox, error } = await blankLater(1);
		expect(error?.message).toMatch(NOT_SENT_AGAIN);
		expect(sandbox.requests).toHaveLength(4);
	});
});
