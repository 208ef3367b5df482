import { adviceIn, sentences, type Explanation } from '../../shared/errors/explain';
import type { Next } from '../../shared/errors/outcomes';
import type { Ledger } from './ledger';
import type { Plan, RunContext } from './task';

type Sentences = Array<string | false | undefined>;

/** n8n's way to retry an execution. @param choice of n8n's two */
const retryWith = (choice: string, execution = '{execution}'): string[] => [
	`Under "Executions", select ${execution}.`,
	'Select the arrow at the top right.',
	`Select "Retry with ${choice} workflow".`,
];

const UNCHANGED = 'Leave everything else in this node as it was in {execution}.';
const SAVE = 'Save the workflow.';
const SAVED = [SAVE, ...retryWith('currently saved')];

/** What a person does to send the rest, one step after another. */
const STEPS: Record<Next, string[]> = {
	retry: retryWith('original'),
	retrySaved: [UNCHANGED, ...SAVED],
	continue: [
		'Set "On Error" of this node to "Continue".',
		UNCHANGED,
		...SAVED,
		'Set "On Error" back.',
	],
	filter: [
		'Add a new Filter node directly before this node, on each way that leads to it.',
		'If this node is in a loop, add it before the loop instead.',
		'Do the same for each other node of this kind.',
		'Let the Filter leave out what was done: {done}.',
		SAVE,
		...retryWith('currently saved', 'the execution that crashed, not this retry of it'),
	],
	newRun: [],
	none: [],
};

/** What is refused can be right, and stay refused. */
export const LEAVE_OUT = 'If the same item fails again, leave it out.';

const newRun = ({ what }: Pick<Plan, 'what'>) =>
	`Then run the workflow with only the ${what} that were not done.`;

/**
 * Adds to a failure after which the run went on how the item is sent: n8n offers no retry of an execution that
 * succeeded.
 */
export function withNewRun(
	explanation: Explanation,
	plan: Pick<Plan, 'what' | 'isTool'>,
): Explanation {
	if (plan.isTool || explanation.next === 'none') return explanation;
	const description = sentences(adviceIn(explanation), newRun(plan));
	return { ...explanation, description, correct: undefined };
}

/**
 * How the rest of a run is sent, and what would send everything again.
 *
 * @returns undefined where nothing was done yet: a new run sends no more than a retry then
 */
export function restOf(
	explanation: Explanation,
	context: RunContext,
	plan: Pick<Plan, 'what' | 'total' | 'idField'>,
	{ done, unknown, isLaterPass }: Ledger,
): Sentences | undefined {
	if (!isLaterPass && done + unknown === 0) return undefined;
	const { next, correct } = explanation;
	const execution = executionToRetry(context);
	const again = plan.idField ? 'creates and pays for every job again' : 'sends everything again';
	return [
		...(execution === undefined && next !== 'none'
			? [
					next !== 'newRun' && 'n8n does not save this execution, so it cannot be retried.',
					correct,
					newRun(plan),
					next === 'continue' && LEAVE_OUT,
				]
			: stepsWith(explanation, execution, plan, done + unknown === plan.total)),
		`Running the workflow with all ${plan.what}, or changing other fields of this node, ${again}.`,
	];
}

/** @param isAllKnown whether nothing is left but what is unknown, which a retry does not send, and ends at */
function stepsWith(
	{ next: found, correct, isOfAddress, forSchedulers }: Explanation,
	execution = '',
	plan: Pick<Plan, 'what' | 'idField'>,
	isAllKnown: boolean,
): Sentences {
	const next = isAllKnown && found.startsWith('retry') ? 'continue' : found;
	// The item last, because who corrects a field of the node before the retry sends everything again.
	const after = correct
		? [correct, 'Run the workflow with only this item.']
		: ['If this item is not done then, run the workflow with only this item.'];
	const steps = [...STEPS[next], ...(next === 'continue' ? after : [])]
		.map((step, index) => `${index + 1}. ${step}`)
		.join(' ')
		.replaceAll('{execution}', () => execution)
		.replace('{done}', plan.idField ? 'the log names it' : 'the log only counts it');
	const moves = isOfAddress && next !== 'none';
	return [
		moves && 'Do not retry after you have entered a new "Base URL".',
		moves &&
			next !== 'newRun' &&
			`Run the workflow with only the ${plan.what} that were not done then.`,
		next === 'newRun' && newRun(plan),
		forSchedulers?.cause === 'credential-invalid' &&
			'Do not choose another credential: a retry then sends everything again.',
		forSchedulers?.cause === 'quota-exhausted' && 'n8n keeps an execution for 14 days by default.',
		next === 'continue' &&
			`A retry alone ${correct || isAllKnown ? 'stops' : 'can stop'} there again.`,
		steps !== '' && `To ${isAllKnown && next === 'continue' ? 'go on' : 'send the rest'}: ${steps}`,
	];
}

/** The execution that a person can retry, as the object of a sentence; undefined if n8n keeps none. */
function executionToRetry(context: RunContext): string | undefined {
	const execution = context.getExecutionId();
	const { saveDataErrorExecution, saveManualExecutions } = context.getWorkflowSettings();
	const isSaved =
		context.getMode() === 'manual'
			? saveManualExecutions !== false
			: saveDataErrorExecution !== 'none';
	if (!execution || !isSaved) return undefined;
	return context.getMode() === 'integrated'
		? `execution ${execution} of the workflow "${context.getWorkflow().name}" (not the one that called it)`
		: `execution ${execution}`;
}
