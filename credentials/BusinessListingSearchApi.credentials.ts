import { UserError } from 'n8n-workflow';
import type {
	IAuthenticate,
	IAuthenticateRuleResponseCode,
	IAuthenticateRuleResponseSuccessBody,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	Icon,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { explain, sentences } from '../nodes/shared/errors/explain';
import { Failure } from '../nodes/shared/errors/failure';
import { reasonOfStatus } from '../nodes/shared/errors/outcomes';

/** Straight, curly and angle quotes. */
const QUOTES = '"\'`“”„‟‘’‚‛«»‹›';
/** What people paste around the address: spaces, also of no width, quotes, a comma, and `https://` before the address's own. */
const AROUND_ADDRESS = new RegExp(
	`^(?:[\\s\\p{Cf}${QUOTES}]|https?://(?=https?://))+|[\\s\\p{Cf}${QUOTES},;]+$`,
	'giu',
);
/** What people paste with the address: `/api/v1`, also with the rest of an endpoint's path behind it. */
const PATH_OF_SERVICE = /\/+api\/v1(?:\/+(?:jobs|usage|blacklist(?:\/+[^/]+)?))?$/;

/**
 * Normalizes the "Base URL" field.
 *
 * @param value what the credential holds; what is pasted around it, and trailing slashes, do not matter
 * @param whenEmpty what to do about an empty one
 * @returns the address without trailing slashes, and without one path of the service at its end; a path
 * prefix is kept
 * @throws UserError when it is not an http or https address, or has user info, a query or a fragment
 */
export function readBaseUrl(
	value: unknown,
	whenEmpty = 'Enter the address of the service, e.g. https://service.example.com',
): string {
	const entered = value ?? '';
	if (typeof entered !== 'string') throw unusableBaseUrl('it is not text');
	const text = entered.replace(AROUND_ADDRESS, '');
	if (text === '') {
		throw new UserError('"Base URL" in the credential is empty', { description: whenEmpty });
	}
	if (!/^https?:\/\//i.test(text)) {
		throw unusableBaseUrl('it does not start with https:// or http://');
	}
	let url: URL;
	try {
		url = new URL(text);
	} catch {
		throw unusableBaseUrl('it is not a complete address');
	}
	// Checks the raw text because URL drops a lone "@", "?" or "#".
	if (/^https?:[/\\]*[^/\\?#]*@/i.test(text)) {
		throw unusableBaseUrl('it contains a user name or a password');
	}
	if (text.includes('?')) throw unusableBaseUrl('it contains a query ("?")');
	if (text.includes('#')) throw unusableBaseUrl('it contains a fragment ("#")');
	return url.origin + url.pathname.replace(/\/+$/, '').replace(PATH_OF_SERVICE, '');
}

function unusableBaseUrl(why: string): UserError {
	return new UserError(`"Base URL" in the credential is invalid: ${why}`, {
		description:
			'Enter only the address of the service, e.g. https://service.example.com; it can end in a path',
	});
}

/** What people paste with the key, in any order: spaces, quotes, the name of a header and a scheme. */
const BEFORE_KEY = new RegExp(
	`^(?:[\\s\\p{Cf}${QUOTES}<]|(?:x-api-key|Authorization)[\\s${QUOTES}]*:|(?:Token|Bearer)(?=[\\s${QUOTES}<]|$))+`,
	'iu',
);
const AFTER_KEY = new RegExp(`[\\s\\p{Cf}${QUOTES},>]+$`, 'u');

/**
 * Normalizes the "API Key" field.
 *
 * @param value what the credential holds, also with `Token`, `Bearer`, `x-api-key:`, quotes or spaces around it
 * @param whenEmpty what to do about an empty one
 * @returns the bare key
 * @throws UserError when it is empty, not text, or not valid in a header (a control character could
 * inject headers)
 */
export function readApiKey(
	value: unknown,
	whenEmpty = 'Enter the private key of your account',
): string {
	// An expression can turn digits into a number.
	const entered = Number.isSafeInteger(value) ? String(value) : (value ?? '');
	if (typeof entered !== 'string') {
		throw new UserError('"API Key" in the credential is not text', {
			description: 'Enter the private key of your account, or use an expression that returns text',
		});
	}
	const key = entered.replace(BEFORE_KEY, '').replace(AFTER_KEY, '');
	if (key === '') {
		throw new UserError('"API Key" in the credential is empty', { description: whenEmpty });
	}
	// Only what a header carries unchanged: visible ASCII, spaces and Latin-1 letters.
	if (!/^[\x20-\x7e\xa0-\xff]+$/.test(key)) {
		throw new UserError('"API Key" in the credential is invalid', {
			description:
				'It contains a line break or another character that is not allowed in a key. Copy the key again, and paste only the key.',
		});
	}
	return key;
}

/**
 * The value of the header `x-api-key` (service interface, section 5): the examples of the service
 * send `Token <API_KEY>` on job and blacklist calls and the bare key on the Usage call.
 *
 * @param key the bare key
 * @param keyFormat "API Key Format" of the credential
 * @param path the path of the request, including a prefix
 */
export function apiKeyHeader(key: string, keyFormat: unknown, path: string): string {
	const asDocumented = /\/api\/v1\/usage\/*$/.test(path) ? 'bare' : 'token';
	const format = keyFormat === 'token' || keyFormat === 'bare' ? keyFormat : asDocumented;
	return format === 'bare' ? key : `Token ${key}`;
}

/** The statuses for which the credential test has words; for others, n8n has. */
const TESTED = [
	301, 302, 303, 307, 308, 400, 401, 402, 403, 404, 405, 407, 429, 500, 502, 503, 504,
];

/** As the node says it. */
const statusRules: IAuthenticateRuleResponseCode[] = TESTED.map((value) => {
	const reason = reasonOfStatus(value, undefined);
	const { message, description } = explain(new Failure(reason, { statusCode: value }));
	const said = sentences(message, description);
	const isKeyGood = reason === 'allowanceUsedUp';
	const text = isKeyGood ? `The key works, but ${said.replace(/^T/, 't')}` : said;
	return { type: 'responseCode', properties: { value, message: text } };
});

/** A wrong address that answers 200 with a web page has no `plan`. */
const planRule: IAuthenticateRuleResponseSuccessBody = {
	type: 'responseSuccessBody',
	properties: {
		key: 'plan',
		value: undefined,
		message: 'The response is not from the service: it contains no plan. Check "Base URL".',
	},
};

export class BusinessListingSearchApi implements ICredentialType {
	name = 'businessListingSearchApi';

	displayName = 'Business Listing Search API';

	icon: Icon = {
		light: 'file:../icons/businessListingSearch.svg',
		dark: 'file:../icons/businessListingSearch.dark.svg',
	};

	// n8n's own page about credentials. A page of this package exists only once it is published.
	documentationUrl = 'https://docs.n8n.io/credentials/add-edit-credentials/';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://service.example.com',
			description: 'The address of the service, from your provider',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: 'The private key of your account, with or without the prefix "Token"',
		},
		{
			displayName: 'API Key Format',
			name: 'keyFormat',
			type: 'options',
			default: 'documented',
			options: [
				{
					name: 'Key Only',
					value: 'bare',
					description: 'Send only the key with every request',
				},
				{
					name: 'Token and Key',
					value: 'token',
					description: 'Send "Token" and the key with every request',
				},
				{
					name: 'Token and Key, Except for Usage',
					value: 'documented',
					description:
						'Send "Token" and the key for jobs and blacklists, and only the key for usage',
				},
			],
			description:
				'How to send the key in the header. Change it only if the service refuses a correct key.',
		},
	];

	/**
	 * Sets the key's header and, for a URL without a host (this package's own requests), prepends the
	 * "Base URL". A function, because the form of the header depends on the path.
	 *
	 * @throws UserError for an invalid "Base URL" or "API Key"; nothing is sent then
	 */
	authenticate: IAuthenticate = async (
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => {
		// n8n's older request helper, which its HTTP Request node still uses, has `uri` in place of
		// `url`.
		const { uri } = requestOptions as { uri?: unknown };
		let address = String(requestOptions.url ?? uri ?? '');
		if (address.startsWith('/')) {
			const baseUrl = readBaseUrl(credentials.baseUrl);
			address = baseUrl + address;
			// Not as `baseURL`, which n8n would join with `url` again at each of its steps.
			requestOptions.url = address;
			requestOptions.baseURL = undefined;
			// As everywhere in n8n, a credential's own address is always an allowed domain.
			if (requestOptions.allowedDomains) {
				requestOptions.allowedDomains += `, ${new URL(baseUrl).hostname}`;
			}
		}
		const { pathname } = new URL(address, 'http://relative');
		requestOptions.headers = {
			...requestOptions.headers,
			'x-api-key': apiKeyHeader(readApiKey(credentials.apiKey), credentials.keyFormat, pathname),
		};
		return requestOptions;
	};

	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{ $credentials.baseUrl }}',
			url: '/api/v1/usage',
			disableFollowRedirect: true,
		},
		rules: [...statusRules, planRule] as ICredentialTestRequest['rules'],
	};
}
