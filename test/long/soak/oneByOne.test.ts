import { AUTOMATIC } from '../../../nodes/shared/account/account';
import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject, INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import {
	blacklistOf,
	startSandbox,
	type Fault,
	type RecordedRequest,
	type Sandbox,
} from '../../../sandbox';
import { seededRandom } from '../../../sandbox/random';
import {
	retryWorkflow,
	runWorkflow,
	startWorkflow,
	workflowOf,
	type EngineRun,
} from '../../support/engine';
import { useLog } from '../../support/log';
import { ADD, CREATE, DELETE, listNamed } from '../../support/parameters';
import { CONTINUE, RETRY_ON_FAIL } from '../../support/settings';
import { useQuickTimeouts } from '../../support/quickTimeouts';
import {
	CARRIED_OUT,
	expectSentOnce,
	FAILED,
	isUnknown,
	itemIn,
	itemOf,
	LOST,
	MAYBE,
	REJECTED,
	SEED,
	SOAK,
	TOLD_TO_WAIT,
	told,
	toldIn,
	useSoak,
} from '../../support/soak';
import type * as virtualClock from '../../support/virtualClock';
import { useRealTime, useVirtualClock } from '../../support/virtualClock';

jest.mock('../../../nodes/shared/time', () =>
	jest.requireActual<typeof virtualClock>('../../support/virtualClock').withVirtualPause(),
);
useVirtualClock();
// Virtual waits, but with real jitter.
beforeEach(() => jest.mocked(Math.random).mockRestore());

/** Shortens the timeout of stalled bodies. */
const QUICK = 10;
const TIMEOUT = 20_000;
useQuickTimeouts(QUICK);
const log = useLog();

/** The number of items per operation. */
const ITEMS = SOAK;
useSoak();

/** An operation, with keys that identify its items in the input and in the service. */
interface Operation {
	parameters: INodeParameters;
	concurrency: number;
	/** The most that it allows in flight in the end. */
	most: number;
	/** The key of an item: what it creates, adds or deletes. */
	keyOf: (item: number) => string;
	sentKey: (request: RecordedRequest) => string;
	/** The keys carried out according to the service's state, including repeated ones. */
	carriedOut: (sandbox: Sandbox) => string[];
	prepare?: (sandbox: Sandbox, count: number) => void;
}

/** As a text from an expression. */
const TIMED = { requestOptions: { timeout: `={{ "${TIMEOUT}" }}` } };

const OPERATIONS: Record<string, Operation> = {
	'Job: Create': {
		parameters: { ...CREATE, ...TIMED, keyword: '={{ $json.key }}', options: { concurrency: 4 } },
		concurrency: 4,
		most: 4,
		keyOf: (item) => `keyword ${item}`,
		sentKey: ({ body }) => String((body as IDataObject).keyword),
		carriedOut: ({ state }) => state.jobs.map(({ keyword }) => keyword),
	},
	'Blacklist: Add Item': {
		parameters: { ...ADD, ...TIMED, value: '={{ $json.key }}' },
		concurrency: 5,
		most: AUTOMATIC.others.most,
		keyOf: (item) => `site-${item}.example.com`,
		sentKey: ({ body }) => String((body as IDataObject).value),
		carriedOut: ({ state }) =>
			[...(state.blacklists.get('customers')?.values() ?? [])].map(({ value }) => value),
	},
	'Blacklist: Delete': {
		parameters: { ...DELETE, ...TIMED, blacklist: listNamed('={{ $json.key }}') },
		concurrency: 5,
		most: AUTOMATIC.others.most,
		keyOf: (item) => `list ${item}`,
		sentKey: ({ path }) => decodeURIComponent(path.split('/').at(-1)!),
		carriedOut: ({ state, requests }) =>
			[...new Set(requests.map(OPERATIONS['Blacklist: Delete']!.sentKey))].filter(
				(name) => !state.blacklists.has(name),
			),
		prepare: ({ state }, count) => {
			for (let item = 0; item < count; item++) state.blacklists.set(`list ${item}`, blacklistOf());
		},
	},
};

interface Soaked extends EngineRun {
	sandbox: Sandbox;
	/** The requests of each item, in order. */
	sent: RecordedRequest[][];
}

interface Plan {
	count: number;
	seed: number;
	/** The share of requests with a fault, evenly distributed over the faults. */
	faulty: number;
	faults: Fault[];
	settings: Partial<INode>;
}

async function soak(operation: Operation, plan: Plan): Promise<Soaked> {
	const { count, seed, faulty, faults, settings } = plan;
	const sandbox = await startSandbox({ seed, remaining: 1_000_000 });
	try {
		operation.prepare?.(sandbox, count);
		const probability = 1 - (1 - faulty) ** (1 / faults.length);
		// Fills the concurrency at the start.
		sandbox.faults.add({ times: 20, fault: { kind: 'delay', ms: 20 } });
		sandbox.faults.add({ probability: 0.05, fault: { kind: 'delay', ms: 2 } });
		for (const fault of faults) sandbox.faults.add({ probability, fault });

		const items = Array.from({ length: count }, (_, item) => ({ key: operation.keyOf(item) }));
		const account = { baseUrl: sandbox.address, apiKey: sandbox.key, keyFormat: 'documented' };
		const run = await runWorkflow(workflowOf(operation.parameters, items, settings), account);
		const byKey = new Map<string, RecordedRequest[]>(items.map(({ key }) => [key, []]));
		for (const request of sandbox.requests) byKey.get(operation.sentKey(request))!.push(request);
		return { ...run, sandbox, sent: [...byKey.values()] };
	} finally {
		await sandbox.stop();
	}
}

const NOT_DOCUMENTED = 'The service does not document whether it carried out the request';

/** The output of a successful item. */
const OUTPUT: Record<string, IDataObject> = {
	'Job: Create': { job_id: expect.any(String) },
	'Blacklist: Add Item': { success: true },
	'Blacklist: Delete': { deleted: true },
};

describe.each(Object.entries(OPERATIONS))('%s, with Continue', (name, operation) => {
	it('reports the true outcome of every item', async () => {
		const { sandbox, sent, outputs, error } = await soak(operation, {
			count: ITEMS,
			seed: SEED,
			faulty: 0.3,
			faults: [...TOLD_TO_WAIT, ...REJECTED, ...FAILED, ...CARRIED_OUT, ...LOST],
			settings: CONTINUE,
		});
		const [done, failed] = outputs as [INodeExecutionData[], INodeExecutionData[]];
		expect(error).toBeUndefined();

		// Ensures that there were enough faults.
		const faults = sandbox.requests.filter(({ fault }) => fault && fault !== 'delay');
		expect(faults.length).toBeGreaterThan(ITEMS / 5);
		expect(done.length).toBeGreaterThan(ITEMS / 3);
		expect(failed.length).toBeGreaterThan(ITEMS / 20);

		// Every item ends in exactly one branch, in input order.
		for (const items of [done.map(itemOf), failed.map(itemOf)]) {
			expect(items).toEqual([...items].sort((a, b) => a - b));
		}
		expect([...done, ...failed].map(itemOf).sort((a, b) => a - b)).toEqual(
			Array.from({ length: ITEMS }, (_, item) => item),
		);

		// Only requests that were told to wait are sent again.
		expectSentOnce(sent, ({ status: code }) => code === 429 || code === 503);
		expect(Math.min(...sent.map(({ length }) => length))).toBe(1);
		expect(sandbox.maxInFlight).toBeGreaterThanOrEqual(operation.concurrency);
		expect(sandbox.maxInFlight).toBeLessThanOrEqual(operation.most);

		// Successful items were carried out; failed ones report exactly the unknown outcomes.
		const lastOf = (output: INodeExecutionData) => sent[itemOf(output)]!.at(-1)!;
		for (const output of done) {
			const { status: code, fault, carriedOut } = lastOf(output);
			expect([code, carriedOut]).toEqual([200, true]);
			expect([undefined, 'delay']).toContain(fault);
			expect(output.json).toEqual(OUTPUT[name]);
		}
		for (const output of failed) {
			// n8n adds the fields of the input item.
			const { key, ...told } = output.json;
			expect(key).toBe(operation.keyOf(itemOf(output)));
			expect(told).toEqual({ error: expect.any(String), message: expect.any(String) });
			const message = String(output.json.message);
			expect(message.includes(MAYBE)).toBe(isUnknown(lastOf(output)));
			expect(message.includes(NOT_DOCUMENTED)).toBe(lastOf(output).status === 500);
		}

		// The service stores the successful items, once each, and of the others at most those
		// reported as unknown, once each.
		const maybe = failed.filter(({ json }) => String(json.message).includes(MAYBE));
		const carriedOut = maybe.filter((output) => lastOf(output).carriedOut);
		expect(operation.carriedOut(sandbox).sort()).toEqual(
			[...done, ...carriedOut].map((output) => operation.keyOf(itemOf(output))).sort(),
		);
		const idOf = new Map(sandbox.state.jobs.map(({ keyword, job_id }) => [keyword, job_id]));
		for (const output of name === 'Job: Create' ? done : []) {
			expect(output.json.job_id).toBe(idOf.get(operation.keyOf(itemOf(output))));
		}
	});
});

describe('Job: Create, with Retry On Fail', () => {
	const settings = RETRY_ON_FAIL;
	const runs = Math.ceil(ITEMS / 10);
	const parameters = (concurrency: number) => ({
		...OPERATIONS['Job: Create']!,
		parameters: {
			...CREATE,
			...TIMED,
			keyword: '={{ $json.key }}',
			groupName: '={{ $now.toISO() + Math.random() }}',
			options: { concurrency },
		},
	});

	async function expectNoJobLost(concurrency: number, faulty: number, faults: Fault[]) {
		let jobs = 0;
		let unknownJobs = 0;
		for (let run = 0; run < runs; run++) {
			const plan = { count: 30, seed: SEED + run, faulty, faults, settings };
			const soaked = await soak(parameters(concurrency), plan);
			const { sandbox, sent } = soaked;
			const { ids, maybe } = told(soaked);

			// Every unlisted job belongs to an item reported as unknown, once each.
			const known = new Set(ids);
			expect(known.size).toBe(ids.length);
			const ofOthers = sandbox.state.jobs.filter(({ job_id }) => !known.has(job_id));
			expect(sandbox.state.jobs).toHaveLength(known.size + ofOthers.length);
			const carriedOut = maybe.filter((item) => sent[item]!.some((request) => request.carriedOut));
			expect([plan.seed, ofOthers.map(({ keyword }) => keyword).sort()]).toEqual([
				plan.seed,
				carriedOut.map((item) => `keyword ${item}`).sort(),
			]);
			for (const item of maybe) expect(sent[item]!.some(isUnknown)).toBe(true);

			expectSentOnce(sent, (request) => !isUnknown(request));
			expect(sandbox.maxInFlight).toBeLessThanOrEqual(concurrency);
			jobs += sandbox.state.jobs.length;
			unknownJobs += carriedOut.length;
		}
		expect(jobs).toBeGreaterThan(runs);
		expect(unknownJobs).toBeGreaterThan(0);
	}

	const ALL = [...TOLD_TO_WAIT, ...REJECTED, ...FAILED, ...CARRIED_OUT];

	it('lists every job, or reports its item as unknown, one by one', async () => {
		await expectNoJobLost(1, 0.15, ALL);
	});

	it('lists every job, or reports its item as unknown, four at once', async () => {
		await expectNoJobLost(4, 0.5, ALL);
	});

	it('reports both of two unknown items', async () => {
		const both = { count: 2, seed: 1, faulty: 1, faults: CARRIED_OUT, settings };
		const { error } = await soak(parameters(2), both);
		expect(told({ error } as EngineRun).maybe).toEqual([0, 1]);
		expect(error?.description).toContain('2 failed, 0 were not started');
	});
});

describe('Job: Create, cancelled at any moment', () => {
	// The grace period of ten seconds is shortened too.
	useQuickTimeouts(5 * QUICK);
	const runs = Math.ceil(ITEMS / 10);
	const COUNT = 30;

	it('lists every job in its output or in the log, or reports its item as unknown', async () => {
		let jobs = 0;
		let unknownJobs = 0;
		for (let run = 0; run < runs; run++) {
			const seed = SEED + run;
			const random = seededRandom(seed);
			const pick = <T>(...choices: T[]): T => choices[Math.floor(random() * choices.length)]!;
			const concurrency = pick(1, 2, 4);
			const settings: Partial<INode> = pick(
				{},
				CONTINUE,
				{ onError: 'continueRegularOutput' },
				RETRY_ON_FAIL,
			);
			const parameters = {
				...CREATE,
				keyword: '={{ $json.key }}',
				groupName: pick('API', '={{ $now.toISO() + Math.random() }}'),
				options: { concurrency },
				requestOptions: {
					timeout: pick<string | number>(`={{ "${TIMEOUT}" }}`, TIMEOUT + 0.5),
					...pick({}, { batching: { batch: { batchSize: pick(1, 3, 10), batchInterval: 5 } } }),
				},
			} as INodeParameters;
			const items = Array.from({ length: COUNT }, (_, item) => ({ key: `keyword ${item}` }));
			const sandbox = await startSandbox({ seed, remaining: 1_000_000 });
			try {
				const faults = [...TOLD_TO_WAIT, ...REJECTED, ...FAILED, ...CARRIED_OUT, ...LOST];
				sandbox.faults.add({ fault: { kind: 'delay', ms: pick(0, 2, 10) } });
				for (const fault of faults) {
					sandbox.faults.add({ probability: pick(0, 0.01, 0.05), fault });
				}
				const account = { baseUrl: sandbox.address, apiKey: sandbox.key, keyFormat: 'documented' };
				const logged = log.lines().length;
				const { finished, cancel } = startWorkflow(
					workflowOf(parameters, items, settings),
					account,
				);
				let isOver = false;
				void finished.then(() => (isOver = true));
				const stopAt = Math.floor(random() * COUNT);
				while (!isOver && sandbox.requests.length < stopAt) await sleep(1);
				if (pick(true, false)) await sleep(5 * random());
				cancel();
				const end = await finished;
				const { length } = sandbox.requests;
				await sleep(20);
				expect([seed, sandbox.requests.length]).toEqual([seed, length]);

				const given = end.outputs.flat();
				const sums = log
					.lines()
					.slice(logged)
					.filter((line) => line.includes('was cancelled'));
				const said = [...sums.map(toldIn), told({ ...end, json: [] })];
				const ids = new Set([
					...given.map(({ json }) => json.job_id).filter((id) => id !== undefined),
					...said.flatMap((one) => one.ids),
				]);
				const maybe = new Set([
					...given.filter(({ json }) => String(json.message).includes(MAYBE)).map(itemOf),
					...said.flatMap((one) => one.maybe),
				]);
				// Every listed job exists; every other belongs to an item reported as unknown.
				const known = new Set(sandbox.state.jobs.map(({ job_id }) => job_id));
				expect([seed, [...ids].filter((id) => !known.has(String(id)))]).toEqual([seed, []]);
				const unnamed = sandbox.state.jobs.filter(({ job_id }) => !ids.has(job_id));
				const unsaid = unnamed.filter(({ keyword }) => !maybe.has(itemIn(keyword)));
				expect([seed, settings, unsaid]).toEqual([seed, settings, []]);
				// None exists twice.
				const keywords = sandbox.state.jobs.map(({ keyword }) => keyword);
				expect([seed, keywords.length]).toEqual([seed, new Set(keywords).size]);
				expect(sandbox.maxInFlight).toBeLessThanOrEqual(concurrency);
				jobs += sandbox.state.jobs.length;
				unknownJobs += unnamed.length;
			} finally {
				await sandbox.stop();
			}
		}
		expect(jobs).toBeGreaterThan(runs);
		expect(unknownJobs).toBeGreaterThan(0);
	});
});

describe('Job: Create, with Batching', () => {
	const runs = Math.ceil(ITEMS / 100);
	const COUNT = 20;
	/** How much too early a request may arrive, because the one before was late. */
	const JITTER = 60;

	it("keeps the batches and creates each job once, with Retry On Fail and n8n's Retry button", async () => {
		for (let run = 0; run < runs; run++) {
			useRealTime();
			const seed = SEED + run;
			const random = seededRandom(seed);
			const pick = <T>(...choices: T[]): T => choices[Math.floor(random() * choices.length)]!;
			const batchSize = pick(1, 3, 5, 8);
			const batchInterval = 100;
			const parameters = {
				...CREATE,
				keyword: '={{ $json.key }}',
				groupName: '={{ $now.toISO() + Math.random() }}',
				// Enough for a whole batch to be in flight.
				options: { concurrency: COUNT },
				requestOptions: {
					timeout: TIMEOUT + 0.5,
					batching: { batch: { batchSize, batchInterval } },
				},
			};
			const settings: Partial<INode> = pick({}, CONTINUE, {
				retryOnFail: true,
				maxTries: 3,
				waitBetweenTries: 3 * batchInterval,
			});
			const sandbox = await startSandbox({ seed, remaining: 1_000_000 });
			try {
				const isCarriedOut = random() < 0.5;
				const faults = [...REJECTED, ...FAILED, ...(isCarriedOut ? CARRIED_OUT : [])];
				for (const fault of faults) sandbox.faults.add({ probability: 0.03, fault });
				const account = { baseUrl: sandbox.address, apiKey: sandbox.key, keyFormat: 'documented' };
				const items = Array.from({ length: COUNT }, (_, item) => ({ key: `keyword ${item}` }));
				const workflow = workflowOf(parameters, items, settings);
				const end = await runWorkflow(workflow, account);
				sandbox.requests.forEach(({ at }, index) => {
					const next = sandbox.requests[index + batchSize];
					if (next) {
						expect([seed, next.at - at > batchInterval - JITTER]).toEqual([seed, true]);
					}
				});

				let last = end;
				sandbox.faults.clear();
				if (end.error) last = await retryWorkflow(workflow, end, account);
				const keywords = sandbox.state.jobs.map(({ keyword }) => keyword);
				expect([seed, keywords.length]).toEqual([seed, new Set(keywords).size]);
				if (last.error) {
					expect([seed, last.error.message]).toEqual([
						seed,
						expect.stringMatching(/^Not sent again/),
					]);
				} else if (!settings.onError) {
					expect([seed, keywords.length]).toEqual([seed, COUNT]);
					expect(told(last).ids).toHaveLength(COUNT);
				}
			} finally {
				await sandbox.stop();
			}
		}
	});
});
