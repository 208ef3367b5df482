import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { startSandbox, type Fault, type RecordedRequest, type Sandbox } from '../../../sandbox';
import { startWorkflow, workflowOf, type EngineRun, type TestWorkflow } from '../../support/engine';
import { useLog } from '../../support/log';
import { useQuickTimeouts } from '../../support/quickTimeouts';
import {
	expectSentOnce,
	isUnknown,
	itemOf,
	SEED,
	SOAK,
	told,
	toldIn,
	useSoak,
	type Told,
} from '../../support/soak';
import type * as virtualClock from '../../support/virtualClock';
import { useVirtualClock } from '../../support/virtualClock';
import { carriedOut, keyOf, planOf, prepare, type Plan } from './plan';

jest.mock('../../../nodes/shared/time', () =>
	jest.requireActual<typeof virtualClock>('../../support/virtualClock').withVirtualPause(),
);
useVirtualClock();
// Virtual waits, but with real jitter.
beforeEach(() => jest.mocked(Math.random).mockRestore());

/** Shortens the timeout of stalled bodies. */
useQuickTimeouts(10);
const log = useLog();
useSoak();

const AT_ONCE = 20;

/** An execution that has ended. */
interface Ended extends EngineRun {
	plan: Plan;
	/** On the clock of the sandbox's requests. */
	endedAt: number;
	/** The requests of each item, in order. */
	sent: RecordedRequest[][];
	/** The summary in the log, if it was cancelled. */
	sum: string | undefined;
}

let sandbox: Sandbox;
const ended: Ended[] = [];
/** The number of other running executions at the end of each. */
const others: number[] = [];

const isFault = ({ fault }: RecordedRequest) => fault !== undefined && fault !== 'delay';

beforeEach(async () => {
	sandbox = await startSandbox({ seed: SEED, remaining: 1_000_000 });
	// Long enough for executions to overlap and to be cancelled during a request.
	sandbox.faults.add({ fault: { kind: 'delay', ms: 10 } });
});

afterEach(async () => await sandbox.stop());

/** Runs executions, 20 at a time, until the requested number of faults is reached. */
async function soak(): Promise<void> {
	let underWay = 0;
	let next = 0;
	const oneAfterAnother = async () => {
		while (sandbox.requests.filter(isFault).length < SOAK) {
			underWay += 1;
			ended.push(await execute(planOf(next++, SEED)));
			others.push((underWay -= 1));
		}
	};
	// The first one alone: n8n loads modules on first use.
	ended.push(await execute(planOf(next++, SEED)));
	await Promise.all(Array.from({ length: AT_ONCE }, oneAfterAnother));
	await sleep(20);
	sandbox.faults.clear();
	const byKey = new Map<string, RecordedRequest[]>();
	for (const request of sandbox.requests) {
		const key = keyOf(request);
		byKey.set(key, [...(byKey.get(key) ?? []), request]);
	}
	for (const one of ended) one.sent = one.plan.items.map(({ key }) => byKey.get(key) ?? []);
}

async function execute(plan: Plan): Promise<Ended> {
	const { name, items, stopAfter, hasWrongKey } = plan;
	prepare(plan, sandbox);
	const before = sandbox.requestCount;
	const { finished, cancel } = startWorkflow(workflowFor(plan), {
		baseUrl: sandbox.address,
		apiKey: hasWrongKey ? `wrong key of ${name}` : sandbox.key,
		keyFormat: 'documented',
	});
	let isOver = false;
	void finished.then(() => (isOver = true));
	const own = new Set(items.map(({ key }) => key));
	const isOwn = (request: RecordedRequest) => own.has(keyOf(request));
	while (stopAfter !== undefined && !isOver) {
		if (sandbox.requests.slice(before).filter(isOwn).length >= stopAfter) break;
		await sleep(2);
	}
	if (stopAfter !== undefined) cancel();
	const end = await finished;
	const outputs = (end.run.data.resultData.runData[name]?.at(-1)?.data?.main ?? []).map(
		(branch) => branch ?? [],
	);
	const json = (outputs[0] ?? []).map((item) => item.json);
	const sum = log.lines().find((line) => line.startsWith(`${name} was cancelled.`));
	return { ...end, outputs, json, plan, endedAt: performance.now(), sent: [], sum };
}

/** The workflow of an execution, whose node has its name. */
function workflowFor({ name, parameters, settings, items }: Plan): TestWorkflow {
	const input = items.map(({ key, more }) => ({ key, ...more }));
	const workflow = workflowOf(parameters, input, { ...settings, name });
	const connections = { Start: { main: [[{ node: name, type: 'main' as const, index: 0 }]] } };
	return { ...workflow, connections };
}

const continues = ({ settings }: Plan) => settings.onError !== undefined;

/** Whether an item of the output was done; those of Add Many Items have a status. */
const isDone = ({ json }: INodeExecutionData) =>
	json.error === undefined && json.status !== 'failed';
const isMaybe = ({ json }: INodeExecutionData) =>
	/may have been (carried out|added)/.test(
		[json.error, json.message, json.reason].map(String).join(' '),
	);

/** What an execution reports as done. */
function saidBy({ error, outputs, json, sum }: Ended): Told {
	if (sum !== undefined) return toldIn(sum);
	if (error) return told({ error, json });
	const items = outputs.flat();
	const done = items.filter(isDone);
	return {
		done: done.length,
		ids: done.flatMap((item) => (item.json.job_id ? [String(item.json.job_id)] : [])),
		maybe: items.filter(isMaybe).map(itemOf),
	};
}

it('each of 20 concurrent executions reports the truth, whatever happens to the others', async () => {
	await soak();
	expect(others.filter((count) => count === AT_ONCE - 1).length).toBeGreaterThan(ended.length / 3);
	expect(sandbox.maxInFlight).toBeGreaterThan(5);
	const count = (is: (one: Ended) => boolean) => ended.filter(is).length;
	process.stdout.write(
		`${ended.length} executions at once met ${sandbox.requests.filter(isFault).length} faults: ${count(({ error }) => error !== undefined)} failed, ${count(({ sum }) => sum !== undefined)} were stopped, ${count(({ plan }) => plan.hasWrongKey)} had a refused key, ${count(({ plan }) => continues(plan))} with Continue\n`,
	);
	for (const one of ended) {
		try {
			expectTruth(one);
			if (one.plan.stopAfter === undefined) expectItsOwnEnd(one);
		} catch (error) {
			(error as Error).message = `${one.plan.name}: ${(error as Error).message}`;
			throw error;
		}
	}
	// Nothing else exists in the service.
	const all = ended.flatMap(({ plan }) =>
		plan.operation === 'delete' ? [] : carriedOut(plan, sandbox),
	);
	const { jobs, blacklists } = sandbox.state;
	expect(all).toHaveLength(jobs.length + blacklists.get('customers')!.size);
	expect(new Set(all).size).toBe(all.length);
});

/** The service's state matches the report, and nothing was sent twice or after the end. */
function expectTruth(one: Ended): void {
	const { plan, sent, sum, endedAt } = one;
	expectSentOnce(sent, (request) =>
		plan.settings.retryOnFail ? !isUnknown(request) : [429, 503].includes(request.status ?? 0),
	);
	// A request abandoned at a cancellation can arrive late; its outcome is unknown then.
	const late = sent.flat().filter(({ at }) => sum === undefined && at > endedAt);
	expect(late).toEqual([]);

	const { done, ids, maybe } = saidBy(one);
	const isThere = carriedOut(plan, sandbox);
	const unknown = [...new Set(maybe)].filter((item) =>
		sent[item]!.some((request) => request.carriedOut),
	);
	// After a cancellation, it can also be answered a moment later.
	const unasked = maybe.filter((item) => sum === undefined && !sent[item]!.some(isUnknown));
	expect([unasked, unasked.map((item) => sent[item])]).toEqual([[], []]);
	expect([plan, isThere.length]).toEqual([plan, done + unknown.length]);
	if (plan.operation !== 'create') return;
	expect(new Set(ids).size).toBe(done);
	const named = sandbox.state.jobs.filter(({ job_id }) => ids.includes(job_id));
	const unknownKeys = unknown.map((item) => plan.items[item]!.key);
	expect([...named.map(({ keyword }) => keyword), ...unknownKeys].sort()).toEqual(isThere.sort());
}

/** The end of an execution that was not cancelled depends on its own faults only. */
function expectItsOwnEnd(one: Ended): void {
	const { plan, error, outputs, sent, sum } = one;
	const { items, operation, hasWrongKey } = plan;
	expect(sum).toBeUndefined();
	if (hasWrongKey) expect(carriedOut(plan, sandbox)).toEqual([]);
	const failsAt = items.flatMap(({ failure }, item) => (failure || hasWrongKey ? [item] : []));
	const ends = failsAt.filter((item) => !goesOn(plan, items[item]!.failure?.fault));
	if (ends.length > 0) {
		if (plan.settings.retryOnFail && !error) return;
		expect(error).toBeDefined();
		const at = error!.context.itemIndex as number;
		expect(ends).toContain(at);
		if (hasWrongKey) expect(error!.message).toBe('The service refused the API key');
		const last = sent[at]!.at(-1)!;
		expect(last.carriedOut && !isUnknown(last)).toBe(false);
		return;
	}
	// Every item ends in exactly one branch, in input order.
	expect(error).toBeUndefined();
	const [done, failed] = [outputs.flat().filter(isDone), outputs.flat().filter((o) => !isDone(o))];
	// With Retry On Fail, some are carried out in the second attempt.
	const isMended = (item: number) =>
		plan.settings.retryOnFail && sent[item]!.some((one) => one.carriedOut && !isUnknown(one));
	const failedAt = failed.map(itemOf);
	expect(failedAt).toEqual(failsAt.filter((item) => !isMended(item)));
	expect([...done, ...failed].map(itemOf).sort((a, b) => a - b)).toEqual(items.map((_, at) => at));
	if (operation !== 'addMany' && plan.settings.onError === 'continueErrorOutput') {
		expect(outputs[1]!.map(itemOf)).toEqual(failedAt);
	}
	for (const output of failed) {
		const item = itemOf(output);
		expect([item, isMaybe(output)]).toEqual([item, sent[item]!.some(isUnknown)]);
	}
	for (const output of done) {
		const { key } = items[itemOf(output)]!;
		const job = sandbox.state.jobs.find(({ keyword }) => keyword === key);
		expect(output.json).toEqual(outputOf(operation, key, job?.job_id));
	}
}

/** Whether an execution continues after a fault; without one, after its refused key. */
function goesOn(plan: Plan, fault?: Fault): boolean {
	if (continues(plan)) return true;
	if (plan.operation !== 'addMany' || !fault) return false;
	return fault.kind === 'successFalse' || (fault.kind === 'status' && fault.status === 400);
}

function outputOf(operation: Plan['operation'], key: string, jobId?: string): IDataObject {
	switch (operation) {
		case 'create':
			return { job_id: jobId };
		case 'add':
			return { success: true };
		case 'addMany':
			return { blacklist: 'customers', type: 'domain', value: key, status: 'added' };
		case 'delete':
			return { deleted: true };
	}
}
