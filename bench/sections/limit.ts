import type { Report } from '../../n8n/report';
import type { FaultRule } from '../../sandbox';
import type { Bench } from '../bench';
import type { CandidateKey } from '../candidates';
import { limitMs } from '../figures';
import { landed, named, percent, seconds, table, times, whole, type Part } from '../layout';
import type { Scope } from '../options';
import type { Run, Runs } from '../run';
import { chosen, inRounds } from '../runs';
import { atMost, targetList, type Target } from '../targets';

const LIMIT: CandidateKey[] = ['a', 'b', 'd', 'd3'];
const PER_SECOND = 50;

/** Measures how the candidates cope with a rate limit, once. Each run uses a new account. */
export async function* measureLimit(
	bench: Bench,
	{ rows, only }: Scope,
	report: Report,
): AsyncGenerator<Part> {
	const keys = chosen(LIMIT, only);
	if (keys.length === 0) return;
	report(`Rate limit: ${rows} rows, the service accepts ${PER_SECOND} requests per second`);
	await bench.restartN8n();
	await bench.warmUp(keys, rows);
	const faults: FaultRule[] = [{ fault: { kind: 'rateLimit', perSecond: PER_SECOND } }];
	const run = async (key: CandidateKey) => await bench.run(key, rows, { faults, newKey: true });
	yield partOf(await inRounds(1, keys, run, report));
}

function partOf(runs: Runs): Part {
	const header = [
		'Candidate',
		'rows landed',
		'requests',
		'refused with 429',
		'first to last request, s',
		'landed per second',
		'Node, s',
		'ended with',
	];
	const lines = [...runs].flatMap(([key, list]) =>
		list.map((run) => [
			named(key),
			landed([run]),
			whole(run.requests),
			whole(run.requests - run.landed),
			seconds(run.requestsMs),
			((run.landed / run.requestsMs) * 1000).toFixed(1),
			seconds(run.nodeMs),
			run.error ?? 'success',
		]),
	);
	return {
		title: `The service accepts ${PER_SECOND} requests per second`,
		body: [
			'A sliding window; requests above it get 429 with `Retry-After`. One round; the service responds at once, and n8n has not used the account before. Before the first request, n8n builds the requests of all rows, which is included in the time of the node. (d3) is what you can set if you know the limit.',
			table(header, lines),
			targetList(targets([...(runs.get('a') ?? []), ...(runs.get('b') ?? [])])),
		],
	};
}

/** @param ours the runs of this node */
function targets(ours: Run[]): Target[] {
	if (ours.length === 0) return [];
	const missing = ours.map(({ rows, landed }) => rows - landed);
	const refused = ours.map(({ requests, landed }) => (requests - landed) / requests);
	const longer = ours.map(({ rows, requestsMs }) => requestsMs / limitMs(rows, PER_SECOND));
	return [
		atMost('every row lands', missing, 0, (count) => `${whole(count)} missing`),
		atMost('at most 0.5 % refused', refused, 0.005, percent),
		atMost('at most 1.1 times the limit’s own time', longer, 1.1, times),
	];
}
