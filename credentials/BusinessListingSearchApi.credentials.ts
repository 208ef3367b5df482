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

import { sentences } from '../nodes/shared/errors/failure';
import { reasonOfStatus } from '../nodes/shared/errors/outcomes';
import { requestFailure } from '../nodes/shared/errors/requestFailure';
import { ENDPOINTS } from '../nodes/shared/service/endpoints';
import { apiKeyHeader, readApiKey, readBaseUrl } from '../nodes/shared/service/credentialFields';

/** The statuses for which the credential test has words; for others, n8n has. */
const TESTED = [
	301, 302, 303, 307, 308, 400, 401, 402, 403, 404, 405, 407, 429, 500, 502, 503, 504,
];

/** The words of the node. */
const statusRules: IAuthenticateRuleResponseCode[] = TESTED.map((value) => {
	const reason = reasonOfStatus(value, undefined);
	const { message, description } = requestFailure(reason, 'GET', { statusCode: value });
	const text = sentences(message, description);
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
			description: 'The address of the service, from the company that sold you the account',
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
				'How to send the key in the header. Change it only if the service refuses a correct key: then try the others one after another.',
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
			url: ENDPOINTS.getUsage.path,
			disableFollowRedirect: true,
		},
		rules: [...statusRules, planRule] as ICredentialTestRequest['rules'],
	};
}
