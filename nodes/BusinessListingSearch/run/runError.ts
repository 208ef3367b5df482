import { asHtml, type Shown } from '../../shared/errors/shown';
import type { Call } from '../input/call';
import { isInLoop, retryOf } from './n8n';
import { reasonsOf, type Tally } from './runLog';
import type { FailedEnd, Plan, Task } from './task';

/** A run that a failure ended. */
interface EndedRun {
	call: Call;
	plan: Plan;
	/** Whether it only checks its items. */
	isDry: boolean;
	/** The failed task that is shown. */
	task: Task;
	end: FailedEnd;
	tally: Tally;
}

/** The most ids beside an error that names a retry. The retry returns the rest. */
const MOST_IDS = 100;

/** For a new run: a Create that stands before this node would order its jobs again. */
const ALONE = 'with every Create that has ordered them deactivated';

/** With this, all others are sent, and what is wrong or in doubt goes to the error output. */
const SET_ON_ERROR = 'set "On Error" to "Continue (using error output)"';

/**
 * What a person is told of the failure that ended a run, in this order: what is wrong, what is paid, how the rest is
 * sent with each request once, what else failed. The title says what is paid as well: n8n's lists show it alone.
 *
 * @returns a description in HTML, and the ids of the jobs as data
 */
export function errorOfRun(run: EndedRun): Shown {
	const { call, plan, isDry, task, end, tally } = run;
	const { failure, failed } = end;
	const { wayOn } = failure.facts;
	const { changes, noun } = plan;
	const isLost = wayOn === 'log';
	const parts = [
		tally.done > 0 && `${tally.done} of ${tally.total} ${changes}`,
		call.runIndex > 0 && !isDry && `the ${changes} of an earlier iteration`,
	].filter((part) => part);
	const paid = changes && !isLost ? parts.join(', and ') : '';
	const [verb, bold] = changes === 'jobs' ? ['paid', 'Created and paid'] : ['done', 'Done'];
	const isOne = Math.max(tally.total, call.inputs.length) === 1;
	const namesItem = !isLost && !isOne && (wayOn === 'content' || failed.doubt);
	const others = tally.failed.filter((each) => each !== failed && (each.doubt ?? each.recurs));
	const retried = retryOf(call.context);
	const paragraphs = [
		asHtml(namesItem ? `${task.label}: ${end.description}` : end.description),
		paid && `<b>${bold}: ${paid}. Do not run all ${noun} again.</b>`,
		...waysOf(run, retried).map(asHtml),
		asHtml(reasonsOf(others).join(' ')),
	];
	const namesRetry = retried.execution && wayOn !== 'none';
	const more = namesRetry ? tally.ids.length - MOST_IDS : 0;
	const data = more > 0 ? [...tally.ids.slice(0, MOST_IDS), { more }] : tally.ids;
	return {
		message: paid ? `${failure.message} (${verb}: ${paid})` : failure.message,
		description: paragraphs.filter((paragraph) => paragraph).join('<br><br>'),
		httpCode: failed.httpCode,
		context: { runIndex: call.runIndex, ...(data.length > 0 && { data }) },
		cause: failure.cause,
	};
}

/** The way on, by the failure and by all that is in doubt. @returns paragraphs; none for a dry run, or for `none` */
function waysOf(
	{ call, plan, isDry, end, tally }: EndedRun,
	{ execution, isCalled }: ReturnType<typeof retryOf>,
): string[] {
	const { failed, failure } = end;
	const { wayOn } = failure.facts;
	const { changes, noun } = plan;
	if (wayOn === 'none' || isDry) return [];
	const only = (which: string) => `the workflow with only the ${noun} ${which}, ${ALONE}.`;
	if (wayOn === 'log') {
		const ofLost = {
			jobs: `Look in the log of the n8n server, and in your account. Run ${only('that are in neither')}`,
			values: `Run the workflow with all ${noun}, one request each, ${ALONE}.`,
			blacklists: `Run ${only('that are still in your account')}`,
		};
		return [ofLost[changes!]];
	}
	const doubts = tally.failed.filter(({ doubt }) =>
		changes === 'jobs' ? doubt : changes === 'blacklists' && doubt === 'unknown',
	);
	const labels = doubts.map(({ label }) => label).join(', ');
	const left = changes === 'jobs' ? 'missing' : 'still';
	const rest = (joint: string) =>
		(labels && ` ${joint} are ${left} in your account`) +
		(wayOn === 'content' ? ', corrected' : '');
	const notDone = only(`that were not done${rest('and')}`);
	const notCaller = isCalled ? ' Do not retry the workflow that called this one.' : '';
	if (!execution) return [`n8n does not save this execution. Run ${notDone}${notCaller}`];
	const retry = `save, and within 14 days open "Executions" > ${execution} > arrow at the top right > "Retry with currently saved workflow".${notCaller}`;
	if (doubts.some(({ doubt }) => doubt === 'reportedFailed')) {
		const others = only('of this run that are not in your account');
		return [
			`Look in your account for ${labels}. If one of them is there, run ${others} Otherwise: ${retry}`,
		];
	}
	// In a loop the error output ends Loop Over Items early, in green: the items behind would be lost.
	const byOutput = (how: string) =>
		isInLoop(call)
			? `run ${notDone}`
			: `${how} Then set it back, and run ${only(`on the error output${rest('that')}`)}`;
	if (wayOn === 'content') {
		return [
			`Wrong field (or credential): correct it, ${retry}`,
			`Wrong item: ${byOutput(`first ${SET_ON_ERROR}, and do the same.`)}`,
		];
	}
	if (doubts.includes(failed))
		return [`A retry does not send ${labels} again: ${byOutput(`${SET_ON_ERROR}, ${retry}`)}`];
	return [`Then ${retry}`];
}
