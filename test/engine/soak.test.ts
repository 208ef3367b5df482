import type { IDataObject, INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import {
	blacklistOf,
	startSandbox,
	type Fault,
	type RecordedRequest,
	type Sandbox,
} from '../../sandbox';
import { runWorkflow, workflowOf, type EngineRun } from './engine';
import { ADD, CREATE, DELETE } from './parameters';
import type * as virtualClock from './virtualClock';
import { useVirtualClock } from './virtualClock';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof virtualClock>('./virtualClock').withVirtualSleep(),
);
useVirtualClock();
// The waits take no time here, but are as random as they are.
beforeEach(() => jest.mocked(Math.random).mockRestore());

/** How many items each operation is given. Set SOAK for more; fewer would meet too little. */
const ITEMS = Math.max(200, Number(process.env.SOAK ?? 0));
/** Set SOAK_SEED to have the same faults again. */
const SEED = Number(process.env.SOAK_SEED ?? Math.floor(Math.random() * 2 ** 31));
jest.setTimeout(60_000 + ITEMS * 100);

beforeAll(() => {
	process.stdout.write(`Soak of SOAK=${ITEMS} items with SOAK_SEED=${SEED}\n`);
});

const status = (code: number, retryAfter?: string): Fault => ({
	kind: 'status',
	status: code,
	headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
});

/** Comes to its result, if need be in another try. A 503 always names a time here. */
const WAITED_FOR = [status(429), status(429, '1'), status(503, '1')];
/** Was surely not carried out. */
const REJECTED: Fault[] = [status(400), { kind: 'successFalse' }];
/** May have been carried out, and was not. Retry On Fail tries it again. */
const UNFINISHED = [status(500), status(504)];
/** May have been carried out, and was. */
const CARRIED_OUT: Fault[] = [
	{ kind: 'drop', carryOut: true },
	{ kind: 'cut', carryOut: true },
	{ kind: 'truncated', carryOut: true },
];
/** May have been carried out, and was not. */
const LOST: Fault[] = [{ kind: 'drop' }, { kind: 'html' }];

const OPEN_FAULTS = new Set(CARRIED_OUT.concat(LOST).map(({ kind }) => kind as string));

/** Whether the answer, or that there was none, leaves open whether a request was carried out. */
function isOpen({ fault, status: code }: RecordedRequest): boolean {
	return OPEN_FAULTS.has(fault ?? '') || code === 500 || code === 504;
}

/** What tells the items of an operation apart, in the input and in what the service received. */
interface Operation {
	parameters: INodeParameters;
	concurrency: number;
	/** The key of item 7: what it creates, adds or deletes. */
	keyOf: (item: number) => string;
	sentKey: (request: RecordedRequest) => string;
	/** The keys that the service's state shows to be carried out, each as often as it was. */
	carriedOut: (sandbox: Sandbox) => string[];
	prepare?: (sandbox: Sandbox, count: number) => void;
}

const OPERATIONS: Record<string, Operation> = {
	'Job: Create': {
		parameters: { ...CREATE, keyword: '={{ $json.key }}', options: { concurrency: 4 } },
		concurrency: 4,
		keyOf: (item) => `keyword ${item}`,
		sentKey: ({ body }) => String((body as IDataObject).keyword),
		carriedOut: ({ state }) => state.jobs.map(({ keyword }) => keyword),
	},
	'Blacklist: Add Item': {
		parameters: { ...ADD, value: '={{ $json.key }}' },
		concurrency: 5,
		keyOf: (item) => `site-${item}.example.com`,
		sentKey: ({ body }) => String((body as IDataObject).value),
		carriedOut: ({ state }) =>
			[...(state.blacklists.get('customers')?.values() ?? [])].map(({ value }) => value),
	},
	'Blacklist: Delete': {
		parameters: { ...DELETE, blacklist: { __rl: true, mode: 'name', value: '={{ $json.key }}' } },
		concurrency: 5,
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
	/** What was sent for each item, in order. */
	sent: RecordedRequest[][];
}

interface Plan {
	count: number;
	seed: number;
	/** The share of requests that meet one of the faults, all of them equally often. */
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
		// As many as may be are under way at once in the beginning.
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

const itemOf = ({ pairedItem }: INodeExecutionData) => (pairedItem as { item: number }).item;
const MAYBE = 'may have been carried out';

/** What holds for whatever was sent: nothing is repeated that may have been carried out. */
function expectSentOnce(
	sent: RecordedRequest[][],
	mayFollow: (request: RecordedRequest) => boolean,
) {
	for (const requests of sent) {
		expect(requests.slice(0, -1).filter((request) => !mayFollow(request))).toEqual([]);
		expect(requests.filter(({ carriedOut }) => carriedOut).length).toBeLessThanOrEqual(1);
	}
}

/** What an operation puts out for an item that was done. */
const OUTPUT: Record<string, IDataObject> = {
	'Job: Create': { job_id: expect.any(String) },
	'Blacklist: Add Item': { success: true },
	'Blacklist: Delete': { deleted: true },
};

describe.each(Object.entries(OPERATIONS))('%s, with Continue', (name, operation) => {
	it('says of every item what became of it, and that is how it is', async () => {
		const { sandbox, sent, outputs, error } = await soak(operation, {
			count: ITEMS,
			seed: SEED,
			faulty: 0.3,
			faults: [...WAITED_FOR, ...REJECTED, ...UNFINISHED, ...CARRIED_OUT, ...LOST],
			settings: { onError: 'continueErrorOutput' },
		});
		const [done, failed] = outputs as [INodeExecutionData[], INodeExecutionData[]];
		expect(error).toBeUndefined();

		// There were faults in plenty; otherwise the rest would say little.
		const faults = sandbox.requests.filter(({ fault }) => fault && fault !== 'delay');
		expect(faults.length).toBeGreaterThan(ITEMS / 5);
		expect(done.length).toBeGreaterThan(ITEMS / 3);
		expect(failed.length).toBeGreaterThan(ITEMS / 20);

		// Every item ends in exactly one branch, in the order of the input.
		for (const items of [done.map(itemOf), failed.map(itemOf)]) {
			expect(items).toEqual([...items].sort((a, b) => a - b));
		}
		expect([...done, ...failed].map(itemOf).sort((a, b) => a - b)).toEqual(
			Array.from({ length: ITEMS }, (_, item) => item),
		);

		// Only what the service told to wait is sent again, and not too often.
		expectSentOnce(sent, ({ status: code }) => code === 429 || code === 503);
		expect(Math.min(...sent.map(({ length }) => length))).toBe(1);
		expect(Math.max(...sent.map(({ length }) => length))).toBeLessThanOrEqual(5);
		expect(sandbox.maxInFlight).toBe(operation.concurrency);

		// What is put out as done, was done; what failed says exactly where that is open.
		const lastOf = (output: INodeExecutionData) => sent[itemOf(output)]!.at(-1)!;
		for (const output of done) {
			const { status: code, fault, carriedOut } = lastOf(output);
			expect([code, carriedOut]).toEqual([200, true]);
			expect([undefined, 'delay']).toContain(fault);
			expect(output.json).toEqual(OUTPUT[name]);
		}
		for (const output of failed) {
			// n8n adds what the input item had.
			const { key, ...told } = output.json;
			expect(key).toBe(operation.keyOf(itemOf(output)));
			expect(told).toEqual({ error: expect.any(String), message: expect.any(String) });
			expect(String(output.json.message).includes(MAYBE)).toBe(isOpen(lastOf(output)));
		}

		// The service holds what is put out as done, once each, and of the rest only what is said to be
		// open, once each.
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

/** What a run says in its error, or in its output where it came to its end. */
function told({ error, json }: EngineRun): { ids: string[]; maybe: number[] } {
	if (!error) return { ids: json.map(({ job_id }) => String(job_id)), maybe: [] };
	const [own, summary = ''] = error.description!.split(/(?=Of \d+ items, )/);
	const ids = /\(job_id: ([^)]*)\)/.exec(summary)?.[1]?.split(', ') ?? [];
	const others = summary.matchAll(
		/Item (\d+): (?:The connection to the service broke|The answer is not the one|The service could not process|Not sent again)/g,
	);
	const isMaybe = `${error.message} ${own}`.includes(MAYBE);
	const maybe = Array.from(others, ([, item]) => Number(item));
	if (isMaybe) maybe.push(error.context.itemIndex as number);
	return { ids, maybe: maybe.sort((a, b) => a - b) };
}

describe('Job: Create, with Retry On Fail', () => {
	const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
	const runs = Math.ceil(ITEMS / 10);
	const parameters = (concurrency: number) => ({
		...OPERATIONS['Job: Create']!,
		parameters: { ...CREATE, keyword: '={{ $json.key }}', options: { concurrency } },
	});

	async function expectNoJobLost(concurrency: number, faulty: number, faults: Fault[]) {
		let jobs = 0;
		let open = 0;
		for (let run = 0; run < runs; run++) {
			const plan = { count: 30, seed: SEED + run, faulty, faults, settings };
			const soaked = await soak(parameters(concurrency), plan);
			const { sandbox, sent } = soaked;
			const { ids, maybe } = told(soaked);

			// A job that is not named belongs to an item that is said to be open, each of them once.
			const known = new Set(ids);
			expect(known.size).toBe(ids.length);
			const ofOthers = sandbox.state.jobs.filter(({ job_id }) => !known.has(job_id));
			expect(sandbox.state.jobs).toHaveLength(known.size + ofOthers.length);
			const carriedOut = maybe.filter((item) => sent[item]!.some((request) => request.carriedOut));
			expect([plan.seed, ofOthers.map(({ keyword }) => keyword).sort()]).toEqual([
				plan.seed,
				carriedOut.map((item) => `keyword ${item}`).sort(),
			]);
			for (const item of maybe) expect(sent[item]!.some(isOpen)).toBe(true);

			expectSentOnce(sent, ({ fault }) => fault === 'status');
			expect(sandbox.maxInFlight).toBeLessThanOrEqual(concurrency);
			jobs += sandbox.state.jobs.length;
			open += carriedOut.length;
		}
		expect(jobs).toBeGreaterThan(runs);
		expect(open).toBeGreaterThan(0);
	}

	const ALL = [...WAITED_FOR, ...REJECTED, ...UNFINISHED, ...CARRIED_OUT];

	it('names every job, or its item as open, one by one', async () => {
		await expectNoJobLost(1, 0.15, ALL);
	});

	it('names every job, or its item as open, four at once', async () => {
		await expectNoJobLost(4, 0.5, ALL);
	});

	it('names each of two items that are open', async () => {
		const both = { count: 2, seed: 1, faulty: 1, faults: CARRIED_OUT, settings };
		const { error } = await soak(parameters(2), both);
		expect(told({ error } as EngineRun).maybe).toEqual([0, 1]);
		expect(error?.description).toContain('2 did not succeed, 0 were not started');
	});
});
