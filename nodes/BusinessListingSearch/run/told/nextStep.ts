import { sentences, type Explanation, type Told } from '../../../shared/errors/explain';
import type { Next } from '../../../shared/errors/outcomes';
import type { Ledger } from '../done/ledger';
import type { Plan } from '../task';
import type { Standing } from './standing';

type Sentences = Array<string | false | undefined>;

/** n8n's way to retry an execution. @param choice of n8n's two */
const retryWith = (choice: string): string[] => [
	'Under "Executions", select {execution}.',
	'Select the arrow at the top right.',
	`Select "Retry with ${choice} workflow".`,
];

const UNCHANGED = 'Leave everything else in this node as it was in {execution}.';
const SAVE = 'Save the workflow.';
const SAVE_FOR_GOOD = `${SAVE} If it is published, publish it again.`;

/** What a person does to send the rest, one step after another. */
const STEPS: Record<Next, string[]> = {
	retry: retryWith('original'),
	retrySaved: [UNCHANGED, SAVE_FOR_GOOD, ...retryWith('currently saved')],
	continue: [
		'Set "On Error" of this node to "Continue".',
		UNCHANGED,
		SAVE,
		...retryWith('currently saved'),
		'Set "On Error" back, and save the workflow.',
	],
	newRun: [],
	log: [],
	none: [],
};

/** Where a field of the node is wrong, and nothing was done yet. */
const CORRECT_A_FIELD = ['Correct it.', SAVE_FOR_GOOD, ...retryWith('currently saved')];

/** What to do with the execution of the caller. */
const CALLER = [
	'Do not retry the execution of the workflow that called this one.',
	'If that workflow stopped here, run it with only the items for which it has not called this one yet.',
];

/** A correct item can be refused again. */
const LEAVE_OUT = 'If the same item fails again, leave it out.';

/** What a run has done, as far as the next step depends on it. */
export interface Progress {
	/** How many tasks are done, or may be. */
	doneOrUnknown: number;
	/** Whether nothing was done, or may have been, also not in an earlier pass of a loop. */
	isUntouched: boolean;
	/** Whether nothing is left but what is unknown. */
	isOnlyUnknownLeft: boolean;
	/** Whether the service reported something as failed, which a retry sends again. */
	hasFailed: boolean;
	/** Whether the run has only one task. */
	isSingle: boolean;
}

/** @param total how many tasks the run has, if that is known */
export function progressOf(ledger: Ledger, total?: number): Progress {
	const { done, unknown, failed, isLaterPass } = ledger;
	const doneOrUnknown = done + unknown;
	const hasFailed = failed.some(({ doubt }) => doubt === 'failed');
	return {
		doneOrUnknown,
		isUntouched: !isLaterPass && doneOrUnknown === 0 && !hasFailed,
		isOnlyUnknownLeft: doneOrUnknown === total,
		hasFailed,
		isSingle: total === 1,
	};
}

/**
 * What is told of a failure after which the run went on: with how the item is sent, because n8n offers no retry of an
 * execution that succeeded.
 */
export function toldOfItem(
	{ description, correct, ...explanation }: Explanation,
	plan: Pick<Plan, 'what' | 'createsJobs' | 'isTool'>,
	standing: Standing,
): Told {
	const rest = plan.isTool ? [] : newRun(explanation.next, plan, standing);
	return { ...explanation, description: sentences(description, correct, ...rest) };
}

/**
 * How the rest of a run that ended is sent, and what would send something again.
 *
 * @returns sentences, and whether a retry is one of the ways
 */
export function nextSteps(
	explanation: Explanation,
	plan: Pick<Plan, 'what' | 'createsJobs'>,
	progress: Progress,
	standing: Standing,
): { said: Sentences; namesRetry: boolean } {
	const { correct } = explanation;
	const { isUntouched, isSingle, hasFailed } = progress;
	const { execution, isTest, isCalled } = standing;
	// Without a retry, a branch beside this one that has not begun never runs.
	const now = { ...standing, before: standing.before.filter(({ hasRun }) => hasRun) };
	const next = nextOf(explanation, progress);
	const warning = danger(plan, isUntouched, now.before);
	const caller = isCalled ? CALLER : [];
	const without = (...said: Sentences) => ({ said, namesRetry: false });
	if (next === 'none') return without(...warning);
	if (next === 'log') {
		return without(...newRun(next, plan, now), ...(plan.createsJobs ? warning : []));
	}
	const leaveOut = next === 'continue' && !isSingle && LEAVE_OUT;
	if (isTest && isUntouched && now.before.length === 0) {
		return without(correct, 'Then run the workflow again.', leaveOut);
	}
	if (next === 'newRun' || execution === undefined) {
		const whyNoRetry =
			next === 'newRun'
				? NOT_AFTER_NEW_BASE_URL
				: 'n8n does not save this execution, so it cannot be retried.';
		const rest = newRun(next, plan, now);
		return without(whyNoRetry, correct, ...rest, leaveOut, ...caller, ...warning);
	}
	const steps = isUntouched
		? stepsAtStart(explanation, next, plan, standing)
		: stepsHalfway(explanation, next, plan, progress, standing);
	const said = [
		...steps.map((sentence) => sentence && sentence.replaceAll('{execution}', () => execution)),
		hasFailed && 'A retry sends again what the service reported as failed.',
		...caller,
		...warning,
	];
	return { said, namesRetry: true };
}

function nextOf({ next }: Explanation, { isUntouched, isOnlyUnknownLeft }: Progress): Next {
	// Where nothing was done, the retry can go to a new address.
	if (isUntouched && next === 'newRun') return 'retry';
	// A retry does not send what is unknown, and ends at it.
	return isOnlyUnknownLeft && next.startsWith('retry') ? 'continue' : next;
}

/** Where nothing was done in the node: everything of it can change before the retry. */
function stepsAtStart(
	{ correct, forSchedulers }: Explanation,
	next: Next,
	{ what }: Pick<Plan, 'what'>,
	standing: Standing,
): Sentences {
	const steps = numbered(STEPS[next].filter((step) => step !== UNCHANGED));
	const isQuota = forSchedulers?.cause === 'quota-exhausted';
	if (next !== 'continue') return [isQuota && KEPT_FOR, `To send the rest: ${steps}`];
	const alone = taskAlone(what, standing, correct);
	if (!correct) return [CAN_STOP, `To send the rest: ${steps}`, ...alone];
	return [
		`If a field of this node is wrong: ${numbered(CORRECT_A_FIELD)}`,
		`If the item is wrong: ${steps}`,
		...alone,
	];
}

/** Where something was done: what identifies the run must not change. */
function stepsHalfway(
	{ correct, namesAddress, forSchedulers }: Explanation,
	next: Next,
	{ what }: Pick<Plan, 'what'>,
	{ isOnlyUnknownLeft }: Progress,
	standing: Standing,
): Sentences {
	const isContinue = next === 'continue';
	const goesOn = isOnlyUnknownLeft && isContinue;
	const { cause } = forSchedulers ?? {};
	return [
		...(namesAddress
			? [
					NOT_AFTER_NEW_BASE_URL,
					...runOnly(`the ${what} that were not done`, standing, 'In that case, run'),
				]
			: []),
		cause === 'credential-invalid' &&
			'Do not choose another credential, or enter another "Base URL": a retry would then send everything again.',
		cause === 'quota-exhausted' && KEPT_FOR,
		isContinue && (correct || goesOn ? 'A retry alone stops there again.' : CAN_STOP),
		`To ${goesOn ? 'go on' : 'send the rest'}: ${numbered(STEPS[next])}`,
		...(isContinue ? taskAlone(what, standing, correct) : []),
	];
}

const KEPT_FOR = 'n8n keeps an execution for 14 days by default.';
const CAN_STOP = 'A retry alone can stop there again.';
const NOT_AFTER_NEW_BASE_URL = 'Do not retry after you have entered a new "Base URL".';

const numbered = (steps: string[]) => steps.map((step, index) => `${index + 1}. ${step}`).join(' ');

/** A new run with what was not done. */
function newRun(
	next: Next,
	{ what, createsJobs }: Pick<Plan, 'what' | 'createsJobs'>,
	standing: Standing,
): Sentences {
	if (next === 'none') return [];
	if (next !== 'log') {
		// An event starts the published version.
		const save = next === 'retrySaved' && !standing.isTest && SAVE_FOR_GOOD;
		return [save, ...runOnly(`the ${what} that were not done`, standing)];
	}
	if (createsJobs) return runOnly(`the ${what} that the log does not name`, standing, 'Run');
	return [
		'Run the workflow, or send the event, again. What was done already costs one more request.',
	];
}

/** Sends what failed by itself, after the retry: to correct the node before it would send everything again. */
function taskAlone(what: string, standing: Standing, correct: string | undefined): Sentences {
	const task = `this ${what.slice(0, -1)}`;
	return [`If ${task} is done after that, stop here.`, correct, ...runOnly(task, standing, 'Run')];
}

/** A new run with a part of the input, without sending again what an earlier node of this kind has sent. */
function runOnly(
	what: string,
	{ before, isCalled, isTest }: Standing,
	verb = 'Then run',
): Sentences {
	const jobs = namesOf(before.filter(({ createsJobs }) => createsJobs));
	const others = namesOf(before.filter(({ createsJobs }) => !createsJobs));
	const save = jobs && !isTest && SAVE_FOR_GOOD;
	return [
		jobs && `First deactivate ${jobs}: otherwise, jobs are created there again.`,
		save,
		`${verb} the workflow with only ${what}.`,
		!isTest && !isCalled && `If an event started it, send the event again with only ${what}.`,
		jobs && `When this is done, activate ${jobs} again.`,
		save,
		others && `The requests of ${others} are sent again.`,
		isCalled &&
			'If you run the workflow that called this one, its nodes send their requests again.',
	];
}

const namesOf = (nodes: Standing['before']) => nodes.map(({ name }) => `"${name}"`).join(' and ');

/** What a new run with all items, or a changed field, would send again. */
function danger(
	{ what, createsJobs }: Pick<Plan, 'what' | 'createsJobs'>,
	isUntouched: boolean,
	before: Standing['before'],
): Sentences {
	const here = createsJobs ? 'creates and pays for every job again' : 'sends everything again';
	const isPaid = before.some((node) => node.createsJobs);
	const there = isPaid ? 'creates and pays for the jobs' : 'sends the requests';
	return [
		!isUntouched &&
			`Running the workflow with all ${what}, or changing other fields of this node, ${here}.`,
		before.length > 0 &&
			`Running the workflow with all items ${there} of ${namesOf(before)} again.`,
	];
}
