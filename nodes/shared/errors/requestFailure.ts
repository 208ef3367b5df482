import { Failure, faultOf, sentences } from './failure';
import { changesSomething, doubtOf, MAYBE, OUTCOMES, type Reason } from './outcomes';

/** What is known of the answer to a request that failed. */
export interface Answer {
	/** The HTTP status, if the service answered. */
	statusCode?: number;
	/** The service's own message, or what had arrived of the response, without the key. */
	serviceMessage?: string | undefined;
	/** The target of a redirect. */
	location?: string | undefined;
	/** How long the service asked to wait, in milliseconds; 0 if it did not say how long. */
	retryAfter?: number | undefined;
	/** The system's code of a failed connection, such as ECONNREFUSED. */
	code?: string | undefined;
	/** Of a success without the documented content: what the document specifies, and the type of what is not JSON. */
	expected?: string;
	contentType?: string | undefined;
}

/** Where a request without values of an item is rejected. */
const CHECK_THE_CREDENTIAL = 'Check "Base URL" and "API Key Format" in the credential.';

const CORRECT_THE_ITEM = 'Correct the values of this item.';

/**
 * A request that failed.
 *
 * @param reason its row in the table of outcomes
 * @param method of the request: only a change can pay twice
 */
export function requestFailure(reason: Reason, method: string, answer: Answer = {}): Failure {
	const { statusCode, serviceMessage, location, retryAfter = 0 } = answer;
	const { code, expected, contentType } = answer;
	const { message, aboutService, verdict, wayOn = 'retry', whatToDo } = OUTCOMES[reason];
	const isChange = changesSomething(method);
	const doubt = isChange ? doubtOf(reason) : undefined;
	const isTemporary = aboutService === 'trouble' && verdict !== 'notSent';
	const otherwise = isChange ? wayOn === 'content' && CORRECT_THE_ITEM : CHECK_THE_CREDENTIAL;
	const said = sentences(
		expected !== undefined && `Expected ${expected}.`,
		contentType !== undefined && `Content type: ${contentType}.`,
		// Not part of the message: when n8n makes an error of its own, it replaces a message that contains a code.
		code !== undefined && reason !== 'timedOut' && `System code: ${code}.`,
		serviceMessage !== undefined && `The service says: "${serviceMessage}".`,
		retryAfter > 0 && `It said to wait ${Math.ceil(retryAfter / 1000)} s.`,
	);
	return new Failure(
		message
			.replace('{status}', () => String(statusCode))
			.replace('{location}', () => (location ? ` to ${location}` : '')),
		sentences(
			whatToDo ?? (!isTemporary && otherwise),
			doubt && `The request ${MAYBE}.`,
			!doubt && isTemporary && 'Try again later.',
		),
		{
			...{ reason, serviceMessage, retryAfter, doubt },
			httpCode: statusCode?.toString(),
			wayOn: isChange ? wayOn : 'retry',
		},
		said,
	);
}

/** Whatever the code of this package throws once the service has answered: a change may have been carried out. */
export function faultBehindAnswer(error: unknown, method?: string): Failure {
	if (error instanceof Failure) return error;
	const isUnknown = changesSomething(method);
	return faultOf(error, isUnknown ? { reason: 'unexpectedResponse', doubt: 'unknown' } : {});
}
