import { sentences } from '../../shared/errors/failure';
import { asHtml, type Shown } from '../../shared/errors/shown';
import type { Call } from '../form/call';
import { isInLoop, retryOf } from './n8n';
import { reasonsOf, type Tally } from './report';
import type { FailedEnd, Plan, Task } from './task';

/** A run that a failure ended. */
interface EndedRun {
	call: Call;
	plan: Plan;
	/** Whether it only checks its items. */
	isDry: boolean;
	/** What failed, of all that did the one that is shown. */
	task: Task;
	end: FailedEnd;
	tally: Tally;
}

/** The most ids beside an error that names a retry. The retry returns the rest. */
const MOST_IDS = 100;

/** For a new run: a Create that stands before this node would order its jobs again. */
const ALONE = 'with every Create that has ordered them deactivated';

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
	const { ways, namesRetry } = waysOf(run);
	const paragraphs = [
		asHtml(namesItem ? `${task.label}: ${end.description}` : end.description),
		paid && `<b>${bold}: ${paid}. Do not run all ${noun} again.</b>`,
		...ways.map(asHtml),
		asHtml(reasonsOf(others).join(' ')),
	];
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

/** The way on, by the failure and by all that is in doubt. @returns paragraphs, and whether they name n8n's Retry */
function waysOf({ call, plan, isDry, end, tally }: EndedRun) {
	const { failed, failure } = end;
	const { wayOn } = failure.facts;
	const none = (...ways: string[]) => ({ ways, namesRetry: false });
	if (wayOn === 'none' || isDry) return none();
	const { changes, noun } = plan;
	const only = (which: string) => `run the workflow with only the ${noun} ${which}, ${ALONE}`;
	if (wayOn === 'log') {
		if (changes === 'values')
			return none(`Run the workflow with all ${noun}, one request each, ${ALONE}.`);
		const which = changes === 'jobs' ? 'that are in neither' : 'that are still in your account';
		const look = changes === 'jobs' && 'Look in the log of the n8n server, and in your account.';
		return none(sentences(look, `R${only(which).slice(1)}`));
	}
	const isFound = changes === 'jobs' ? failed.doubt !== undefined : failed.doubt === 'unknown';
	const doubts = tally.failed.filter(({ doubt }) =>
		changes === 'jobs' ? doubt : changes === 'blacklists' && doubt === 'unknown',
	);
	const isLeft = changes === 'blacklists' ? 'still' : 'missing';
	const inAccount = doubts.length > 0 ? `are ${isLeft} in your account` : '';
	const corrected = wayOn === 'content' ? ', corrected' : '';
	const notDone = `that were not done${inAccount && ` and ${inAccount}`}${corrected}`;
	const { execution, isCalled } = retryOf(call.context);
	const notCaller = isCalled ? '. Do not retry the workflow that called this one' : '';
	if (execution === undefined) {
		const again = `R${only(notDone).slice(1)}${notCaller}`;
		return none(sentences('n8n does not save this execution.', again));
	}
	const retry = `save, and within 14 days open "Executions" > ${execution} > arrow at the top right > "Retry with currently saved workflow"${notCaller}`;
	const labels = doubts.map(({ label }) => label).join(', ');
	const onErrorOutput = `on the error output${inAccount && ` that ${inAccount}`}${corrected}`;
	const setOnError = 'set "On Error" to "Continue (using error output)"';
	const setBack = `Then set it back, and ${only(onErrorOutput)}.`;
	// In a loop the error output ends Loop Over Items early, in green: the items behind would be lost.
	const isLoop = isInLoop(call);
	const ways: string[] = [];
	if (changes === 'jobs' && doubts.some(({ doubt }) => doubt === 'reportedFailed')) {
		const there = only('of this run that are not in your account');
		ways.push(
			`Look in your account for ${labels}. If one of them is there, ${there}. Otherwise: ${retry}.`,
		);
	} else if (wayOn === 'content') {
		ways.push(`Wrong field (or credential): correct it, ${retry}.`);
		ways.push(
			isLoop
				? `Wrong item: ${only(notDone)}.`
				: `Wrong item: first ${setOnError}, and do the same. ${setBack}`,
		);
	} else if (isFound && doubts.includes(failed)) {
		const steps = isLoop ? `${only(notDone)}.` : `${setOnError}, ${retry}. ${setBack}`;
		ways.push(`A retry does not send ${labels} again: ${steps}`);
	} else ways.push(`Then ${retry}.`);
	return { ways, namesRetry: true };
}
