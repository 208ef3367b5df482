import type { Explanation, Failure, Trouble } from './failure';
import { changesSomething } from './failure';
import { isToldToWait, LONGEST_TOLD_WAIT } from './retry';

const STATUS: Record<number, [message: string, whatToDo: string]> = {
	400: [
		'The service rejected the input',
		'Check the values of this item against what the service accepts.',
	],
	401: [
		'The service refused the API key',
		'Check "API Key" in the credential. If the key is right, choose another "API Key Format" there.',
	],
	402: [
		'The request allowance of the account is used up',
		'Wait until it is renewed or choose a larger plan. The operation Get of the resource Usage shows what remains.',
	],
	404: [
		'The service did not find what was asked for',
		'If the request is about one blacklist, check that "Blacklist" names one that exists. Otherwise check "Base URL" in the credential.',
	],
	429: [
		'The service is receiving too many requests',
		'Run this again later, or lower "Concurrency" under "Options".',
	],
};
STATUS[403] = STATUS[401]!;
STATUS[409] = STATUS[400]!;
STATUS[422] = STATUS[400]!;

const TIMED_OUT = new Set(['ECONNABORTED', 'ETIMEDOUT', 'ESOCKETTIMEDOUT', 'ERR_TIMEOUT']);
const NO_ADDRESS = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA', 'EAI_NONAME']);
const TLS = /CERT|TLS|SSL|SIGNATURE|^EPROTO$/;

/** Said after whatever leaves it open whether a paid request was carried out. */
const MAYBE_CARRIED_OUT =
	'The request may have been carried out: check your account before you send it again.';

/**
 * Puts into words what happened and what to do, in the terms of the form.
 *
 * @param failure what kept the request from its result
 * @param method of the request: after a GET nothing can have changed
 */
export function explain({ trouble, tries }: Failure, method: string): Explanation {
	const explanation = explainTrouble(trouble, method);
	if (tries === 1) return explanation;
	return { ...explanation, description: `Tried ${tries} times. ${explanation.description}` };
}

function explainTrouble(trouble: Trouble, method: string): Explanation {
	switch (trouble.kind) {
		case 'connection':
			return explainConnection(trouble.code, trouble.sent, method);
		case 'shape':
			return {
				message: 'The answer is not the one the service documents',
				description: sentences(
					`Expected ${trouble.expected}, received ${trouble.received}.`,
					quoteService(trouble.serviceMessage),
					'Check "Base URL" in the credential.',
					changesSomething(method) && MAYBE_CARRIED_OUT,
				),
				httpCode: String(trouble.statusCode),
			};
		case 'unsuccessful':
			return {
				message: 'The service reported that the call did not succeed',
				description: sentences(
					quoteService(trouble.serviceMessage) ?? 'It gave no reason.',
					'Check the values of this item.',
				),
				httpCode: String(trouble.statusCode),
			};
		case 'status':
			return { ...explainStatus(trouble, method), httpCode: String(trouble.statusCode) };
	}
}

function explainStatus(
	{ statusCode: status, serviceMessage, location, retryAfter }: Trouble & { kind: 'status' },
	method: string,
): Explanation {
	const said = quoteService(serviceMessage);
	const known = STATUS[status];
	if (isToldToWait(status, retryAfter)) {
		const [message, whatToDo] = known ?? [
			'The service is not available for now',
			'It asked to come again later. Nothing was carried out. Run this again later.',
		];
		return { message, description: sentences(said, askedToWait(retryAfter), whatToDo) };
	}
	if (known) return { message: known[0], description: sentences(said, known[1]) };
	if (status >= 300 && status < 400) {
		return {
			message: `The service answered with a redirect${location ? ` to ${location}` : ''}, which is not followed`,
			description: sentences(
				said,
				'Following it could carry the key to another address. If the service has moved, enter its new address in "Base URL" in the credential.',
			),
		};
	}
	if (status >= 500) {
		return {
			message: `The service could not process the request (status ${status})`,
			description: sentences(
				said,
				changesSomething(method) ? MAYBE_CARRIED_OUT : 'Run this again later.',
			),
		};
	}
	return {
		message: `The service did not accept the request (status ${status})`,
		description: sentences(said, 'Check the values of this item, and the credential.'),
	};
}

function explainConnection(code: string, sent: boolean, method: string): Explanation {
	if (sent) {
		const consequence = changesSomething(method) ? MAYBE_CARRIED_OUT : 'Run this again later.';
		return TIMED_OUT.has(code)
			? {
					message: 'The service did not answer in time',
					description: `${consequence} The time can be changed with "Timeout" under "Request Options".`,
				}
			: {
					message: `The connection to the service broke before its answer was complete (${code})`,
					description: consequence,
				};
	}
	const check = 'Nothing was sent. Check "Base URL" in the credential';
	if (NO_ADDRESS.has(code)) {
		return {
			message: `The address of the service was not found (${code})`,
			description: `${check}, and that n8n can look up internet names.`,
		};
	}
	if (TLS.test(code)) {
		return {
			message: `No secure connection to the service could be made (${code})`,
			description: `${check}: the certificate at this address is not accepted, or the address wants http:// in place of https://.`,
		};
	}
	return {
		message: `No connection to the service could be made (${code})`,
		description: `${check}, and that the service can be reached from n8n.`,
	};
}

function askedToWait(milliseconds: number | undefined): string | undefined {
	if (milliseconds === undefined) return undefined;
	const seconds = Math.ceil(milliseconds / 1000);
	const longest = LONGEST_TOLD_WAIT / 1000;
	const asked = `It asked to wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
	return seconds > longest ? `${asked}; more than ${longest} are not waited for.` : `${asked}.`;
}

function quoteService(message: string | undefined): string | undefined {
	return message === undefined ? undefined : `The service says: "${message}".`;
}

function sentences(...parts: Array<string | false | undefined>): string {
	return parts.filter((part) => part).join(' ');
}
