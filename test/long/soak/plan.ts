import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { blacklistOf, type Fault, type RecordedRequest, type Sandbox } from '../../../sandbox';
import { seededRandom } from '../../../sandbox/random';
import { status } from '../../support/faults';
import { ADD, ADD_MANY, CREATE, DELETE, listNamed } from '../../support/parameters';
import { CONTINUE, RETRY_ON_FAIL } from '../../support/settings';
import { CARRIED_OUT, FAILED, LOST, REJECTED, TOLD_TO_WAIT } from '../../support/soak';

/** The timeout of runs with a stalled body. */
const TIMEOUT = 20_000;
/** The timeout of other runs: longer than any response takes on a busy machine. */
const LONG_TIMEOUT = 30 * TIMEOUT;
/** The share of items that fail, and of items that are told to wait first. */
const FAULTY = 0.3;
const WAITING = 0.05;
/** The share of failures that may be a stall, which takes long. */
const STALLED = 0.1;
const FAULTS = [...REJECTED, ...FAILED, ...CARRIED_OUT, ...LOST];
/** Deeper than `JSON.stringify` can go. */
const DEEP: unknown = JSON.parse('['.repeat(6_000) + ']'.repeat(6_000));
/** The share of items that contain it. */
const DEEP_ITEMS = 0.01;
const QUICK_FAULTS = FAULTS.filter(({ kind }) => kind !== 'stall');

/** An item and its faults. */
export interface PlannedItem {
	/** What it creates, adds or deletes; unique in all executions. */
	key: string;
	/** Other fields of the input item. */
	more: IDataObject;
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
	/** The number of its requests after which it is cancelled, if it is. */
	stopAfter?: number;
	/** Whether its key is refused. */
	hasWrongKey: boolean;
}

/** An execution with random items, settings and faults. */
export function planOf(index: number, seed: number): Plan {
	const random = seededRandom(seed + 104_729 * index);
	const pick = <T>(...choices: T[]): T => choices[Math.floor(random() * choices.length)]!;
	const operation = pick<Plan['operation']>('create', 'create', 'add', 'addMany', 'delete');
	const hasWrongKey = random() < 0.1;
	const count = pick(5, 10, 20);
	const items = Array.from({ length: count }, (_, item): PlannedItem => {
		const key = `item-${item}.run-${index}.example.com`;
		const isFaulty = random() < FAULTY;
		const fault = pick(...(random() < STALLED ? FAULTS : QUICK_FAULTS));
		const more = random() < DEEP_ITEMS ? ({ deep: DEEP } as IDataObject) : {};
		const waits = random() < WAITING ? [pick(...TOLD_TO_WAIT)] : [];
		// A fault would hide the refused key.
		if (hasWrongKey) return { key, more, waits: [] };
		if (!isFaulty || !concerns(fault, operation)) return { key, more, waits };
		return { key, more, waits, failure: { fault, times: 1 } };
	});
	const isCutOff = random() < 0.2;
	const from = Math.floor(random() * count);
	const last = status(pick(401, 402, 403));
	// From here on the allowance is used up, or the key is revoked.
	if (isCutOff && !hasWrongKey)
		for (const item of items.slice(from)) item.failure = { fault: last };
	const mayStall = items.some(({ failure }) => failure?.fault.kind === 'stall');
	const timeout = mayStall ? TIMEOUT : LONG_TIMEOUT;
	const isStopped = random() < 0.25;
	const stopAfter = Math.floor(random() * count);
	return {
		name: `Run ${index}`,
		operation,
		parameters: parametersOf(operation, timeout, pick),
		settings: pick<Partial<INode>>(
			{},
			CONTINUE,
			{ onError: 'continueRegularOutput' },
			RETRY_ON_FAIL,
			{ ...RETRY_ON_FAIL, ...CONTINUE },
		),
		items,
		...(isStopped && { stopAfter }),
		hasWrongKey,
	};
}

function parametersOf(
	operation: Plan['operation'],
	timeout: number,
	pick: <T>(...choices: T[]) => T,
): INodeParameters {
	const options = pick<IDataObject>({}, { concurrency: 1 }, { concurrency: 4 }, { concurrency: 8 });
	const batch = { batchSize: pick(1, 3, 10), batchInterval: 5 };
	const common = {
		options: operation === 'addMany' ? { ...options, output: 'items' } : options,
		requestOptions: { timeout, ...pick({}, {}, { batching: { batch } }) },
	};
	const key = '={{ $json.key }}';
	// Differs with every attempt.
	const groupName = pick('API', '={{ $now.toISO() + Math.random() }}');
	switch (operation) {
		case 'create':
			return { ...CREATE, ...common, keyword: key, groupName } as INodeParameters;
		case 'add':
			return { ...ADD, ...common, value: key } as INodeParameters;
		case 'addMany':
			return { ...ADD_MANY, ...common, values: key } as INodeParameters;
		case 'delete':
			return { ...DELETE, requestOptions: common.requestOptions, blacklist: listNamed(key) };
	}
}

/** Whether the sandbox knows the fault for this operation. */
function concerns({ kind }: Fault, operation: Plan['operation']): boolean {
	return kind !== 'successFalse' || operation !== 'create';
}

/** Prepares the sandbox for an execution. */
export function prepare({ operation, items }: Plan, sandbox: Sandbox): void {
	for (const { key, waits, failure } of items) {
		if (operation === 'delete') sandbox.state.blacklists.set(key, blacklistOf());
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
