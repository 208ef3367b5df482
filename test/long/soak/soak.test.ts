import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import type { INodeExecutionData } from 'n8n-workflow';

import { startSandbox, type RecordedRequest, type Sandbox } from '../../../sandbox';
import { seededRandom } from '../../../sandbox/random';
import { advance, until, useClock } from '../../support/clock';
import {
	startRetry,
	startWorkflow,
	workflowOf,
	type EngineRun,
	type TestWorkflow,
} from '../../support/engine';
import { useLog } from '../../support/log';
import { carriedOut, isUnknown, keyOf, planOf, prepare, type Plan } from './plan';
import { toldBy, toldIn, type Told } from './told';

/** How many faults it takes. Set SOAK for more. */
const SOAK = Number(process.env.SOAK ?? 400);
/** Set SOAK_SEED to repeat the same executions and faults. With SOAK only, they are others each time. */
const SEED = Number(
	process.env.SOAK_SEED ?? (process.env.SOAK ? Math.floor(Math.random() * 2 ** 31) : 1),
);
const AT_ONCE = 20;

/** An execution, or its end after n8n's Retry button. */
interface Ended extends EngineRun {
	plan: Plan;
	isRetried: boolean;
	cancelledAt: number | undefined;
	/** On the clock of the sandbox's requests. */
	endedAt: number;
	/** The keys carried out, and the requests of each item in order, at the end. */
	isThere: string[];
	sent: RecordedRequest[][];
	/** The summary in the log, if it was cancelled. */
	sum: string | undefined;
}

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ remaining: 1_000_000 });
	process.stdout.write(`Soak of SOAK=${SOAK} with SOAK_SEED=${SEED}\n`);
});
useClock();
// The waits have a jitter.
beforeEach(() => void (Math.random = seededRandom(SEED)));
const log = useLog();
afterAll(async () => await sandbox.stop());

const isFault = ({ fault }: RecordedRequest) => fault !== undefined && fault !== 'delay';
const continues = ({ settings }: Plan) => settings.onError !== undefined;
const itemOf = ({ pairedItem }: INodeExecutionData) => (pairedItem as { item: number }).item;
const isDone = ({ json }: INodeExecutionData) =>
	json.error === undefined && json.status !== 'failed';
const isMaybe = ({ json }: INodeExecutionData) =>
	/may have been (carried out|added)/.test(
		[json.error, json.message, json.reason].map(String).join(' '),
	);

it('each of 20 executions at once reports the truth, whatever happens to the others', async () => {
	const count = { executions: 0, faults: 0, failed: 0, cancelled: 0, retried: 0, continued: 0 };
	for (let first = 0; count.faults < SOAK; first += AT_ONCE) {
		sandbox.reset();
		sandbox.key = `key ${first}`;
		const ended = await round(first);
		for (const one of ended) {
			try {
				expectTruth(one);
				expectLimits(one);
				if (one.cancelledAt === undefined) expectOwnEnd(one);
				else expect(one.sum).toContain(' was cancelled. Of ');
			} catch (error) {
				const { name } = one.plan;
				(error as Error).message = `${name} of SOAK_SEED=${SEED}: ${(error as Error).message}`;
				throw error;
			}
		}
		expectNothingElse(ended.map(({ plan }) => plan));
		if (process.env.SOAK_FILE) appendFileSync(process.env.SOAK_FILE, ended.map(lineOf).join(''));
		count.executions += AT_ONCE;
		count.faults += sandbox.requests.filter(isFault).length;
		count.failed += ended.filter(({ error }) => error !== undefined).length;
		count.cancelled += ended.filter(({ sum }) => sum !== undefined).length;
		count.retried += ended.filter(({ isRetried }) => isRetried).length;
		count.continued += ended.filter(({ plan }) => continues(plan)).length;
	}
	process.stdout.write(`${JSON.stringify(count)}\n`);
	for (const number of Object.values(count)) expect(number).toBeGreaterThan(SOAK / 50);
});

/** What an execution shows a person, for `compare.ts`; the ids of jobs are random. */
function lineOf({ plan, isRetried, error, outputs, sum }: Ended): string {
	const shown = { message: error?.message, description: error?.description, sum, outputs };
	const line = JSON.stringify({ name: plan.name, isRetried, ...shown });
	return `${line.replace(/[\da-f]{8}-[\da-f-]*/g, '<id>')}\n`;
}

/** Runs 20 executions, and presses the Retry button for those that failed. */
async function round(first: number): Promise<Ended[]> {
	const plans = Array.from({ length: AT_ONCE }, (_, index) => planOf(first + index, SEED));
	// Long enough for executions to overlap and to be cancelled during a request.
	sandbox.faults.add({ fault: { kind: 'delay', ms: 10 } });
	for (const plan of plans) prepare(plan, sandbox);
	const ended = await until(Promise.all(plans.map(execute)));
	// After a cancellation, what is in flight may take ten seconds.
	await advance(30_000);
	return ended.flat();
}

async function execute(plan: Plan): Promise<Ended[]> {
	await sleep(plan.startsAfter);
	const workflow = workflowFor(plan);
	const account = {
		baseUrl: sandbox.address,
		apiKey: plan.hasWrongKey ? `wrong key of ${plan.name}` : sandbox.key,
		keyFormat: 'documented',
	};
	const { finished, cancel } = startWorkflow(workflow, account);
	let cancelledAt: number | undefined;
	if (plan.cancelledAfter !== undefined) {
		const timer = setTimeout(() => {
			cancelledAt = performance.now();
			cancel();
		}, plan.cancelledAfter);
		void finished.then(() => clearTimeout(timer));
	}
	const end = await finished;
	if (cancelledAt !== undefined) {
		await sleep(15_000);
		return [endOf(plan, end, cancelledAt)];
	}
	const first = endOf(plan, end);
	if (!end.error) return [first];
	const retried = await startRetry(workflow, end, account).finished;
	return [first, { ...endOf(plan, retried), isRetried: true }];
}

/** The workflow of an execution, whose node has its name. */
function workflowFor({ name, parameters, settings, items }: Plan): TestWorkflow {
	const input = items.map(({ key }) => ({ key }));
	const workflow = workflowOf(parameters, input, { ...settings, name });
	const connections = { Start: { main: [[{ node: name, type: 'main' as const, index: 0 }]] } };
	return { ...workflow, connections };
}

function endOf(plan: Plan, end: EngineRun, cancelledAt?: number): Ended {
	const { name, items } = plan;
	const outputs = (end.run.data.resultData.runData[name]?.at(-1)?.data?.main ?? []).map(
		(branch) => branch ?? [],
	);
	return {
		...{ ...end, outputs, plan, isRetried: false, cancelledAt, endedAt: performance.now() },
		isThere: carriedOut(plan, sandbox),
		sent: items.map(({ key }) => sandbox.requests.filter((request) => keyOf(request) === key)),
		sum: log
			.lines()
			.find((line) => line.startsWith(`${name} (`) && line.includes(' was cancelled. ')),
	};
}

/** What an execution reports. */
function saidBy({ error, outputs, sum }: Ended): Told {
	if (sum !== undefined) return toldIn(sum);
	if (error) return toldBy(error);
	const items = outputs.flat();
	const done = items.filter(isDone);
	return {
		done: done.length,
		ids: done.flatMap((item) => (item.json.job_id ? [String(item.json.job_id)] : [])),
		maybe: items.filter(isMaybe).map(itemOf),
	};
}

/** The service's state matches the report, and nothing was sent twice or after the end. */
function expectTruth(one: Ended): void {
	const { plan, sent, cancelledAt, endedAt, isThere } = one;
	const isSentAgain = plan.settings.retryOnFail === true || one.isRetried;
	// A person's retry sends an add again that may have been carried out: nobody can look one up.
	const isAddedAgain = one.isRetried && ['add', 'addMany'].includes(plan.operation);
	for (const requests of sent) {
		const again = requests.slice(0, -1);
		const isAllowed = (request: RecordedRequest) =>
			isSentAgain ? isAddedAgain || !isUnknown(request) : [429, 503].includes(request.status ?? 0);
		expect(again.filter((request) => !isAllowed(request))).toEqual([]);
		expect(requests.filter((request) => request.carriedOut).length).toBeLessThanOrEqual(
			isAddedAgain ? 2 : 1,
		);
	}
	// Nothing is sent after the end, and what is in flight at a cancellation may take ten seconds.
	const late = sent.flat().filter(({ at }) => at > (cancelledAt ?? endedAt));
	expect(late).toEqual([]);
	const end = cancelledAt === undefined ? endedAt : cancelledAt + 10_000;
	expect(sent.flat().filter((request) => !(request.endedAt! <= end))).toEqual([]);

	const { done, ids, maybe } = saidBy(one);
	const couldBe = (request: RecordedRequest) => isUnknown(request) || request.status! >= 500;
	expect(maybe.filter((item) => !sent[item]!.some(couldBe))).toEqual([]);
	const unknown = [...new Set(maybe)].filter((item) =>
		sent[item]!.some((request) => request.carriedOut),
	);
	expect([plan, isThere.length]).toEqual([plan, done + unknown.length]);
	if (plan.operation !== 'create') return;
	expect(new Set(ids).size).toBe(done);
	const named = sandbox.state.jobs.filter(({ job_id }) => ids.includes(job_id));
	const unknownKeys = unknown.map((item) => plan.items[item]!.key);
	expect([...named.map(({ keyword }) => keyword), ...unknownKeys].sort()).toEqual(
		[...isThere].sort(),
	);
}

/** Concurrency is kept by all requests, and Batching by those of one attempt. */
function expectLimits({ plan, sent, isRetried }: Ended): void {
	const { concurrency = Infinity, batch } = plan;
	const requests = sent.flat().sort((a, b) => a.at - b.at);
	for (const [index, { at }] of requests.entries()) {
		const open = requests.slice(0, index).filter(({ endedAt = Infinity }) => endedAt > at);
		expect(open.length).toBeLessThan(concurrency);
	}
	if (!batch || sent.some(({ length }) => length > 1)) return;
	// After an unknown outcome, a further attempt sends only the others.
	const isAgain = isRetried || plan.settings.retryOnFail;
	if (isAgain && sent.flat().some(isUnknown)) return;
	let started: number[] = [];
	for (const { at } of requests) {
		if (at - (started[0] ?? at) >= batch.batchInterval) started = [];
		started.push(at);
		expect(started.length).toBeLessThanOrEqual(batch.batchSize);
	}
}

/** The end of an execution that was not cancelled depends on its own faults only. */
function expectOwnEnd({ plan, isRetried, error, outputs, sent, sum }: Ended): void {
	expect(sum).toBeUndefined();
	if (plan.hasWrongKey && error) expect(error.message).toBe('The service refused the API key');
	if (error) {
		expect(continues(plan) && plan.operation !== 'addMany').toBe(false);
		const last = sent[error.context.itemIndex as number]!.at(-1)!;
		expect(last.carriedOut && !isUnknown(last)).toBe(false);
		// Nothing is started after a failure; a further attempt begins anew.
		if (isRetried || plan.settings.retryOnFail) return;
		expect(sent.flat().filter(({ at }) => at > last.endedAt!)).toEqual([]);
		return;
	}
	const [results = [], failures = []] = outputs;
	// The error output of Add Many Items has rows whose values failed once more.
	const isMany = plan.operation === 'addMany';
	const items = isMany ? results : outputs.flat();
	if (isMany) {
		const failed = results.filter((output) => !isDone(output)).map(itemOf);
		expect(failed).toEqual(expect.arrayContaining(failures.map(itemOf)));
	}
	// Every item is in exactly one output, in the order of the input.
	expect(items.map(itemOf).sort((a, b) => a - b)).toEqual(plan.items.map((_, item) => item));
	for (const output of outputs) {
		expect(output.map(itemOf)).toEqual(output.map(itemOf).sort((a, b) => a - b));
	}
	const isEnded = sent.flat().some(({ status }) => status === 401 || status === 402);
	for (const output of items) {
		const item = itemOf(output);
		const requests = sent[item]!;
		const isSuccess = requests.some((request) => request.carriedOut && !isUnknown(request));
		expect([item, isDone(output)]).toEqual([item, isSuccess]);
		const isFailed = requests.at(-1)?.status === 500;
		// An add that was unknown, and sent again, is done.
		const isUnsure = isFailed || (!isSuccess && requests.some(isUnknown));
		expect([item, isMaybe(output)]).toEqual([item, isUnsure]);
		// Nothing but its own faults keeps an item from being done, and the end of the account's.
		if (!plan.items[item]!.failure && !isEnded) expect([item, isSuccess]).toEqual([item, true]);
		const key = plan.items[item]!.key;
		const job_id = sandbox.state.jobs.find(({ keyword }) => keyword === key)?.job_id;
		const asIs = { create: { job_id }, add: { success: true }, delete: { deleted: true } };
		const added = { blacklist: 'customers', type: 'domain', value: key, status: 'added' };
		if (isSuccess) expect(output.json).toEqual({ ...asIs, addMany: added }[plan.operation]);
	}
}

function expectNothingElse(plans: Plan[]): void {
	const creating = new Set(plans.filter(({ operation }) => operation !== 'delete'));
	const all = [...creating].flatMap((plan) => carriedOut(plan, sandbox));
	const { jobs, blacklists } = sandbox.state;
	expect(all).toHaveLength(jobs.length + (blacklists.get('customers')?.size ?? 0));
	expect(new Set(all).size).toBe(all.length);
}
