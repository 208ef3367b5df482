import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { blacklistOf, type Fault, type RecordedRequest, type Sandbox } from '../../../sandbox';
import { seededRandom } from '../../../sandbox/random';
import { status } from '../../support/faults';
import { ADD, ADD_MANY, CREATE, DELETE, listNamed } from '../../support/parameters';
import { CONTINUE, RETRY_ON_FAIL } from '../../support/settings';

/** Retried until it succeeds. Every 503 here has Retry-After. */
const TOLD_TO_WAIT: Fault[] = [
	status(429),
	status(429, { retryAfter: '1' }),
	status(503, { retryAfter: '2' }),
	{ kind: 'stall', status: 429 },
];
/** Known not to be carried out, or reported as failed by the service itself. */
const FAILED: Fault[] = [status(400), { kind: 'successFalse' }, status(500)];
/** Outcome unknown, and carried out. Not even Retry On Fail sends it again. */
const CARRIED_OUT: Fault[] = [
	{ kind: 'drop', carryOut: true },
	{ kind: 'cut', carryOut: true },
	{ kind: 'truncated', carryOut: true },
	{ kind: 'stall', after: 3, carryOut: true },
	{ kind: 'json', body: { id: 'elsewhere' }, carryOut: true },
	{ kind: 'raw', body: [...'created'].join('\0'), status: 201, carryOut: true },
];
/** Outcome unknown, and not carried out. Not even Retry On Fail sends it again. */
const LOST: Fault[] = [
	{ kind: 'drop' },
	{ kind: 'hang' },
	{ kind: 'html' },
	{ kind: 'stall', gzip: true },
	status(504),
	status(524),
];
const UNKNOWN = new Set([...CARRIED_OUT, ...LOST].map(({ kind }) => kind));
UNKNOWN.delete('status');

/** Whether the outcome of a request is unknown to the node, which includes one that it abandoned. */
export function isUnknown({ fault, status: code }: RecordedRequest): boolean {
	// Whatever becomes of its body, it asks to wait.
	if (code === 429) return false;
	return UNKNOWN.has(fault ?? 'nb') || code === undefined || code === 504 || code === 524;
}

/** The shares of items that fail, and that are told to wait first. */
const FAULTY = 0.3;
const WAITING = 0.05;

/** An item, and the faults of its requests. */
interface PlannedItem {
	/** What it creates, adds or deletes; unique in all executions. */
	key: string;
	waits: Fault[];
	/** The fault after the waits, if it fails; `times` limits it. */
	failure?: { fault: Fault; times?: number };
}

/** An execution and its faults, which depend on the seed only. */
export interface Plan {
	/** The node's name, which identifies the execution in the log. */
	name: string;
	operation: 'create' | 'add' | 'addMany' | 'delete';
	parameters: INodeParameters;
	settings: Partial<INode>;
	items: PlannedItem[];
	/** As in the parameters, if set. */
	concurrency?: number;
	batch?: { batchSize: number; batchInterval: number };
	/** When it starts, and how long after that it is cancelled, if it is, in milliseconds. */
	startsAfter: number;
	cancelledAfter?: number;
	/** Whether its key is refused. */
	hasWrongKey: boolean;
}

/** An execution with random items, settings and faults. */
export function planOf(index: number, seed: number): Plan {
	const random = seededRandom(seed + 104_729 * index);
	const pick = <T>(...choices: T[]): T => choices[Math.floor(random() * choices.length)]!;
	const operation = pick<Plan['operation']>('create', 'create', 'add', 'addMany', 'delete');
	const count = pick(5, 10, 20);
	const items = Array.from({ length: count }, (_, item): PlannedItem => {
		const key = `item-${item}.run-${index}.example.com`;
		const waits = random() < WAITING ? [pick(...TOLD_TO_WAIT)] : [];
		if (random() > FAULTY) return { key, waits };
		return { key, waits, failure: { fault: pick(...FAILED, ...CARRIED_OUT, ...LOST), times: 1 } };
	});
	// From here on the allowance is used up, or the key is revoked.
	if (random() < 0.2) {
		const fault = status(pick(401, 402, 403));
		for (const item of items.slice(Math.floor(random() * count))) item.failure = { fault };
	}
	const concurrency = pick(undefined, 1, 4, 8);
	const batch = pick(undefined, undefined, {
		batchSize: pick(1, 3, 10),
		batchInterval: pick(5, 300),
	});
	return {
		...{ name: `Run ${index}`, operation, items, batch },
		concurrency: operation === 'delete' ? undefined : concurrency,
		parameters: parametersOf(operation, concurrency, batch, pick('API', CHANGING)),
		settings: pick<Partial<INode>>(
			{},
			CONTINUE,
			{ onError: 'continueRegularOutput' },
			RETRY_ON_FAIL,
			{ ...RETRY_ON_FAIL, ...CONTINUE },
		),
		startsAfter: 1_000 * random(),
		// Often among the first requests, and sometimes in a long wait.
		...(random() < 0.3 && { cancelledAfter: Math.floor(10 ** (4.5 * random())) }),
		hasWrongKey: random() < 0.1,
	};
}

/** Differs with every attempt. */
const CHANGING = '={{ $now.toISO() + Math.random() }}';

function parametersOf(
	operation: Plan['operation'],
	concurrency: Plan['concurrency'],
	batch: Plan['batch'],
	groupName: string,
): INodeParameters {
	const requestOptions = { timeout: 20_000, ...(batch && { batching: { batch } }) };
	const output = operation === 'addMany' ? { output: 'items' } : {};
	const options: IDataObject = { ...output, ...(concurrency !== undefined && { concurrency }) };
	const key = '={{ $json.key }}';
	const form = {
		create: { ...CREATE, options, keyword: key, groupName },
		add: { ...ADD, options, value: key },
		addMany: { ...ADD_MANY, options, values: key },
		delete: { ...DELETE, blacklist: listNamed(key) },
	}[operation];
	return { ...form, requestOptions } as INodeParameters;
}

/** Prepares the sandbox for an execution. */
export function prepare({ operation, items, hasWrongKey }: Plan, sandbox: Sandbox): void {
	for (const { key, waits, failure } of items) {
		if (operation === 'delete') sandbox.state.blacklists.set(key, blacklistOf());
		// A fault would hide the refused key.
		if (hasWrongKey) continue;
		const which = operation === 'delete' ? { path: `/api/v1/blacklist/${key}` } : { match: key };
		for (const fault of waits) sandbox.faults.add({ ...which, fault, times: 1 });
		if (failure) sandbox.faults.add({ ...which, ...failure });
	}
}

/** The key of the item that a request was for. */
export function keyOf({ method, path, body }: RecordedRequest): string {
	if (method === 'DELETE') return path.split('/').at(-1)!;
	const { keyword, value } = (body ?? {}) as IDataObject;
	return String(keyword ?? value);
}

/** The keys carried out according to the service's state. */
export function carriedOut({ operation, items }: Plan, { state }: Sandbox): string[] {
	const keys = items.map(({ key }) => key);
	if (operation === 'delete') return keys.filter((key) => !state.blacklists.has(key));
	const there =
		operation === 'create'
			? state.jobs.map(({ keyword }) => keyword)
			: [...(state.blacklists.get('customers')?.values() ?? [])].map(({ value }) => value);
	const own = new Set(keys);
	return there.filter((key) => own.has(key));
}
