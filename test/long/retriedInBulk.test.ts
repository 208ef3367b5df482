import { useClock } from '../support/clock';
import { workflowOf, type EngineRun } from '../support/engine';
import { status } from '../support/faults';
import { CREATE } from '../support/parameters';
import { useEngine } from '../support/useEngine';

const { sandbox, execute, retry } = useEngine({ remaining: 10_000 });
useClock();

const EXECUTIONS = 500;

/** As a workflow does that retries every failed execution of the last days, each hour. */
it.each<[first: string, order: (failed: EngineRun[]) => EngineRun[]]>([
	['oldest', (failed) => failed],
	['newest', (failed) => failed.reverse()],
])(
	'of 500 executions that failed in an outage, each retried three times, the %s first, no job is created twice',
	async (_first, order) => {
		sandbox.faults.add({ times: EXECUTIONS, fault: status(500) });
		const workflow = workflowOf({ ...CREATE, keyword: '={{ $json.keyword }}' }, []);
		const failed: EngineRun[] = [];
		for (let index = 0; index < EXECUTIONS; index++) {
			workflow.pinData = { Start: [{ json: { keyword: `keyword ${index}.` } }] };
			failed.push(await execute(workflow));
		}
		expect(sandbox.state.jobs).toHaveLength(0);

		const inOrder = order(failed);
		for (let times = 0; times < 3; times++) {
			for (const execution of inOrder) await retry(execution);
		}
		const keywords = sandbox.state.jobs.map(({ keyword }) => keyword);
		expect(new Set(keywords).size).toBe(EXECUTIONS);
		expect(keywords).toHaveLength(EXECUTIONS);
	},
);
