import type { Report } from '../../n8n/report';
import type { Bench } from '../bench';
import type { CandidateKey } from '../candidates';
import { medianOf, nodeMs } from '../figures';
import {
	landed,
	mostInFlight,
	named,
	range,
	rounds as inWords,
	table,
	times,
	whole,
	type Part,
} from '../layout';
import type { Scope } from '../options';
import type { Run, Runs } from '../run';
import { chosen, delaying, inRounds } from '../runs';

/** The runs with one response time of the service. */
interface Measured {
	delay: number;
	runs: Runs;
}

/** A target, and whether it is met. */
interface Target {
	what: string;
	/** The measured figure. */
	seen: string;
	isMet: boolean;
}

const ADDS: CandidateKey[] = ['a0', 'b0', 'c0', 'd2'];
const JOBS: CandidateKey[] = ['j', 'h'];
const DELAYS = [0, 5, 50, 200];
const ROWS = 1000;
const JOB_ROWS = 200;
const JOB_DELAY = 200;
/** Fewer rounds, because there are many of these runs. */
const ROUNDS = 3;
/** With such a response time, the HTTP Request node has more requests in flight than this node allows. */
const SLOW = 200;

/**
 * Measures rows and jobs with no option set, against a service without a limit. Each run uses a new
 * account. `rows` is the maximum, for a trial.
 */
export async function* measureDefaults(
	bench: Bench,
	{ rows, rounds, only }: Scope,
	report: Report,
): AsyncGenerator<Part> {
	const [adding, creating] = [chosen(ADDS, only), chosen(JOBS, only)];
	if (adding.length + creating.length === 0) return;
	await bench.restartN8n();
	const measure = async (keys: CandidateKey[], delay: number, size: number) => {
		report(`Defaults: ${size} rows, the service responds after ${delay} ms`);
		const reset = { faults: delaying(delay), record: true, newKey: true };
		const run = async (key: CandidateKey) => await bench.run(key, size, reset);
		return { delay, runs: await inRounds(Math.min(rounds, ROUNDS), keys, run, report) };
	};
	const [addRows, jobRows] = [Math.min(rows, ROWS), Math.min(rows, JOB_ROWS)];
	await bench.warmUp(adding, addRows);
	const adds: Measured[] = [];
	for (const delay of DELAYS) adds.push(await measure(adding, delay, addRows));
	await bench.warmUp(creating, jobRows);
	yield partOf(adds, await measure(creating, JOB_DELAY, jobRows));
}

function partOf(adds: Measured[], jobs: Measured): Part {
	const all = [...adds, jobs];
	const header = [
		'Candidate',
		'responds after, ms',
		'Node, ms',
		'lowest to highest',
		'÷ HTTP Request',
		'most in flight',
		'one by one at first',
		'rows landed',
	];
	const lines = all.flatMap(({ delay, runs }) =>
		[...runs].map(([key, list]) => [
			named(key),
			whole(delay),
			whole(nodeMs(runs, key)),
			range(list.map((run) => run.nodeMs)),
			times(nodeMs(runs, key) / nodeMs(runs, runs.has('d2') ? 'd2' : 'h')),
			mostInFlight(list),
			whole(Math.min(...list.map((run) => run.oneByOne ?? NaN))),
			landed(list),
		]),
	);
	return {
		title: 'Nothing set, no limit',
		body: [
			`No **Concurrency**, no batching; the time is ${inWords(all.find(({ runs }) => runs.size > 0)!.runs)}, and each uses an account that n8n has not used before. “One by one at first”: how many requests at the start were sent only after the response to the previous one.`,
			table(header, lines),
			targetList([
				...adds.flatMap(({ delay, runs }) => addTargets(`at ${delay} ms`, delay, runs)),
				...jobTargets(`jobs at ${jobs.delay} ms`, jobs.runs.get('j') ?? []),
			]),
		],
	};
}

function addTargets(at: string, delay: number, runs: Runs): Target[] {
	const compared = (what: string, key: CandidateKey, most: number): Target[] => {
		if (!runs.has(key) || !runs.has('d2')) return [];
		const share = nodeMs(runs, key) / nodeMs(runs, 'd2');
		return [atMost(`${at} ${what}`, [share], most, (seen) => `${times(seen)} of its time`)];
	};
	if (delay < SLOW) {
		return [
			...compared('Add Item is no slower than HTTP Request', 'a0', 1),
			...compared('Add Many Items, rows, is 1.5 times as fast', 'b0', 1 / 1.5),
			...compared('Add Many Items, one list, is 1.5 times as fast', 'c0', 1 / 1.5),
		];
	}
	const ours = (['a0', 'b0', 'c0'] as const).flatMap((key) => runs.get(key) ?? []);
	const most = ours.map((run) => run.mostInFlight);
	return [
		...compared('Add Item takes at most 1.5 times as long', 'a0', 1.5),
		...(ours.length > 0 ? [atMost(`${at} at most 100 are in flight`, most, 100, whole)] : []),
	];
}

function jobTargets(what: string, runs: Run[]): Target[] {
	const [run] = runs;
	if (!run) return [];
	const took = medianOf(runs, (one) => one.nodeMs);
	const most = runs.map((one) => one.mostInFlight);
	const oneByOne = Math.min(...runs.map((one) => one.oneByOne ?? 0));
	return [
		atMost(
			`${run.rows} ${what} take at most 8 s`,
			[took],
			8000,
			(ms) => `${(ms / 1000).toFixed(1)} s`,
		),
		atMost(`${what}: at most 10 in flight`, most, 10, whole),
		{ what: `${what}: the first eight go one by one`, seen: whole(oneByOne), isMet: oneByOne >= 8 },
	];
}

/** A target that is met if the largest figure is at most `most`. */
function atMost(
	what: string,
	figures: number[],
	most: number,
	shown: (figure: number) => string,
): Target {
	const largest = Math.max(...figures);
	return { what, seen: shown(largest), isMet: largest <= most };
}

/** The targets as a list. */
function targetList(targets: Target[]): string {
	return targets
		.map(({ what, seen, isMet }) => `- ${isMet ? 'Met' : '**Missed**'}: ${what}. Seen: ${seen}.`)
		.join('\n');
}
