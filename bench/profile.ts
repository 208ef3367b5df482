import type { Profiler } from 'node:inspector';
import type { Report } from '../n8n/report';
import type { Bench } from './bench';
import { CANDIDATES, type CandidateKey } from './candidates';
import { observe } from './hook';
import { delaying } from './runs';

const THIS_PACKAGE = 'n8n-nodes-business-listing-search';
const TOP = 25;
/** How many callers are listed with a function. */
const CALLERS = 3;

/** The packages whose functions explain why time is spent; the others only show how. */
const REASONS = new Set([THIS_PACKAGE, 'n8n-core', 'n8n-nodes-base']);

interface Place {
	/** The package. */
	owner: string;
	name: string;
}

interface Time extends Place {
	ms: number;
}

/**
 * Profiles n8n's main process during one run of a candidate, after a warm-up of the same size.
 * @returns three tables: the time by package, by function, and by the function that caused it
 */
export async function profile(
	bench: Bench,
	{ key, rows, delay }: { key: CandidateKey; rows: number; delay: number },
	report: Report,
): Promise<string> {
	if (CANDIDATES[key].node === undefined) throw new Error(`(${key}) does not run in n8n.`);
	const reset = { faults: delaying(delay) };
	report(`Profile of (${key}): ${rows} rows, the service responds after ${delay} ms`);
	const written = await observe(
		bench,
		{ script: 'profileHook.ts', variable: 'BENCH_PROFILE' },
		async (begin) => {
			await bench.run(key, rows, reset);
			begin();
			const run = await bench.run(key, rows, reset);
			report(`  the node took ${Math.round(run.nodeMs)} ms (profiling slows it down)`);
		},
	);
	const taken = JSON.parse(written) as Profiler.Profile;
	const frames = new Frames(taken);
	const selfTimes = add(taken, frames, (id) => frames.placeOf(id));
	return [
		...tableOf('Self time by package', byOwner(selfTimes)),
		...tableOf('Self time by function', selfTimes),
		...tableOf(
			'Time by the nearest function of the engine or of a node that asked for it',
			add(taken, frames, (id) => frames.reasonOf(id)),
		),
	].join('\n');
}

/** The frames of a profile, each with its caller. */
class Frames {
	private readonly byId: Map<number, Profiler.ProfileNode>;
	private readonly callers = new Map<number, number>();

	constructor({ nodes }: Profiler.Profile) {
		this.byId = new Map(nodes.map((node) => [node.id, node]));
		for (const { id, children = [] } of nodes) {
			for (const child of children) this.callers.set(child, id);
		}
	}

	/**
	 * The package that a frame's time counts for. A frame without a file (JSON.parse, a native
	 * module) counts for the package that called it; the garbage collector, which any code can
	 * trigger, counts for itself.
	 */
	placeOf(id: number): Place {
		const { functionName, url, lineNumber } = this.byId.get(id)!.callFrame;
		const name = functionName || '(anonymous)';
		if (url !== '') {
			return { owner: ownerOf(url), name: `${name} ${shortUrl(url)}:${lineNumber + 1}` };
		}
		if (/^\((root|program|idle|garbage collector)\)$/.test(name)) return { owner: name, name };
		const caller = this.callers.get(id);
		const { owner } = caller === undefined ? { owner: '(root)' } : this.placeOf(caller);
		return owner.startsWith('(')
			? { owner: '(native)', name }
			: { owner, name: `${name} (native)` };
	}

	/** Whether the process was working: neither idle nor busy with the profiler. */
	isWork(id: number): boolean {
		const { functionName, url } = this.byId.get(id)!.callFrame;
		return functionName !== '(idle)' && url !== 'node:inspector';
	}

	/** The nearest frame up the stack that explains why the time is spent, and its callers. */
	reasonOf(id: number): Place {
		const found: Place[] = [];
		for (let at: number | undefined = id; at !== undefined; at = this.callers.get(at)) {
			const place = this.placeOf(at);
			if (REASONS.has(place.owner)) found.push(place);
		}
		const [nearest, ...above] = found;
		if (nearest === undefined) return { owner: this.placeOf(id).owner, name: '' };
		const names = above.slice(0, CALLERS).map(({ name }) => name.split(' ', 1)[0]);
		return { owner: nearest.owner, name: [nearest.name, ...names].join(' < ') };
	}
}

/** Sums the working samples by key. */
function add(
	{ samples = [], timeDeltas = [] }: Profiler.Profile,
	frames: Frames,
	placeOf: (id: number) => Place,
): Time[] {
	const times = new Map<string, Time>();
	for (const [index, id] of samples.entries()) {
		if (!frames.isWork(id)) continue;
		const { owner, name } = placeOf(id);
		const time = times.get(`${owner} ${name}`) ?? { owner, name, ms: 0 };
		time.ms += (timeDeltas[index] ?? 0) / 1000;
		times.set(`${owner} ${name}`, time);
	}
	return [...times.values()].sort((a, b) => b.ms - a.ms);
}

function ownerOf(url: string): string {
	if (url.startsWith('node:')) return 'Node.js';
	const path = url.split('/node_modules/').at(-1) ?? url;
	if (path === url) return 'other';
	const [first = '', second = ''] = path.split('/');
	return first.startsWith('@') ? `${first}/${second}` : first;
}

function shortUrl(url: string): string {
	const path = url.split('/node_modules/').at(-1) ?? url;
	return path.split('/').slice(-3).join('/');
}

function byOwner(times: Time[]): Time[] {
	const sums = new Map<string, Time>();
	for (const { owner, ms } of times) {
		const sum = sums.get(owner) ?? {
			owner,
			name: owner === THIS_PACKAGE ? '(this node)' : '',
			ms: 0,
		};
		sum.ms += ms;
		sums.set(owner, sum);
	}
	return [...sums.values()].sort((a, b) => b.ms - a.ms);
}

/** The share is relative to the working time. */
function tableOf(title: string, times: Time[]): string[] {
	const total = times.reduce((sum, { ms }) => sum + ms, 0);
	return [
		`\n${title}, of ${Math.round(total)} ms at work:`,
		...times.slice(0, TOP).map(({ owner, name, ms }) => {
			const share = ((100 * ms) / total).toFixed(1);
			return `${ms.toFixed(0).padStart(8)} ms ${share.padStart(5)} %  ${owner.padEnd(36)} ${name}`;
		}),
	];
}
