import type { IDataObject } from 'n8n-workflow';

import type { Fault } from '../../../sandbox';
import { sleep } from 'n8n-workflow';

import { status } from '../faults';
import { listNamed } from '../parameters';
import {
	bad,
	KINDS,
	SETTINGS,
	type Execution,
	type Item,
	type Kind,
	type Operation,
	type World,
} from './world';

/** What goes wrong. */
export interface Cause {
	name: string;
	operations?: Operation[];
	kinds?: Kind[];
	/** Only if nothing was done before. */
	isAtStart?: boolean;
	/** What the item is from the start. */
	item?: (index: number) => Partial<Item>;
	/** The options of the node; in a retry, they were changed before it. */
	options?: (world: World) => IDataObject;
	/** Other fields of the node. */
	fields?: (world: World) => IDataObject;
	/** @param names of the item, and of those after it */
	arrange?: (world: World, names: string[]) => unknown;
	/** Makes the execution whose words are followed, if not a run or a retry of all items. */
	start?: (world: World, items: Item[], before: Situation['before']) => Promise<Execution>;
	/** The item stays refused, whatever is done. */
	stays?: boolean;
	/** It is of the account, for all nodes that use it. */
	isOfAccount?: boolean;
	/** How many items there are; default 4, or 6 in a loop. */
	count?: number;
}

export interface Situation {
	name: string;
	cause: Cause;
	kind: Kind;
	operation: Operation;
	before: 'nothing' | 'something';
	/** Whether the person has changed a field of the node already. */
	isEdited: boolean;
	correctsNode: boolean;
}

const ALL: Operation[] = ['create', 'addMany', 'add', 'delete'];
const BLACKLIST: Operation[] = ['addMany', 'add', 'delete'];
const SENDING: Operation[] = ['create', 'addMany'];
const redirect = (code: number): Fault => ({
	kind: 'redirect',
	to: 'http://localhost/',
	status: code,
});
const WEB_PAGE = '<!DOCTYPE html><html><body>No</body></html>';

const toItem =
	(fault: Fault, times?: number) =>
	(world: World, [name]: string[]) =>
		world.fault([name!], fault, times);

/** From this item on, until it is mended. */
const fromItem =
	(fault: Fault, by: string[], more: (world: World) => unknown = () => {}) =>
	(world: World, names: string[]) => {
		world.fault(names, fault);
		const mend = () => {
			world.sandbox.faults.clear();
			return more(world);
		};
		world.broken = { by, mend };
	};

/** Enters the other address of the service. */
const move = ({ account }: World) =>
	(account.baseUrl = account.baseUrl.replace('127.0.0.1', 'localhost'));

const rejected = (name: string, fault: Fault, operations = ALL): Cause => ({
	name,
	operations,
	item: (index) => ({ name: bad(index) }),
	arrange: ({ sandbox, operation, path }) =>
		sandbox.faults.add({
			...(operation === 'delete' ? { path: '/api/v1/blacklist/bad-' } : { path, match: '"bad-' }),
			fault,
		}),
});

const PLAIN_KINDS: Kind[] = [
	...(['first run', 'later pass', 'retry', 'called'] as const),
	...(['not saved', 'Continue', 'Continue in a loop'] as const),
];
/** How executions run of what is like another cause. */
const FEW: Kind[] = ['first run', 'later pass', 'Continue'];

const once = (name: string, fault: Fault, operations: Operation[] = ['create']): Cause => ({
	name,
	operations,
	arrange: toItem(fault, 1),
});
const unknown = (name: string, fault: Fault): Cause[] => [
	once(name, fault),
	once(`${name}, carried out`, { ...fault, carryOut: true } as Fault),
];

const NOT_FOUND = { code: 'ENOTFOUND', syscall: 'getaddrinfo' };
const REFUSED = { code: 'ECONNREFUSED', syscall: 'connect' };
const EXPIRED = { code: 'CERT_HAS_EXPIRED' };

/** The network fails with this error from this item on. */
const network = (
	name: string,
	error: object,
	by: string[],
	more?: (world: World) => unknown,
	wait = 0,
): Cause => ({
	name,
	operations: more ? ['create', 'add'] : ['create', 'addMany'],
	arrange: (world, names) => {
		world.network = async (request) => {
			if (!names.some((each) => request.includes(`"${each}"`) || request.includes(`/${each}`)))
				return;
			if (wait > 0) await sleep(wait);
			throw Object.assign(new Error('Of the network'), error);
		};
		const mend = () => {
			world.network = undefined;
			return more?.(world);
		};
		world.broken = { by, mend };
	},
});

/** @param value in the pass or the retry that is followed */
const wrongOption = (
	name: string,
	option: string,
	value: number | string,
	folder = 'options',
): Cause => ({
	name,
	operations: option === 'concurrency' || folder === 'requestOptions' ? SENDING : ['create'],
	options: ({ setting: { isLoop } }) => {
		const later = `={{ $runIndex === 1 ? ${JSON.stringify(value)} : ${GOOD[option]} }}`;
		const set = { [option]: isLoop ? later : value };
		return folder === 'options' ? set : { [folder]: set };
	},
	isAtStart: true,
});
const GOOD: Record<string, number> = {
	concurrency: 1,
	maxJobs: 100,
	minRemaining: 0,
	timeout: 10_000,
};

const usage = (
	name: string,
	fault: Fault,
	by: string[],
	more?: (world: World) => unknown,
): Cause => ({
	name: `Usage unreadable: ${name}`,
	operations: ['create'],
	isAtStart: true,
	options: () => ({ minRemaining: 1 }),
	arrange: (world) => {
		// In a loop, the usage of the first pass is read.
		const skip = world.setting.isLoop ? 1 : 0;
		world.sandbox.faults.add({ path: '/api/v1/usage', skip, fault });
		const mend = () => {
			world.sandbox.faults.clear();
			return more?.(world);
		};
		world.broken = { by, mend };
	},
});

/** Values that cannot be, from the item, if this holds. */
const impossible =
	(condition: string) =>
	({ operation }: World): IDataObject => {
		const list = operation === 'delete' ? '$json.name' : '"customers"';
		const minReviews = `={{ ${condition} ? ($json.low ?? 1) : 1 }}`;
		return operation === 'create'
			? { filters: { minReviews, maxReviews: 5 } }
			: { blacklist: listNamed(`={{ ${condition} ? ($json.list ?? ${list}) : ${list} }}`) };
	};

/** The key of the credential is this, until it is mended. */
const withKey = (keyFor: (key: string) => string) => (world: World) => {
	const key = world.account.apiKey;
	world.account.apiKey = keyFor(key);
	world.broken = { by: ['key'], mend: () => (world.account.apiKey = key) };
};

const newKey = (world: World) => {
	world.sandbox.key = `${world.sandbox.key}-new`;
	world.account.apiKey = world.sandbox.key;
};

const CAUSES: Cause[] = [
	// The connection.
	network('host name not found', NOT_FOUND, ['network', 'address']),
	network('host name not found: a new address', NOT_FOUND, ['address'], move),
	network('connection refused', REFUSED, ['network']),
	network('connection refused: a new address', REFUSED, ['address'], move),
	network('not connected in time', REFUSED, ['network'], undefined, 300_500),
	network('a certificate that is not trusted', EXPIRED, ['certificate']),
	network('a certificate: a new address', EXPIRED, ['address'], move),
	network('blocked', { name: 'SsrfBlockedIpError' }, ['protection']),
	{
		name: 'a dead port',
		isOfAccount: true,
		operations: ALL,
		isAtStart: true,
		kinds: ['first run', 'called', 'not saved', 'Continue'],
		arrange: (world) => {
			const { account } = world;
			const { baseUrl } = account;
			account.baseUrl = 'http://127.0.0.1:1';
			world.broken = { by: ['address'], mend: () => (account.baseUrl = baseUrl) };
		},
	},
	{
		name: 'a dead proxy',
		operations: SENDING,
		isAtStart: true,
		kinds: ['first run', 'called', 'not saved', 'Continue', 'retry'],
		options: () => ({ requestOptions: { proxy: 'http://127.0.0.1:1' } }),
		arrange: (world) => {
			const mend = () => delete (world.node.parameters.requestOptions as IDataObject).proxy;
			world.broken = { by: ['proxy'], mend };
		},
	},
	{ name: '407', operations: ALL, arrange: fromItem(status(407), ['proxy']) },

	// Told to wait.
	{
		name: '429 with a long Retry-After',
		operations: ALL,
		arrange: fromItem(status(429, { retryAfter: '500' }), ['time']),
	},
	{
		name: '429 for two minutes',
		operations: SENDING,
		kinds: FEW,
		arrange: fromItem(status(429), ['time']),
	},
	{
		name: '503 with a long Retry-After',
		operations: ALL,
		arrange: fromItem(status(503, { retryAfter: '500' }), ['time']),
	},
	{
		name: '503 with Retry-After, for two minutes',
		operations: SENDING,
		kinds: FEW,
		arrange: fromItem(status(503, { retryAfter: '60' }), ['time']),
	},

	// Rejected for the content.
	rejected('400', status(400)),
	...[409, 422, 405, 410, 413, 418].map((code) => ({
		...rejected(String(code), status(code), ['create']),
		kinds: FEW,
	})),
	rejected('404 for a name', status(404), BLACKLIST),
	rejected('success: false', { kind: 'json', body: { success: false, message: 'No' } }, BLACKLIST),
	{
		name: '403 for one item, for good',
		operations: ALL,
		arrange: toItem(status(403)),
		stays: true,
	},
	{
		name: '404 for one item, for good',
		operations: ALL,
		arrange: toItem(status(404)),
		stays: true,
	},
	{
		name: '404 at a wrong address',
		operations: ALL,
		arrange: fromItem(status(404), ['address'], move),
	},

	// Rejected for the account.
	{ name: '401', operations: ALL, arrange: fromItem(status(401), ['key'], newKey) },
	{
		name: '401 by a web page',
		operations: ALL,
		arrange: fromItem(status(401, { body: WEB_PAGE }), ['gateway']),
	},
	{ name: '403', operations: ALL, arrange: fromItem(status(403), ['key'], newKey) },
	{
		name: '403 by a web page',
		operations: ALL,
		arrange: fromItem(status(403, { body: WEB_PAGE }), ['gateway']),
	},
	{
		name: '400 in flight beside 402',
		operations: SENDING,
		kinds: ['first run', 'later pass', 'retry', 'Continue'],
		item: (index) => ({ name: bad(index) }),
		options: () => ({ concurrency: 3 }),
		arrange(world, [, ...others]) {
			const { sandbox, path } = world;
			sandbox.faults.add({ path, match: '"bad-', fault: status(400) });
			world.fault(others, status(402));
			const mend = () => {
				sandbox.faults.clear();
				sandbox.faults.add({ path, match: '"bad-', fault: status(400) });
			};
			world.broken = { by: ['allowance'], mend };
		},
	},
	{ name: '402', operations: ALL, arrange: fromItem(status(402), ['allowance']) },
	{
		name: 'a redirect',
		operations: ALL,
		arrange: fromItem(redirect(308), ['address'], move),
	},
	{
		name: 'a redirect to the result',
		operations: ALL,
		arrange: fromItem(redirect(303), ['address'], move),
	},

	// Failed, or unknown.
	{ ...once('500', status(500)), operations: ALL },
	...[501, 503, 505].map((code) => ({ ...once(String(code), status(code)), kinds: FEW })),
	...unknown('504', status(504)),
	...[408, 499, 502, 524]
		.flatMap((code) => unknown(String(code), status(code)))
		.map((cause) => ({ ...cause, kinds: FEW })),
	...unknown('dropped', { kind: 'drop' }).map((cause) => ({ ...cause, operations: ALL })),
	...unknown('cut', { kind: 'cut' }),
	...unknown('truncated', { kind: 'truncated' }),
	...unknown('an undocumented answer', { kind: 'json', body: { id: 'elsewhere' } }),
	{ ...once('no answer in time', { kind: 'hang' }), operations: ALL },
	{ ...once('a web page', { kind: 'html' }), operations: ALL },
	{
		name: 'web pages at a wrong address',
		operations: ALL,
		arrange: fromItem({ kind: 'html' }, ['address'], move),
	},

	// Refused before it is sent.
	wrongOption('"Concurrency" is 0', 'concurrency', 0),
	wrongOption('"Concurrency" is no number', 'concurrency', 'many'),
	wrongOption('"Maximum Jobs per Run" is 0', 'maxJobs', 0),
	wrongOption('"Minimum Remaining Requests" is no number', 'minRemaining', 'few'),
	wrongOption('"Timeout" is no number', 'timeout', 'long', 'requestOptions'),
	wrongOption('too many jobs', 'maxJobs', 1),
	wrongOption('too few remain', 'minRemaining', 100_000),
	{
		name: 'too few remain after some',
		operations: ['create'],
		options: () => ({ minRemaining: 10 }),
		arrange: ({ sandbox, setting: { isRetry, first, branch } }, names) => {
			const before = isRetry ? 1 : Number(/\d+/.exec(names[0]!)![0]);
			const ofFirst = first === 'create' && branch !== 'after' && !isRetry ? 4 : 0;
			sandbox.state.remaining = 9 + before + ofFirst;
		},
	},
	usage('500', status(500), ['time']),
	usage('503 with a long Retry-After', status(503, { retryAfter: '500' }), ['time']),
	usage('401', status(401), ['key'], newKey),
	usage('403', status(403), ['key'], newKey),
	usage('404', status(404), ['address'], move),
	usage('400', status(400), ['format', 'address']),
	usage('402', status(402), ['allowance']),
	usage('407', status(407), ['proxy']),
	usage('a redirect', redirect(308), ['address'], move),
	usage('a web page', { kind: 'html' }, ['address'], move),
	{
		name: 'values that cannot be',
		operations: ALL,
		isAtStart: true,
		item: () => ({ low: 9, list: ' ' }),
		fields: impossible('true'),
		kinds: ['first run', 'later pass', 'called', 'not saved', 'Continue', 'Continue in a loop'],
	},
	{
		name: 'values that cannot be in a retry',
		operations: ['create', 'add'],
		item: () => ({ low: 9, list: ' ' }),
		fields: impossible('$execution.id > 1'),
		kinds: ['retry'],
	},
	{
		name: '"Dry Run" is on',
		operations: SENDING,
		kinds: ['retry'],
		options: () => ({ dryRun: true }),
	},
	{
		name: 'a credential that gives nothing for an item',
		isOfAccount: true,
		operations: ALL,
		isAtStart: true,
		item: () => ({ noKey: true }),
		arrange: withKey((key) => `={{ $json.noKey ? "" : "${key}" }}`),
	},
	{
		name: 'a credential that is empty',
		isOfAccount: true,
		operations: ALL,
		isAtStart: true,
		kinds: ['first run', 'called', 'not saved', 'Continue', 'retry'],
		arrange: withKey(() => ''),
	},
	{
		name: 'a lost execution',
		operations: ['create', 'addMany', 'add'],
		kinds: ['first run', 'later pass', 'called'],
		async start(world, items, before) {
			const done = before === 'nothing' ? 0 : 2;
			if (done > 0) await world.run(items.slice(0, done));
			const lost = world.lose(items);
			if (done === 0) lost.id = world.nextId();
			return await world.retry(lost, 'original');
		},
	},
	...[false, true].map((fails): Cause => ({
		name: `another retry in progress${fails ? ', which fails' : ''}`,
		operations: SENDING,
		kinds: ['retry'],
		async start(world, items, before) {
			world.fault([items[before === 'nothing' ? 0 : 1]!.name], status(402), 1);
			const failed = await world.run(items);
			world.sandbox.faults.clear();
			world.sandbox.faults.add({ fault: { kind: 'delay', ms: 200 } });
			if (fails) world.fault([items[2]!.name], status(500), 1);
			const both = await Promise.all([1, 2].map(async () => await world.retry(failed, 'original')));
			return both.find(({ end }) => end.error?.message.includes('another retry'))!;
		},
	})),
	{
		name: 'the service keeps failing',
		operations: SENDING,
		kinds: ['Continue'],
		count: 16,
		arrange: fromItem(status(503), ['time']),
	},
];

/** The kinds in which the person has changed a field already, and in which values are corrected in both places. */
const EDITED: Kind[] = ['first run', 'later pass', 'event'];
const CORRECTED: Kind[] = ['first run', 'later pass', 'Continue', 'after Create', 'event', 'once'];

const BEFORE = ['nothing', 'something'] as const;

/** Where all that goes wrong is followed, for jobs. */
const WITH_ALL: Kind[] = ['after Create', 'called for each', 'event', 'event for each', 'once'];
/** In the others, one cause for each of the ways that words lead. */
const WAYS = [
	...['connection refused', 'host name not found: a new address', '407', '402', '401', '403'],
	...['429 with a long Retry-After', '404 at a wrong address', '403 for one item, for good'],
	...['400', '400 in flight beside 402', 'a redirect', '500', 'dropped', 'dropped, carried out'],
	...['"Concurrency" is 0', 'too few remain', 'too few remain after some', 'values that cannot be'],
	'Usage unreadable: a redirect',
];

/** Whether a cause can be in a new kind of executions, and is worth it. */
function isInKind({ name, kinds, start, isOfAccount }: Cause, operation: Operation, kind: Kind) {
	const { isRetry, node, first, calls, event } = SETTINGS[kind];
	const like = isRetry ? 'retry' : node ? 'Continue' : 'first run';
	if (start || (kinds && !kinds.includes(like)) || (first && isOfAccount)) return false;
	if ((calls ?? event) === 'each' && name.startsWith('too')) return false;
	// Its items have no values of their own there.
	if (first && first !== 'create' && name.startsWith('values')) return false;
	if (first === 'usage' && name.startsWith('Usage')) return false;
	const isWay = WAYS.includes(name);
	if (operation === 'create') return isWay || WITH_ALL.includes(kind);
	return isWay && (operation === 'addMany' ? WITH_ALL : ['after Create']).includes(kind);
}

/** A new address, once something was done: a new run is the only way. */
const NEEDS_NEW_RUN = /(a new|a wrong) address$|^a redirect$/;
/** An item that is unknown, and was not carried out, runs by itself. */
const RUNS_ALONE =
	/^(\d+|dropped|cut|truncated|an undocumented answer|no answer in time|a web page|web pages at a wrong address|a redirect to the result)$/;

/** Of these, the ones that are not unknown. */
const KNOWN = /^(401|402|403|407|500|501|503|505)$/;

/** See the end: only a retry sends this item to the node, or runs another branch. */
function isBeyondWords({ name, item, arrange }: Cause, kind: Kind, before: Situation['before']) {
	const { isOnce, branch } = SETTINGS[kind];
	if (!isOnce && branch !== 'after') return false;
	if (before === 'something' && NEEDS_NEW_RUN.test(name)) return true;
	const isUnknown = RUNS_ALONE.test(name) && !KNOWN.test(name);
	return isOnce === true && item === undefined && arrange !== undefined && isUnknown;
}

/** Kinds that matter for each operation: the rest is the same code for all. */
const kindsOf = (cause: Cause, operation: Operation) => {
	const { kinds = PLAIN_KINDS } = cause;
	const plain = SENDING.includes(operation)
		? kinds
		: kinds.filter((kind) => ['retry', ...FEW].includes(kind));
	const others = KINDS.filter((kind) => !PLAIN_KINDS.includes(kind));
	return [...plain, ...others.filter((kind) => isInKind(cause, operation, kind))];
};

function situationsOf(cause: Cause): Situation[] {
	const { name, item, isAtStart, operations = SENDING } = cause;
	const hasValues = item !== undefined && !name.startsWith('a credential');
	const all: Situation[] = [];
	for (const operation of ALL.filter((each) => operations.includes(each))) {
		for (const kind of kindsOf(cause, operation)) {
			const { calls, event, isOnce } = SETTINGS[kind];
			const isLike =
				!isAtStart && (kind === 'called' || kind === 'not saved' || (calls ?? event) === 'each');
			const mayBeEdited = operation === 'create' && EDITED.includes(kind);
			const mayBeInNode = hasValues && CORRECTED.includes(kind);
			for (const before of BEFORE) {
				if (before === (isAtStart ? 'something' : isLike ? 'nothing' : undefined)) continue;
				if (isBeyondWords(cause, kind, before)) continue;
				// Before anything was done, a changed field is fine: not in a test, which is run again.
				const isToEdit = mayBeEdited && (event ? before === 'nothing' : before === 'something');
				for (const isEdited of isToEdit ? [false, true] : [false]) {
					const isAlone = before === 'something' || operation === 'addMany' || name.includes('402');
					const isInNode = mayBeInNode && !(isOnce && isAlone);
					for (const correctsNode of isInNode ? [false, true] : [false]) {
						const more = [isEdited && 'edited', correctsNode && 'corrected in the node'];
						const parts = [operation, kind, name, `${before} before`, ...more];
						all.push({
							...{ name: parts.filter(Boolean).join(', '), cause, kind, operation, before },
							...{ isEdited, correctsNode },
						});
					}
				}
			}
		}
	}
	return all;
}

/*
 * What no words can make right, and is no situation here:
 *
 * - 500, 501, 503 or 505, carried out all the same: sent again, as ordered, and the words say so
 * - two nodes of this kind in a row, lost in the second: n8n does not show that the first had finished
 * - a lost Delete: the log only counts what was done, and a list that is deleted cannot be deleted again
 * - an item that a node before lets through only once, whatever the execution, and that has to run by itself: one that
 *   is unknown and was not carried out, or the rest after a new "Base URL". No words know what kind of node that is
 * - a branch that had not begun, and a new "Base URL": only a retry would run it
 * - a test in which nothing was done, and a node of this kind in a called workflow or a node of an agent before it: n8n
 *   does not show it
 * - a deleted credential: another one is another account
 * - a cancelled execution: n8n shows an error of its own; the sum is in the log
 */

export const SITUATIONS = CAUSES.flatMap(situationsOf);
