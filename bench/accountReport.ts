import type { Run } from './bench';
import type { CapacityResult } from './capacity';
import type { DefaultsResult } from './defaults';
import type { ExecutionsResult } from './executions';
import { answerMs, limitMs, nodeMs, perSecond } from './figures';
import { named, percent, range, rounds, seconds, table, times, whole, type Part } from './layout';
import { capacityTargets, defaultsTargets, executionsTargets, targetList } from './targets';

/** How the page names each form of `RetryAfter`. */
const WAIT = { seconds: 'Retry-After: 1', date: 'Retry-After: a date', none: 'no Retry-After' };

export function executionsPart({ perSecond: rate, cases }: ExecutionsResult): Part {
	const header = [
		'Node',
		'service',
		'executions that succeeded',
		'jobs',
		'jobs twice',
		'requests',
		'refused',
		'limit’s own time, s',
		'took, s',
	];
	const lines = cases.map(({ key, retryAfter, burst }) => [
		named(key),
		retryAfter ? WAIT[retryAfter] : 'no limit',
		`${whole(burst.succeeded)} of ${whole(burst.executions)}`,
		whole(burst.landed),
		whole(burst.twice),
		whole(burst.requests),
		percent(burst.refused / burst.requests),
		retryAfter ? seconds(limitMs(burst.executions, rate)) : '–',
		seconds(burst.ms),
	]);
	return {
		title: `Many executions at once, ${rate} jobs per second`,
		body: [
			`All executions start at once, and each creates one job; the service accepts ${rate} requests per second (a sliding window), and n8n has not used the account before. “Took” is from the first start to the end of the last execution; without a limit, it is n8n’s own time for this number of executions. The HTTP Request node does not read Retry-After, so it is measured with one form of it.`,
			table(header, lines, 2),
			targetList(executionsTargets({ perSecond: rate, cases })),
		],
	};
}

export function defaultsPart(result: DefaultsResult): Part {
	const all = [...result.adds, result.jobs];
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
		[...runs].map(([key, list]) => {
			const [{ rows }] = list as [Run];
			return [
				named(key),
				whole(delay),
				whole(nodeMs(runs, key)),
				range(list.map((run) => run.nodeMs)),
				times(nodeMs(runs, key) / nodeMs(runs, runs.has('d2') ? 'd2' : 'h')),
				whole(Math.max(...list.map(({ mostInFlight }) => mostInFlight))),
				whole(Math.min(...list.map(({ recorded }) => recorded?.oneByOne ?? NaN))),
				`${whole(Math.min(...list.map(({ landed }) => landed)))} of ${whole(rows)}`,
			];
		}),
	);
	return {
		title: 'Nothing set, no limit',
		body: [
			`No **Concurrency**, no batching; the time is ${rounds(all.find(({ runs }) => runs.size > 0)!.runs)}, and each uses an account that n8n has not used before. “One by one at first”: how many requests at the start were sent only after the response to the previous one.`,
			table(header, lines),
			targetList(defaultsTargets(result)),
		],
	};
}

export function capacityPart(result: CapacityResult): Part {
	const { atOnce, ms, runs } = result;
	const header = [
		'Candidate',
		'rows per second',
		'of the service’s best',
		'typical response, ms',
		'÷ idle',
		'most in flight',
		'rows landed',
	];
	const lines = [...runs].map(([key, list]) => {
		const [{ rows }] = list as [Run];
		return [
			named(key),
			whole(perSecond(runs, key)),
			percent(perSecond(runs, key) / perSecond(runs, 'e50')),
			whole(answerMs(runs, key)),
			times(answerMs(runs, key) / answerMs(runs, 'e1')),
			whole(Math.max(...list.map(({ mostInFlight }) => mostInFlight))),
			`${whole(Math.min(...list.map(({ landed }) => landed)))} of ${whole(rows)}`,
		];
	});
	return {
		title: `A service that works on ${atOnce} at a time, ${ms} ms each`,
		body: [
			`The others wait in its queue. Rows per second from the first request to the last response, and the typical response time from the arrival of a request to the end of its response, both as the service sees them, ${rounds(runs)}. (e50) is the service’s best, (e1) is the response time of an idle service. Each run uses an account that n8n has not used before, so it includes the time in which the limit is found.`,
			table(header, lines),
			targetList(capacityTargets(result)),
		],
	};
}
