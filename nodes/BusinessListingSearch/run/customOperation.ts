import { NodeApiError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

import { asFailure } from '../../shared/errors/failure';
import { asErrorItem, asNodeError } from '../../shared/errors/shown';
import { Stopped } from '../../shared/pacing/requester';
import type { Call, Input, RunContext } from '../input/call';
import { callOf, comesFromItself, continuesIn } from './n8n';

/**
 * Answers a call of the node. With Continue it never throws: n8n would pass the input on as a success
 * (WorkflowExecute.processRunExecutionData of n8n-core 2.41 and 1.122).
 *
 * @returns the output items; none if n8n stops it while it reads its input
 * @throws NodeApiError without Continue
 */
export async function answer(
	context: RunContext,
	inputs: Input[],
	work: (call: Call) => Promise<INodeExecutionData[]>,
): Promise<INodeExecutionData[]> {
	try {
		if (inputs.length === 0 || comesFromItself(context)) return [];
		return await work(callOf(context, inputs));
	} catch (error) {
		if (error instanceof Stopped) return [];
		const shown = asFailure(error);
		const thrown = error instanceof NodeApiError ? error : asNodeError(context.getNode(), shown);
		if (!continuesIn(context)) throw thrown;
		return inputs.map(({ index }) => asErrorItem(shown, index));
	}
}

/**
 * Makes a custom operation, which n8n calls once with all input items.
 *
 * @param work makes the output items of a call
 */
export function customOperation(
	work: (call: Call, context: IExecuteFunctions) => Promise<INodeExecutionData[]>,
) {
	return async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const inputs = this.getInputData().map((item, index) => ({ item, index }));
		return [await answer(this, inputs, async (call) => await work(call, this))];
	};
}
