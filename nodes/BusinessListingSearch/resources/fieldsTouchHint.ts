import type { NodeHint } from 'n8n-workflow';

/** Shown before a run if two fields were dragged in without anything between them. An address can be meant so. */
export const fieldsTouchHint: NodeHint = {
	message:
		'Two fields touch: {{ … }}{{ … }}. Put a space ("Keyword") or a comma ("Values") between them.',
	type: 'info',
	location: 'outputPane',
	whenToDisplay: 'beforeExecution',
	// Written so that n8n does not take the braces for an expression of their own.
	displayCondition: '={{ /[}]{2}[{]{2}/.test($rawParameter.keyword ?? $rawParameter.values) }}',
};
