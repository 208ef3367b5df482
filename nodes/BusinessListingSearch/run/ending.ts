import { asHtml, CORRECT_THE_ITEM, told, type Told } from '../../shared/errors/explain';
import { Refusal, sentences } from '../../shared/errors/failure';
import { NotSentAgain } from '../../shared/errors/notSent';
import type { RunContext } from '../form/call';
import { retryOf, type Way } from './n8n';
import { reasonsOf, type FullTally } from './report';
import type { FailedEnd, FailedTask, Plan, Task } from './task';

/** A run that a failure ended. */
interface EndedRun {
	context: RunContext;
	plan: Plan;
	/** What failed, of all that did the one that is shown. */
	task: Task;
	end: FailedEnd;
	tally: FullTally;
	/** Whether the node has run in this execution before, as in a loop. */
	isLaterPass: boolean;
}

/** What the way on depends on, beside the failure. */
interface Standing extends EndedRun, Way {
	/** What is done, here, in earlier iterations and by nodes before this one. */
	paid: string[];
	/** The nodes that have created jobs before this one; `isAfter` if they also come after it, as in a loop. */
	before: Array<{ name: string; isAfter: boolean }>;
	/** Whether the node is in a loop: the run is one pass, and more may follow. */
	isLoop: boolean;
	/** Whether the run has only one item, so that a new run sends nothing else. */
	isOne: boolean;
	/** What may have been carried out, and can be looked up: jobs, and deleted blacklists. */
	doubts: FailedTask[];
	/** How many are neither done nor in doubt. */
	left: number;
}

/** The most ids beside an error that names a retry. The retry returns the rest. */
const MOST_IDS = 100;

/**
 * What a person is told of the failure that ended a run, in this order: what is wrong, what is paid, how the rest is
 * sent with each request once, what else failed. The title says what is paid as well: n8n's lists show it alone.
 *
 * @returns a description in HTML, and the ids of the jobs as data
 */
export function endingOf(run: EndedRun): Told {
	const standing = standingOf(run);
	const { plan, end, tally, paid, retry } = standing;
	const { explanation } = end;
	const { wayOn } = explanation;
	const isLost = wayOn === 'log';
	const isDone = paid.length > 0 && !isLost;
	const verb = plan.changes === 'jobs' || paid[0]?.startsWith('the jobs of "') ? 'paid' : 'done';
	const bold = isDone
		? `${verb === 'paid' ? 'Created and paid' : 'Done'}: ${paid.join(', and ')}.`
		: '';
	const warning = isDone || (isLost && plan.changes !== 'values');
	const noRepeat = warning && `Do not run all ${plan.nouns.many} again.`;
	const others = tally.failed.filter(
		(failed) => failed !== end.failed && (failed.doubt ?? failed.recurs),
	);
	const paragraphs = [
		asHtml(causeOf(standing)),
		noRepeat && `<b>${asHtml(sentences(bold, noRepeat))}</b>`,
		...stepsOf(standing).map(asHtml),
		asHtml(reasonsOf(others).join(' ')),
	];
	const { message, ...words } = told(explanation);
	const short = paid.join(', and ').replace(', and the jobs of "', ', and those of "');
	const namesRetry = retry !== undefined && wayOn !== 'log' && wayOn !== 'none';
	const more = namesRetry ? tally.ids.length - MOST_IDS : 0;
	const data = more > 0 ? [...tally.ids.slice(0, MOST_IDS), { more }] : tally.ids;
	return {
		...words,
		message: isDone ? `${message} (${verb}: ${short})` : message,
		description: paragraphs.filter((paragraph) => paragraph).join('<br><br>'),
		...(data.length > 0 && { data }),
	};
}

function standingOf(run: EndedRun): Standing {
	const { context, plan, task, tally, isLaterPass } = run;
	const { changes } = plan;
	const { total, done, failed } = tally;
	const before = createdBefore(context);
	const own = context.getNode().name;
	const parents = context.getParentNodes(own).map(({ name }) => name);
	const isLoop = context.getChildNodes(own).some(({ name }) => parents.includes(name));
	const names = before.map(({ name }) => `"${name}"`).join(' and ');
	const paid = [
		changes && done > 0 && `${done} of ${total} ${changes}`,
		changes && isLaterPass && !task.isDry && `the ${changes} of an earlier iteration`,
		names && `the jobs of ${names}`,
	].filter((part): part is string => Boolean(part));
	const inDoubt = failed.filter(({ doubt }) => doubt);
	const isFound = ({ doubt }: FailedTask) => changes === 'jobs' || doubt === 'unknown';
	return {
		...run,
		paid,
		...retryOf(context),
		before,
		isLoop,
		isOne: total === 1 && !isLoop && !task.isRow,
		doubts: changes === 'values' ? [] : inDoubt.filter(isFound),
		left: total - done - inDoubt.length,
	};
}

/** What is wrong: the item, the service's words, what to check. */
function causeOf({ plan, task, end, paid, isOne, doubts }: Standing): string {
	const { explanation, failed, error } = end;
	const { said, whatToDo, ifUnpaid, wayOn } = explanation;
	const namesItem = wayOn === 'content' || failed.doubt !== undefined;
	const isLost = wayOn === 'log';
	const hasNone = paid.length === 0 && doubts.length === 0;
	const isSure =
		hasNone &&
		plan.changes === 'jobs' &&
		error instanceof Refusal &&
		!(error instanceof NotSentAgain);
	return [
		namesItem && !isOne && !isLost && `${task.label}:`,
		sentences(said, (hasNone && ifUnpaid) || whatToDo),
		isSure && !task.isDry && 'No job was created.',
	]
		.filter((part) => part)
		.join(' ');
}

/** How the rest is sent, with each request once: which way depends on the failure, and on all that is in doubt. */
function stepsOf(standing: Standing): string[] {
	const { plan, task, end, tally, paid, retry, isTest, isCalled, isOne, isLoop } = standing;
	const { doubts, left } = standing;
	const { wayOn, of, whatToDo, forSchedulers } = end.explanation;
	if (wayOn === 'none' || (task.isDry && paid.length === 0)) return [];
	const isDelete = plan.changes === 'blacklists';
	if (wayOn === 'log') {
		return plan.changes === 'values'
			? ['Run the workflow again: each value costs one more request.']
			: [newRun(standing, 'Run the workflow with only the items that are in neither.')];
	}
	const isContent = wayOn === 'content';
	const isUntouched = paid.length === 0 && doubts.length === 0;
	const again = isTest ? 'run the workflow again' : 'run the workflow (or send the event) again';
	if (isUntouched && (isTest || retry === undefined)) {
		return [sentences(isContent && whatToDo === '' && CORRECT_THE_ITEM, `Then ${again}`)];
	}
	const corrected = isContent ? ', corrected' : '';
	const notCaller = isCalled && 'Do not retry the workflow that called this one.';
	if (retry === undefined) {
		const inAccount = doubts.length > 0 && ` and are ${isDelete ? 'still' : 'not'} in your account`;
		const rest = `the ${plan.nouns.many} that were not done${inAccount || ''}${corrected}`;
		return [
			sentences(
				'n8n does not save this execution.',
				newRun(standing, `Run the workflow with only ${rest}.`),
				notCaller,
			),
		];
	}
	const ways = (...paragraphs: string[]) => [
		...paragraphs.slice(0, -1),
		sentences(paragraphs.at(-1), notCaller),
	];
	// n8n 1 runs in the editor what is not saved, and retries what is.
	const saveFirst = isTest ? 'On n8n 1, save first.' : '';
	const isLeft = isDelete ? 'still' : 'missing';
	const others = left === 1 ? 'the last one' : `the other ${left}`;
	const byErrorOutput = 'set "On Error" to "Continue (using error output)"';
	const isFound = plan.changes === 'jobs' || isDelete;
	const inAccount = isFound ? ` that are ${isLeft} in your account` : '';
	const setBack = `Then set it back, and run the workflow with only the items on the error output${inAccount}`;
	// Where all items of a pass leave by the error output, the loop gets none, and ends.
	const endsLoop = isLoop && isFound;
	if (doubts.some(({ doubt }) => doubt === 'reportedFailed')) {
		const isShown = doubts.length === 1 && doubts[0] === end.failed;
		const labels = doubts.map(({ label }) => label).join(', ');
		const look = !isShown && `Look in your account for ${labels}.`;
		const isOnly = doubts.length === 1;
		if (isOnly && left === 0 && !isLoop) {
			return ways(saveFirst, sentences(look, `If it is missing there: ${retry}`));
		}
		const only = isOnly && !isLoop ? others : 'the items that are not';
		const condition = isOnly ? 'If it is there' : 'If one of them is there';
		const run = newRun(standing, `${condition}, run the workflow with only ${only}${corrected}.`);
		return ways(saveFirst, sentences(look, run, `Otherwise: ${retry}`));
	}
	if (isContent) {
		const field = `Wrong field (or credential): correct it, save, and ${retry}.`;
		if (isOne) return ways(field, newRun(standing, `Wrong item: correct it, and ${again}.`));
		const steps = endsLoop
			? `Wrong item: run the workflow with only the items that are ${isLeft} in your account, corrected.`
			: `Wrong item: first ${byErrorOutput}, and do the same. ${setBack}, corrected.`;
		return ways(field, newRun(standing, steps));
	}
	if (doubts.includes(end.failed)) {
		if (isOne) return ways(newRun(standing, `If it is ${isLeft} there, ${again}.`));
		if (endsLoop) {
			const run = `Run the workflow with only the items that are ${isLeft} in your account.`;
			return ways(newRun(standing, run));
		}
		const start = left > 0 ? `For ${others}: ` : '';
		const steps = `${start}${byErrorOutput}, save, and ${retry}. ${setBack}.`;
		return ways(newRun(standing, steps.replace(/^s/, 'S')));
	}
	const start = left === 0 || left === tally.total ? 'Then' : `For ${others}`;
	const soon = forSchedulers?.cause === 'quota-exhausted' ? ', within 14 days' : '';
	return ways(saveFirst, sentences(of === 'option' && 'Save.', `${start}${soon}: ${retry}`));
}

/** A new run, without the nodes that would order their jobs again. */
function newRun({ before }: Standing, run: string): string {
	const [again, off] = [true, false].map((isAfter) =>
		before
			.filter((node) => node.isAfter === isAfter)
			.map(({ name }) => `"${name}"`)
			.join(' and '),
	);
	return sentences(
		run,
		off && `Deactivate ${off} for that.`,
		again && `It runs ${again} again, too.`,
	);
}

/** The nodes of this kind that have run before this one, and have created jobs. */
function createdBefore(context: RunContext): Standing['before'] {
	const { name: own, type } = context.getNode();
	const { $ } = context.getWorkflowDataProxy(0);
	const after = context.getChildNodes(own).map(({ name }) => name);
	return context
		.getParentNodes(own)
		.filter((node) => node.type === type && node.name !== own && !node.disabled)
		.filter(({ name }) => $(name).isExecuted && $(name).params.operation === 'create')
		.map(({ name }) => ({ name, isAfter: after.includes(name) }));
}
