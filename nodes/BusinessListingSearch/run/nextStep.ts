import { sentences } from '../../shared/errors/explain';
import { Failure } from '../../shared/errors/failure';
import { LostExecution, TakenElsewhere, UnknownOutcome } from '../../shared/errors/notSent';
import { isContentRejected } from '../../shared/errors/outcomes';
import type { RunContext } from './task';

/** What is left to do at the end of a run that an error ended. */
export interface Left {
	/** Whether something was done, or may have been, in this pass of a loop or an earlier one. */
	isRepeated: boolean;
	/** Whether a task is neither done nor unknown. */
	isMissing: boolean;
}

/**
 * Says how to go on after a run that an error ended: what Retry would send, how the rest is reached where it
 * would send nothing more, and that another run repeats what was done.
 *
 * @param isRefused whether the values of the item were refused before anything was sent
 * @returns undefined if nothing was done, or the error itself says how to go on
 */
export function nextStep(
	context: RunContext,
	error: unknown,
	{ isRepeated, isMissing }: Left,
	isRefused: boolean,
): string | undefined {
	if (error instanceof LostExecution) return undefined;
	const isRejected = error instanceof Failure && isContentRejected(error.reason);
	if (!isRepeated) {
		return isRejected
			? 'Once it is corrected, run the workflow again: Retry sends the same values.'
			: undefined;
	}
	const isInTheWay = isRejected || isRefused;
	const again = 'unning the workflow or this step again';
	if (error instanceof TakenElsewhere) return `R${again} repeats what was done.`;
	const which = executionToRetry(context);
	if (which === undefined) {
		return `n8n keeps no execution here that Retry could go on with. R${again} repeats what was done.`;
	}
	if (isMissing && !isInTheWay && !(error instanceof UnknownOutcome)) {
		return `To send only what is missing, leave the parameters of "${context.getNode().name}" as they are (options can change), and select Retry for ${which} in n8n's list of executions. R${again} repeats what was done.`;
	}
	return sentences(
		isInTheWay ? 'Retry sends the same values again' : 'Retry never sends again what is unknown',
		`To go on with the rest, set "On Error" of this node to "Continue", save, and select "Retry with currently saved workflow" for ${which} in n8n's list of executions`,
		isInTheWay
			? `Changing the parameters of this node, or r${again}, repeats what was done`
			: `R${again} repeats what was done`,
	);
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
		? `execution ${execution} of the workflow "${context.getWorkflow().name}", not for the one that called it,`
		: `execution ${execution}`;
}
