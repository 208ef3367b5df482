import type { IDataObject } from 'n8n-workflow';

import type { Fault } from '../../../sandbox';
import { advance } from '../clock';
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
interface Cause {
	name: string;
	operations: Operation[];
	kinds?: Kind[];
	/** Only if nothing was done before. */
	isAtStart?: boolean;
	/** What an item is from the start. @param place among those that it is about */
	item?: (index: number, place: number) => Partial<Item>;
	/** What is to be corrected: one of these. */
	wrong?: Array<'item' | 'field'>;
	/** Sets what is wrong in the node; in a retry, it was changed before that. */
	form?: (world: World) => unknown;
	/** @param names of the item, and of those after it */
	arrange?: (world: World, names: string[]) => unknown;
	/** Makes the execution whose words are followed, if not a run or a retry of all items. */
	start?: (world: World, items: Item[], at: number) => Promise<Execution>;
	/** How many items there are, if not 4, or 6 in a loop. */
	count?: number;
}

/** What a person has changed before reading. */
type Edit = 'a field' | 'the Base URL' | 'the credential';

export interface Situation {
	name: string;
	cause: Cause;
	kind: Kind;
	operation: Operation;
	before: 'nothing' | 'something';
	edit?: Edit;
	wrong?: 'item' | 'field';
}

const ALL: Operation[] = ['create', 'addMany', 'add', 'delete'];
const SENDING: Operation[] = ['create', 'addMany'];
const JOBS: Operation[] = ['create'];

const redirect = (code: number): Fault => ({
	kind: 'redirect',
	to: 'http://localhost/',
	status: code,
});
const WEB_PAGE = '<!DOCTYPE html><html><body>No</body></html>';

/** How somebody mends what is wrong, and the words that say so. */
type Mending = [by: RegExp, mend?: (world: World) => unknown];

const KEY: Mending = [
	/Check "API Key"(?: and|,) "API Key Format"/,
	(world) => (world.account.apiKey = world.sandbox.key = `${world.sandbox.key}-new`),
];
const ADDRESS: Mending = [
	/Check (?:"Blacklist", and )?"Base URL"|enter its new address in "Base URL"/,
	({ account }) => (account.baseUrl = account.baseUrl.replace('127.0.0.1', 'localhost')),
];
const NETWORK: Mending = [/that n8n can (?:reach the service|resolve host names)/];
const TIME: Mending = [/Try again (?:later|after that time)/, async () => await advance(700_000)];
const ALLOWANCE: Mending = [/Wait until the allowance is renewed/];
const GATEWAY: Mending = [/A firewall or a proxy can refuse/];
const PROXY: Mending = [/[Cc]heck .*"Proxy" if the node has one/];

const setBroken = (world: World, [by, mend]: Mending, end: () => unknown) => {
	const both = async () => {
		end();
		await mend?.(world);
	};
	world.broken = { by, mend: both };
};

/** From this item on, until it is mended. */
const fromItem =
	(fault: Fault, mending: Mending): Cause['arrange'] =>
	(world, names) => {
		world.fault(names, fault);
		setBroken(world, mending, () => world.sandbox.faults.clear());
	};

/** The network fails with this error from this item on. */
const network = (name: string, error: object, mending: Mending): Cause => ({
	name,
	operations: SENDING,
	arrange(world, names) {
		world.network = async (request) => {
			if (!names.some((each) => request.includes(`"${each}"`))) return;
			throw Object.assign(new Error('Of the network'), error);
		};
		setBroken(world, mending, () => (world.network = undefined));
	},
});

const rejected = (name: string, fault: Fault, operations = ALL): Cause => ({
	name,
	operations,
	item: (index, place) => (place === 0 ? { name: bad(index) } : {}),
	wrong: ['item', 'field'],
	arrange: (world) => rejectBad(world, fault),
});
const rejectBad = ({ sandbox, operation, path }: World, fault: Fault) =>
	sandbox.faults.add({
		...(operation === 'delete' ? { path: '/api/v1/blacklist/bad-' } : { path, match: '"bad-' }),
		fault,
	});

/** Nobody can correct the item. */
const hopeless = (code: number): Cause => ({
	name: `${code} for one item, for good`,
	operations: ALL,
	wrong: ['item'],
	arrange(world, [name]) {
		world.hopeless = name;
		world.fault([name!], status(code));
	},
});

const once = (name: string, fault: Fault, operations = JOBS): Cause => ({
	name,
	operations,
	arrange: (world, [item]) => world.fault([item!], fault, 1),
});
const inDoubt = (name: string, fault: Fault, operations = JOBS): Cause[] => [
	once(name, fault, operations),
	once(`${name}, carried out`, { ...fault, carryOut: true } as Fault, operations),
];

/** What fails at once. */
const TOGETHER = {
	400: status(400),
	402: status(402),
	500: status(500),
	cut: { kind: 'cut' },
} as const;

const CUT: Fault = { kind: 'cut', carryOut: true };

/** So many jobs in flight fail at once, in turns like this. */
function together(
	faults: Array<keyof typeof TOGETHER>,
	inFlight: number,
	carriedOut: 'none' | 'all' | 'the first',
): Cause {
	const at = (place: number) => (place < inFlight ? faults[place % faults.length]! : undefined);
	const isInDoubt = (place: number) => at(place) === 500 || at(place) === 'cut';
	const first = [0, 1].find(isInDoubt);
	return {
		name: `${faults.join(' beside ')}, ${inFlight} in flight, ${carriedOut} carried out`,
		operations: JOBS,
		kinds: TOGETHER_KINDS[inFlight]!,
		item: (index, place) => (at(place) === 400 ? { name: bad(index) } : {}),
		...(faults.includes(400) && { wrong: ['item', 'field'] }),
		count: inFlight + 4,
		form: (world) => world.setOptions({ concurrency: inFlight }),
		arrange(world, names) {
			world.fault(names, { kind: 'delay', ms: 100 });
			rejectBad(world, status(400));
			for (const [place, name] of names.slice(0, inFlight).entries()) {
				const fault = at(place)!;
				const carryOut =
					isInDoubt(place) && (carriedOut === 'all' || (carriedOut !== 'none' && place === first));
				if (fault !== 400) world.fault([name], { ...TOGETHER[fault], carryOut }, 1);
			}
			const renew = () => {
				world.sandbox.faults.clear();
				rejectBad(world, status(400));
			};
			if (faults.includes(402)) setBroken(world, ALLOWANCE, renew);
		},
	};
}

/** In which executions, by how many are in flight. */
const TOGETHER_KINDS: Record<number, Kind[]> = {
	2: ['first run', 'first pass', 'later pass', 'Continue', 'after Create', 'not saved'],
	3: ['first run', 'retry', 'called', 'after Create, event'],
	4: ['first run', 'event', 'Continue', 'after Create, not saved'],
	5: ['first run', 'not saved', 'after Create', 'after Create, retry'],
};
const PAIRS = [
	...([
		[500, 500],
		[402, 500],
		[500, 402],
		[400, 500],
		[500, 400],
	] as const),
	...([
		[400, 'cut'],
		['cut', 400],
	] as const),
];

/** @param value in the pass or the retry that is followed */
const wrongOption = (
	name: string,
	option: string,
	value: unknown,
	mending: RegExp,
	operations = JOBS,
): Cause => ({
	name,
	operations,
	isAtStart: true,
	form(world) {
		const folder = option === 'timeout' ? 'requestOptions' : 'options';
		const { loop } = world.setting;
		const later = `={{ $runIndex < ${loop?.passes} ? ${GOOD[option]} : ${JSON.stringify(value)} }}`;
		const set = loop ? later : value;
		world.setOptions({ [option]: set } as IDataObject, folder);
		setBroken(world, [mending], () => world.setOptions({ [option]: GOOD[option] }, folder));
	},
});
const GOOD: Record<string, number> = {
	...{ concurrency: 1, maxJobs: 100, minRemaining: 0, timeout: 10_000 },
};
const REMOVE = /or remove the option/;

const usage = (name: string, fault: Fault, mending: Mending): Cause => ({
	name: `Usage unreadable: ${name}`,
	operations: JOBS,
	isAtStart: true,
	form: (world) => world.setOptions({ minRemaining: 1 }),
	arrange(world) {
		const skip = world.setting.loop?.passes ?? 0;
		world.sandbox.faults.add({ path: '/api/v1/usage', skip, fault });
		setBroken(world, mending, () => world.sandbox.faults.clear());
	},
});

/** The key of the credential is this, until it is mended. */
const withKey = (world: World, keyFor: (key: string) => string) => {
	const key = world.account.apiKey;
	world.account.apiKey = keyFor(key);
	setBroken(world, [/credential|"API Key"/], () => (world.account.apiKey = key));
};

/** A retry after the first execution has met a 402. */
export async function failFirst(world: World, items: Item[], at: number): Promise<Execution> {
	world.fault([items[at]!.name], status(402), 1);
	const failed = await world.run(items);
	world.sandbox.faults.clear();
	return failed;
}

const PLAIN: Kind[] = KINDS.slice(0, 7);
const OF_ACCOUNT: Kind[] = ['first run', 'called', 'not saved', 'Continue', 'retry'];

const CAUSES: Cause[] = [
	// The connection.
	network('host name not found', { code: 'ENOTFOUND', syscall: 'getaddrinfo' }, NETWORK),
	network('connection refused', { code: 'ECONNREFUSED', syscall: 'connect' }, NETWORK),
	network('a certificate', { code: 'CERT_HAS_EXPIRED' }, [/does not trust the certificate/]),
	network('blocked', { name: 'SsrfBlockedIpError' }, [/N8N_SSRF_ALLOWED_HOSTNAMES/]),
	{ name: '407', operations: ALL, arrange: fromItem(status(407), PROXY) },

	// Told to wait.
	{
		name: '429 with a long Retry-After',
		operations: ALL,
		arrange: fromItem(status(429, { retryAfter: '500' }), TIME),
	},
	{ name: '429 for two minutes', operations: SENDING, arrange: fromItem(status(429), TIME) },

	// The content.
	rejected('400', status(400)),
	rejected('405', status(405), JOBS),
	...Object.entries({ 500: status(500, { carryOut: true }), cut: CUT }).map(([name, fault]) => ({
		...rejected(`400, then ${name}, carried out`, status(400), JOBS),
		arrange(world: World, [, next]: string[]) {
			rejectBad(world, status(400));
			world.fault([next!], fault, 1);
		},
	})),
	rejected('404 for a name', status(404), ['addMany', 'add', 'delete']),
	rejected('success: false', { kind: 'json', body: { success: false } }, ['addMany', 'delete']),
	hopeless(403),
	hopeless(404),
	{
		name: 'values that cannot be',
		operations: ALL,
		kinds: PLAIN.filter((kind) => kind !== 'retry'),
		isAtStart: true,
		item: (_index, place) => (place === 0 ? { low: 9, list: ' ' } : {}),
		wrong: ['item', 'field'],
		form({ operation, node: { parameters } }) {
			const list = operation === 'delete' ? '$json.name' : '"customers"';
			parameters.blacklist = listNamed(`={{ $json.list ?? ${list} }}`);
			if (operation !== 'create') return;
			parameters.filters = { minReviews: '={{ $json.low ?? 1 }}', maxReviews: 5 };
		},
	},

	// The account.
	{ name: '401', operations: ALL, arrange: fromItem(status(401), KEY) },
	{
		name: '401 by a web page',
		operations: JOBS,
		arrange: fromItem(status(401, { body: WEB_PAGE }), GATEWAY),
	},
	{ name: '403', operations: ALL, wrong: ['field'], arrange: fromItem(status(403), KEY) },
	{ name: '404', operations: ALL, wrong: ['field'], arrange: fromItem(status(404), ADDRESS) },
	{ name: '402', operations: ALL, arrange: fromItem(status(402), ALLOWANCE) },
	{ name: 'a redirect', operations: ALL, arrange: fromItem(redirect(308), ADDRESS) },
	{
		name: 'a credential that gives nothing for an item',
		operations: ALL,
		isAtStart: true,
		item: (_index, place) => ({ noKey: place === 0 }),
		wrong: ['field'],
		arrange: (world) => withKey(world, (key) => `={{ $json.noKey ? "" : "${key}" }}`),
	},
	{
		name: 'a credential that is empty',
		operations: ALL,
		isAtStart: true,
		kinds: OF_ACCOUNT,
		arrange: (world) => withKey(world, () => ''),
	},

	// What may have been carried out.
	once('500', status(500), ALL),
	once('500, carried out', status(500, { carryOut: true }), ['create', 'addMany', 'add']),
	once('503', status(503)),
	...inDoubt('502', status(502), SENDING),
	...inDoubt('a connection that is dropped', { kind: 'drop' }, ALL),
	...inDoubt('cut', { kind: 'cut' }),
	...inDoubt('an undocumented answer', { kind: 'json', body: { id: 'elsewhere' } }),
	once('no answer in time', { kind: 'hang' }, ALL),
	once('a redirect to the result', redirect(303)),
	{ name: 'web pages', operations: ALL, arrange: fromItem({ kind: 'html' }, ADDRESS) },
	...PAIRS.flatMap((faults) =>
		[2, 3, 4, 5].flatMap((inFlight) =>
			(['none', 'all', 'the first'] as const).map((carriedOut) =>
				together([...faults], inFlight, carriedOut),
			),
		),
	),

	// The options.
	wrongOption('"Concurrency" is 0', 'concurrency', 0, REMOVE, SENDING),
	wrongOption('"Minimum Remaining Requests" is no number', 'minRemaining', 'few', REMOVE),
	wrongOption('"Timeout" is no number', 'timeout', 'long', REMOVE),
	wrongOption('too many jobs', 'maxJobs', 1, /raise "Maximum Jobs per Run" under "Options"/i),
	wrongOption('too few remain', 'minRemaining', 100_000, /Wait until the allowance is renewed/),
	usage('500', status(500), TIME),
	usage('401', status(401), KEY),
	usage('404', status(404), ADDRESS),
	usage('402', status(402), ALLOWANCE),
	{
		name: '"Dry Run" is on',
		operations: SENDING,
		kinds: ['retry'],
		form(world) {
			world.setOptions({ dryRun: true });
			setBroken(world, [/Remove the option/], () => world.setOptions({ dryRun: false }));
		},
	},

	// Other executions.
	{
		name: 'a lost execution',
		operations: ['create', 'addMany', 'add'],
		kinds: ['first run', 'later pass', 'called'],
		async start(world, items, at) {
			if (at > 0) await world.run(items.slice(0, at));
			return await world.retry(world.lose(items));
		},
	},
	...[false, true].map((fails): Cause => ({
		name: `another retry in progress${fails ? ', which fails' : ''}`,
		operations: SENDING,
		kinds: ['retry'],
		async start(world, items, at) {
			const failed = await failFirst(world, items, at);
			world.sandbox.faults.add({ fault: { kind: 'delay', ms: 200 } });
			if (fails) world.fault([items[2]!.name], status(500), 1);
			const both = await Promise.all([world.retry(failed), world.retry(failed)]);
			return both.find(({ end }) => end.error?.message.includes('another retry'))!;
		},
	})),
];

/** One cause for each way that words lead, in the other kinds. */
const WAYS = [
	...['connection refused', '401', '402', '403', '400', '500', '500, carried out', 'a redirect'],
	...['a connection that is dropped', 'a connection that is dropped, carried out'],
	...['403 for one item, for good', '"Concurrency" is 0', 'too few remain'],
	...['values that cannot be', 'Usage unreadable: 401'],
];
/** What a node that lets an item through only once leaves a way for: a retry, or another item. */
const ONCE = ['connection refused', '401', '402', '400', '500', '"Concurrency" is 0'];
/** What a person may have changed before reading. */
const EDITS: Edit[] = ['a field', 'the Base URL', 'the credential'];
const EDITED = ['402', '400', '500', '500, carried out', 'a connection that is dropped', '401'];

/** The kinds in which a cause is followed. */
function kindsOf({ name, kinds, start }: Cause, operation: Operation): Kind[] {
	const others = KINDS.filter((kind) => {
		const { isOnce, first, node } = SETTINGS[kind];
		if (PLAIN.includes(kind) || start) return false;
		if (isOnce) return ONCE.includes(name) && operation === 'create';
		if (first === 'addMany' && (name.startsWith('values') || operation !== 'create')) return false;
		return WAYS.includes(name) && (operation === 'create' || (operation === 'addMany' && !node));
	});
	return [...(kinds ?? PLAIN), ...(kinds && !name.startsWith('values') ? [] : others)];
}

function situationsOf(cause: Cause): Situation[] {
	const { name, isAtStart, operations, wrong = [undefined] } = cause;
	return operations.flatMap((operation) =>
		kindsOf(cause, operation).flatMap((kind) => {
			const isEdited =
				operation === 'create' &&
				EDITED.includes(name) &&
				['first run', 'later pass', 'event'].includes(kind);
			const befores = isAtStart ? (['nothing'] as const) : (['nothing', 'something'] as const);
			return befores.flatMap((before) =>
				wrong.flatMap((each) =>
					[undefined, ...(isEdited ? EDITS : [])].map((edit): Situation => {
						const more = [each && `the ${each} is wrong`, edit && `${edit} was changed`];
						const parts = [operation, kind, name, `${before} before`, ...more];
						return {
							...{ name: parts.filter(Boolean).join(', '), cause, kind, operation, before },
							...(edit && { edit }),
							...(each && { wrong: each }),
						};
					}),
				),
			);
		}),
	);
}

/*
 * What no words can make right, and is no situation here:
 *
 * - a node of this kind in a branch beside
 * - a lost Delete: the log only counts what was done, and a list that is deleted cannot be deleted again
 * - a Delete that failed, and was carried out all the same: its list is not found again
 * - two nodes of this kind in a row, lost in the second: n8n does not show that the first had finished
 * - an item that a node before lets through only once, and that a new run is named for
 * - a row of Add Many Items that is refused in a loop of one item each: nobody can look a value up
 * - an event whose option has changed, or whose Create was deactivated, without publishing
 * - a deleted credential, and a cancelled execution: n8n shows an error of its own
 */

export const SITUATIONS = CAUSES.flatMap(situationsOf).filter(
	({ operation, kind, wrong, cause }) =>
		operation !== 'addMany' ||
		kind !== 'later pass of one item' ||
		wrong !== 'item' ||
		cause.name !== 'values that cannot be',
);
