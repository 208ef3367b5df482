import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	IExecuteFunctions,
	IExecuteSingleFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';

import { readApiKey, readBaseUrl } from '../../../credentials/BusinessListingSearchApi.credentials';
import { toRefusal } from './connection';
import { Secret } from './secret';

/** Where in n8n a request can come from. */
export type RequestContext =
	IExecuteFunctions | IExecuteSingleFunctions | ILoadOptionsFunctions | IPollFunctions;

export const CREDENTIAL = 'businessListingSearchApi';

/** A credential as it was read once, for any number of requests. */
export interface Credential {
	/** Tells accounts apart in what is remembered: the credential's id and its base URL. */
	account: string;
	/** Tells accounts apart by what is sent, in memory only: the base URL and the key. */
	sender: string;
	/** As n8n's request helper takes it, so that it need not decrypt it again. */
	decrypted: ICredentialsDecrypted;
	/** The key, to be taken out of answers. */
	secret: Secret;
}

/**
 * @param item the index of the input item that expressions in the credential are about
 * @throws Refusal when it cannot be read, or its "Base URL" or "API Key" cannot be used
 */
export async function readCredential(context: RequestContext, item?: number): Promise<Credential> {
	try {
		const data: ICredentialDataDecryptedObject = await context.getCredentials(CREDENTIAL, item);
		const { id = '', name = '' } = context.getNode().credentials?.[CREDENTIAL] ?? {};
		const baseUrl = readBaseUrl(data.baseUrl);
		const key = readApiKey(data.apiKey);
		return {
			account: JSON.stringify([id, baseUrl]),
			sender: JSON.stringify([baseUrl, key]),
			decrypted: { id: id ?? '', name, type: CREDENTIAL, data },
			secret: new Secret(key),
		};
	} catch (error) {
		return await Promise.reject(toRefusal(error));
	}
}

/**
 * Reads the credential once for a run: each read decrypts it, and in queue mode asks the database. Only
 * where an expression in the credential reads the input item, it is read for each item.
 */
export class CredentialReader {
	private shared: Promise<Credential> | undefined;

	/** @throws Refusal as `readCredential` does */
	async read(context: RequestContext, item: number): Promise<Credential> {
		if (this.shared) return await this.shared;
		const { watched, isInputRead } = watchInput(context);
		const reading = readCredential(watched, item);
		await reading.catch(() => {});
		// A credential that cannot be read is not read again, either.
		if (!isInputRead()) this.shared ??= reading;
		return await reading;
	}
}

/** A context that notes whether the input items are looked at, as n8n does for `{{ $json.key }}`. */
function watchInput(context: RequestContext) {
	const { connectionInputData: items } = context as { connectionInputData?: object };
	let isRead = false;
	const handler: ProxyHandler<object> = {
		get(target, property, receiver) {
			isRead = true;
			return Reflect.get(target, property, receiver) as unknown;
		},
	};
	const watched = Object.create(context, {
		connectionInputData: { value: items && new Proxy(items, handler) },
	}) as RequestContext;
	return { watched, isInputRead: () => isRead };
}
