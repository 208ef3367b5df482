import {
	NodeApiError,
	type Failure as NodeFailure,
	type INode,
	type INodeExecutionData,
} from 'n8n-workflow';

import { LONGEST_RETRY_AFTER } from '../waits';
import {
	Failure,
	messageOf,
	Refusal,
	type Facts,
	type RefusalFacts,
	type Refused,
} from './failure';
import { NotSentAgain } from './notSent';
import {
	isThrottled,
	changesSomething,
	mayBeCarriedOut,
	nodeFailureOf,
	OUTCOMES,
	type Next,
	type Reason,
} from './outcomes';

/** What went wrong, and what follows from it. */
export interface Explanation {
	/** What happened. */
	message: string;
	/** What to do about it. */
	description: string;
	/** What to correct in the item. */
	correct?: string;
	/** What sends the rest of the run. */
	next: Next;
	/** Whether it says to check "Base URL": with another one, a retry sends everything again. */
	namesAddress: boolean;
	/** The HTTP status, if the service answered. */
	httpCode?: string;
	/** Why, in the terms of n8n's schedulers. */
	forSchedulers?: NodeFailure;
}

/** What the user sees of it. */
export type Told = Pick<Explanation, 'message' | 'description' | 'httpCode' | 'forSchedulers'>;

/** What the table of outcomes says, in the terms of a form that has a field for it. */
export type Advice = Partial<
	Record<Reason, { whatToDo?: string; correct?: string; next?: Next; namesAddress?: boolean }>
>;

/** What an explanation depends on. */
export interface Circumstances {
	/** By default GET, which changes nothing. */
	method?: string;
	advice?: Advice;
	/** Where a proxy is set. */
	proxy?: string;
	/** What is refused, where the refusal does not say so itself. */
	of?: Refused;
	/** Whether an AI model reads it, which has no form, no credential and no Retry. */
	isTool?: boolean;
}

/** Added when it is unknown whether a paid request was carried out. Workflows look for the first words. */
const MAYBE_CARRIED_OUT =
	'The request may have been carried out. Check your account before you send it again.';

/** Added to a failure that the service itself reports. */
const NOT_DOCUMENTED =
	'The request may have been carried out. The service does not say whether it was: check your account.';

const MAYBE_CARRIED_OUT_BY_TOOL =
	'The request may have been carried out. Do not call the tool again with these values before the user has checked the account.';

/** What a model can do about a failure, by its cause. */
const TO_A_MODEL: Record<string, string> = {
	'rate-limited': 'Call the tool again later.',
	'temporarily-unavailable': 'Call the tool again later.',
	'quota-exhausted': 'Do not call the tool again before the user has seen to the allowance.',
	'credential-invalid': 'Only the person who set up this tool can correct this.',
	'configuration-invalid': 'Only the person who set up this tool can correct this.',
};

export function explain(
	failure: Failure,
	{ method = 'GET', advice = {}, proxy = 'HTTP_PROXY of n8n', isTool = false }: Circumstances = {},
): Explanation {
	const { reason, facts, attempts } = failure;
	const isMaybe = mayBeCarriedOut(reason, method);
	const isChange = changesSomething(method);
	const row = OUTCOMES[reason];
	const outcome = { ...row, ...(!isChange && row.aboutGet), ...advice[reason] };
	const { whatToDo, next = 'retry', namesAddress = false } = outcome;
	const description = sentences(
		attempts > 1 && `Tried ${attempts} times.`,
		factsOf(reason, facts),
		isTool ? !isMaybe && toAModel(outcome, reason, method) : whatToDo?.replace('{proxy}', proxy),
		isTool ? isMaybe && MAYBE_CARRIED_OUT_BY_TOOL : consequence(reason, method),
	);
	const forSchedulers = nodeFailureOf(reason, facts.retryAfter);
	return {
		message: messageOf(failure),
		description,
		...(isChange && !isTool && { correct: outcome.correct }),
		next,
		namesAddress,
		...(facts.statusCode !== undefined && { httpCode: String(facts.statusCode) }),
		...(forSchedulers && { forSchedulers }),
	};
}

function toAModel(
	{ correct, cause = '' }: { correct?: string; cause?: string },
	reason: Reason,
	method: string,
): string | undefined {
	if (isThrottled(reason)) {
		return 'Nothing was carried out. Call the tool again after that time, or in a minute if it named none.';
	}
	return correct !== undefined && changesSomething(method)
		? 'Correct the values, and call the tool again.'
		: TO_A_MODEL[cause];
}

/** Explains whatever was thrown while a request was prepared or sent, or its response read. */
export function explanationOf(error: unknown, circumstances: Circumstances = {}): Explanation {
	if (error instanceof Failure) return explain(error, circumstances);
	const { message, description = '' } = (error ?? {}) as Partial<Refusal>;
	const {
		forSchedulers,
		httpCode,
		namesAddress = false,
		...facts
	}: RefusalFacts = error instanceof Refusal ? error.facts : {};
	const of = facts.of ?? circumstances.of;
	const isOfValues = of === 'values' && facts.next === undefined;
	const toModel = circumstances.isTool && error instanceof Refusal && refusalToAModel(error);
	const whatToDo = toModel || description || 'Check the values of this item.';
	return {
		message: message || String(error),
		description: isOfValues ? '' : whatToDo,
		...(isOfValues && { correct: whatToDo }),
		next: facts.next ?? (of ? NEXT[of] : 'retry'),
		namesAddress,
		...(httpCode && { httpCode }),
		...(forSchedulers && { forSchedulers }),
	};
}

/** What sends the rest after a refusal: an option can change before a retry, which has the same values again. */
const NEXT: Record<Refused, Next> = {
	option: 'retrySaved',
	run: 'retrySaved',
	values: 'continue',
};

/** What a model is told in place of words for a person; undefined where these are for a model as well. */
function refusalToAModel(refusal: Refusal): string | undefined {
	if (refusal instanceof NotSentAgain) return MAYBE_CARRIED_OUT_BY_TOOL;
	const { toModel, httpCode, forSchedulers } = refusal.facts;
	if (toModel !== undefined) return toModel;
	// A model can correct what it filled in. With a status, the words are for a model already.
	const isForAll = forSchedulers?.cause === 'configuration-invalid' || httpCode !== undefined;
	return isForAll ? undefined : TO_A_MODEL[forSchedulers?.cause ?? ''];
}

/** What the user sees where nothing else is said, such as how the rest of a run is sent. */
export function told({ description, correct, ...explanation }: Explanation): Told {
	return { ...explanation, description: sentences(description, correct) };
}

function factsOf(reason: Reason, facts: Facts): string {
	const { expected, received, code, serviceMessage, retryAfter } = facts;
	return sentences(
		expected !== undefined && `Expected ${expected}, received ${received}.`,
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

/** What the verdict means for the user: whether to check the account, or just to try again. */
function consequence(reason: Reason, method: string): string | undefined {
	const { verdict, aboutService } = OUTCOMES[reason];
	if (mayBeCarriedOut(reason, method)) {
		return verdict === 'failed' ? NOT_DOCUMENTED : MAYBE_CARRIED_OUT;
	}
	const canPass = aboutService === 'trouble' && verdict !== 'notSent';
	return canPass ? 'Try again later.' : undefined;
}

/** Joins sentences, and adds a full stop to one that lacks it. */
export function sentences(...parts: Array<string | false | undefined>): string {
	return parts
		.flatMap((part) => part || [])
		.map((part) => (/[.!?]$/.test(part) ? part : `${part}.`))
		.join(' ');
}

/**
 * Makes the error that n8n shows: what the user is told, with the status as `httpCode` and the `failure`
 * that n8n's schedulers read.
 */
export function asNodeError(node: INode, said: Told, itemIndex?: number) {
	const { description, httpCode, forSchedulers: failure } = said;
	const message = withoutCancelWord(said.message);
	const error = new NodeApiError(
		node,
		{ message },
		{ description, httpCode, failure, message, itemIndex },
	);
	// n8n replaces a message that contains a system code, even inside a word ("preEXISTing"), and n8n
	// 1.123 ignores `failure` in the options.
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
