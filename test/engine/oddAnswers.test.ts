import type { Fault } from '../../sandbox';
import { useEngine } from '../support/useEngine';
import { TESTED_NODE } from '../support/workflowOf';
import { useLog } from '../support/log';
import { CREATE, keywords, USAGE } from '../support/parameters';

const { sandbox, execute } = useEngine();
const log = useLog();

const guarded = (minRemaining: number) => ({ ...CREATE, options: { minRemaining } });

describe('"remaining" that is', () => {
	const remains = (remaining: unknown): Fault => ({ kind: 'json', body: { plan: 'P', remaining } });

	it.each<[remaining: unknown, number: number]>([
		['007', 7],
		[4, 4],
		['-3', -3],
	])(
		'%j is compared with "Minimum Remaining Requests", and a number in the output',
		async (of, number) => {
			sandbox.faults.add({ method: 'GET', fault: remains(of) });
			const { error } = await execute(guarded(10), keywords(2));
			expect(error?.message).toBe(
				`Not created: the run needs 2, the account has ${number}, and "Minimum Remaining Requests" is 10`,
			);
			expect(sandbox.state.jobs).toEqual([]);
			const { json } = await execute(USAGE);
			expect(json).toEqual([{ plan: 'P', remaining: number }]);
		},
	);

	it.each(['many', '5 of 10', '- 1', 12.5, '99999999999999999999'])(
		'%j stops nothing, is logged, and is returned unchanged',
		async (remaining) => {
			sandbox.faults.add({ method: 'GET', fault: remains(remaining) });
			const { json } = await execute(guarded(100), keywords(2));
			expect(json).toHaveLength(2);
			expect(log.lines('warn')).toEqual([
				`${TESTED_NODE}: the service reports "${remaining}" remaining requests, so no minimum and no threshold applies`,
			]);
			const { json: usage } = await execute(USAGE);
			expect(usage).toEqual([{ plan: 'P', remaining }]);
		},
	);
});
