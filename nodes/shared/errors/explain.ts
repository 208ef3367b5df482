import {
	NodeApiError,
	type Failure as NodeFailure,
	type IDataObject,
	type INode,
	type INodeExecutionData,
} from 'n8n-workflow';

import { LONGEST_RETRY_AFTER } from '../time/waits';
import {
	Failure,
	messageOf,
	Refusal,
	sentences,
	type Facts,
	type RefusalFacts,
	type Refused,
} from './failure';
import {
	isThrottled,
	MAYBE,
	changesSomething,
	mayBeCarriedOut,
	nodeFailureOf,
	OUTCOMES,
	type WayOn,
	type Reason,
} from './outcomes';

/** What went wrong, and what follows from it. */
export interface Explanation {
	/** What happened. */
	message: string;
	/** What the service, or the system, said. */
	said: string;
	/** What to do about it, and whether it may have been carried out; empty where it is the item that is wrong. */
	whatToDo: string;
	/** What sends the rest of the run, if not n8n's Retry. */
	wayOn?: WayOn | undefined;
	/** What was refused, if nothing was sent. */
	of?: Refused | undefined;
	/** In place of `whatToDo` where nothing is paid for yet. */
	ifUnpaid?: string | undefined;
	/** The HTTP status, if the service answered. */
	httpCode?: string | undefined;
	/** Why, in the terms of n8n's schedulers. */
	forSchedulers?: NodeFailure | undefined;
	/** What n8n's editor shows of its own error. */
	context?: IDataObject | undefined;
}

/** What the user sees of it. */
export type Told = Pick<Explanation, 'message' | 'httpCode' | 'forSchedulers' | 'context'> & {
	description: string;
	/** What n8n's editor shows under "Error details", and an error workflow reads. */
	data?: IDataObject[];
};

/** What the table of outcomes says, in the terms of a form that has a field for it. */
export type Advice = Partial<Record<Reason, { whatToDo: string }>>;

/** What an explanation depends on. */
export interface Circumstances {
	/** By default GET, which changes nothing. */
	method?: string;
	/** Whether a person's retry sends it again though it may have been carried out: nobody can look it up. */
	isRepeatable?: boolean;
	advice?: Advice;
	/** What is refused. */
	of?: Refused | undefined;
}

/** Where a request without values of an item is rejected. */
const CHECK_THE_CREDENTIAL = 'Check "Base URL" and "API Key Format" in the credential.';

/** What to do about an item that is wrong. */
export const CORRECT_THE_ITEM = 'Correct the values of this item.';

/**
 * Explains a request that failed, to a person or a model.
 *
 * @returns sentences that are true for both
 */
export function explain(
	failure: Failure,
	{ method = 'GET', isRepeatable = false, advice = {} }: Circumstances = {},
): Explanation {
	const { reason, facts, attempts } = failure;
	const isMaybe = mayBeCarriedOut(reason, method);
	const isChange = changesSomething(method);
	const row = OUTCOMES[reason];
	const otherwise = isChange || passes(reason) ? '' : CHECK_THE_CREDENTIAL;
	const { whatToDo = otherwise } = { ...row, ...advice[reason] };
	return {
		message: messageOf(failure),
		said: sentences(attempts > 1 && `Tried ${attempts} times.`, factsOf(reason, facts)),
		whatToDo: sentences(
			whatToDo,
			isMaybe && `The request ${MAYBE}${isRepeatable ? '' : ': look in your account'}.`,
			!isMaybe && passes(reason) && 'Try again later.',
		),
		wayOn: isChange ? row.wayOn : undefined,
		httpCode: facts.statusCode?.toString(),
		forSchedulers: nodeFailureOf(reason, facts.retryAfter),
	};
}

/** Explains whatever was thrown while a request was prepared or sent, or its response read. */
export function explanationOf(error: unknown, circumstances: Circumstances = {}): Explanation {
	if (error instanceof Failure) return explain(error, circumstances);
	const { message, description = '' } = (error ?? {}) as Partial<Refusal>;
	const facts: RefusalFacts = error instanceof Refusal ? error.facts : {};
	const { of } = circumstances;
	const wayOn = of === 'values' ? 'content' : undefined;
	return {
		message: message || String(error),
		said: '',
		whatToDo: description || 'Check the values of this item.',
		...{ of, wayOn, ...facts },
		forSchedulers: facts.forSchedulers ?? undefined,
	};
}

/** What the user sees of it where nothing else is said, such as how the rest of a run is sent. */
export function told({ message, said, whatToDo, wayOn, ...more }: Explanation): Told {
	const { httpCode, forSchedulers, context } = more;
	const advice = whatToDo || (wayOn === 'content' && CORRECT_THE_ITEM);
	return { message, description: sentences(said, advice), httpCode, forSchedulers, context };
}

function factsOf(reason: Reason, facts: Facts): string {
	const { expected, received, code, serviceMessage, retryAfter } = facts;
	return sentences(
		expected !== undefined &&
			`Expected ${expected}${received === undefined ? '' : `, received ${received}`}.`,
		// Not part of the message: when n8n makes an error of its own, it replaces a message that contains a code.
		code !== undefined && reason !== 'timedOut' && `System code: ${code}.`,
		serviceMessage !== undefined && `The service says: "${serviceMessage}".`,
		reason === 'unsuccessful' && serviceMessage === undefined && 'It gave no reason.',
		isThrottled(reason) && retryAfter !== undefined && retryAfter > 0 && askedToWait(retryAfter),
	);
}

function askedToWait(retryAfter: number): string {
	const seconds = Math.ceil(retryAfter / 1000);
	const longest = LONGEST_RETRY_AFTER / 1000;
	const asked = `It said to wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
	return seconds > longest ? `${asked}. This node waits at most ${longest} seconds.` : `${asked}.`;
}

/** Whether it passes by itself, although nothing says so. */
function passes(reason: Reason): boolean {
	const { verdict, aboutService } = OUTCOMES[reason];
	return aboutService === 'trouble' && verdict !== 'notSent';
}

/**
 * Text as the HTML that n8n's editor makes of a description: a `<` would end it, and an entity would become its sign.
 */
export function asHtml(text: string): string {
	return text.replace(/&(?=#?\w+;)/g, '&amp;').replaceAll('<', '&lt;');
}

/**
 * Makes the error that n8n shows: what the user is told, with the status as `httpCode` and the `failure`
 * that n8n's schedulers read.
 *
 * @param shown the description of an execution is HTML, that of a form is text
 */
export function asNodeError(node: INode, shown: Told, itemIndex?: number) {
	const { description, httpCode, forSchedulers: failure, data, context } = shown;
	const message = withoutCancelWord(shown.message);
	const error = new NodeApiError(
		node,
		{ message },
		{ description, httpCode, failure, message, itemIndex },
	);
	// n8n replaces a message that contains a system code, even inside a word ("preEXISTing"), and n8n
	// 1.123 ignores `failure` in the options.
	error.context = { ...context, ...error.context, ...(data && { data }) };
	const kept = { message, description, httpCode: httpCode ?? null, ...(failure && { failure }) };
	return Object.assign(error, kept);
}

/** The item that a failed one becomes with Continue. */
export function asErrorItem({ message, description }: Told, item: number): INodeExecutionData {
	const json = { error: message, message: description };
	return { json, pairedItem: { item } };
}

/**
 * n8n treats an execution as cancelled when its error message contains "canceled" or "cancelled" in
 * lower case, which a value or the service's message may contain.
 */
function withoutCancelWord(message: string): string {
	return message.replace(/cancel(?=l?ed)/g, 'Cancel');
}
