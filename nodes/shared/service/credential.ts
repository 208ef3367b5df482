import { createHash } from 'node:crypto';

import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	IExecuteFunctions,
	INode,
	IExecuteSingleFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';

import { Failure, sentences } from '../errors/failure';
import { refusedBy } from '../errors/thrown';
import { readApiKey, readBaseUrl } from './credentialFields';
import { Secret } from './redact';

/** The n8n contexts that send requests. */
export type RequestContext =
	IExecuteFunctions | IExecuteSingleFunctions | ILoadOptionsFunctions | IPollFunctions;

export const CREDENTIAL = 'businessListingSearchApi';

/** A decrypted credential, read once for any number of requests. */
export interface Credential {
	/** What the trigger stores of it: the credential's id and its base URL. */
	idToStore: string;
	/** Identifies the account: a hash of the base URL and the key. Never store or log it. */
	idInMemory: string;
	/** For n8n's request helper, so that it need not decrypt it again. */
	decrypted: ICredentialsDecrypted;
	/** The key, to be removed from responses. */
	secret: Secret;
}

/** The number of the node's credential in n8n, whatever it holds. */
export function credentialIdOf(node: INode): string {
	return node.credentials?.[CREDENTIAL]?.id ?? '';
}

/**
 * Decrypts and checks the credential.
 *
 * @param item the index of the input item that expressions in the credential refer to
 * @throws Failure when it cannot be read, or its "Base URL" or "API Key" is invalid
 */
export async function loadCredential(context: RequestContext, item?: number): Promise<Credential> {
	try {
		const data: ICredentialDataDecryptedObject = await context.getCredentials(CREDENTIAL, item);
		const { id = '', name = '' } = context.getNode().credentials?.[CREDENTIAL] ?? {};
		const baseUrl = readBaseUrl(data.baseUrl);
		const key = readApiKey(data.apiKey);
		return {
			idToStore: JSON.stringify([id, baseUrl]),
			idInMemory: createHash('sha256')
				.update(JSON.stringify([baseUrl, key]))
				.digest('hex'),
			decrypted: { id: id ?? '', name, type: CREDENTIAL, data },
			secret: new Secret(key),
		};
	} catch (error) {
		throw refusedBy(error);
	}
}

/**
 * Loads the credential where there is no input item.
 *
 * @param advice what to do if it depends on one, as the end of a sentence
 * @throws Failure as `loadCredential` does
 */
export async function loadCredentialWithoutItem(
	context: RequestContext,
	advice: string,
): Promise<Credential> {
	return await loadCredential(context).catch(({ message, description, facts }: Failure) => {
		const orElse = `If the credential uses an expression, ${advice}`;
		throw new Failure(message, sentences(description, orElse), facts);
	});
}

/**
 * Reads the credential once per run: each read decrypts it, and in queue mode queries the database.
 * Reads it for each item if the credential contains an expression, whatever it uses: it can give each
 * item another account.
 */
export class CredentialLoader {
	private shared: Promise<Credential> | undefined;
	/** Whether it contains an expression: then each item can have another account. */
	isOfItem = false;
	/** By input item. */
	private readonly ofItems: Array<Promise<Credential>> = [];

	constructor(private readonly context: RequestContext) {}

	/**
	 * @param item the index of an input item
	 * @throws Failure as `loadCredential` does
	 */
	async load(item: number): Promise<Credential> {
		const { context } = this;
		const loaded = this.shared ?? this.ofItems[item];
		if (loaded) return await loaded;
		if (!this.isOfItem) {
			const { watched, isWithoutExpression } = watchExpressions(context);
			const reading = loadCredential(watched, item);
			await reading.catch(() => {});
			// Kept even if it failed, so that a failed read is not repeated.
			if (isWithoutExpression()) return await (this.shared ??= reading);
			this.isOfItem = true;
		}
		const loading = loadCredential(context, item).catch(asOfItem);
		return await (this.ofItems[item] = loading);
	}
}

/** What an expression gives for an item concerns this item: a retry meets it again, and the others can be sent. */
function asOfItem({ message, description, facts }: Failure): never {
	throw new Failure(message, description, { ...facts, wayOn: 'content' });
}

/**
 * A context that shows whether the credential contains an expression. n8n gives a node only evaluated fields. But to
 * evaluate an expression, even one without `$json`, it reads `connectionInputData` of the context (n8n-core 1.123 and
 * 2.41). So these items are watched, in an object that inherits the rest of the context. It is used for nothing else:
 * n8n's engine for expressions cannot copy the watched items. Without such items, an expression
 * is assumed. That n8n reads them, only the tests of the reliances show.
 */
function watchExpressions(context: RequestContext) {
	const { connectionInputData: items } = context as { connectionInputData?: object };
	let isRead = items === undefined;
	const get = (target: object, property: string | symbol) => {
		isRead = true;
		return Reflect.get(target, property) as unknown;
	};
	const watched = Object.create(context, {
		connectionInputData: { value: items && new Proxy(items, { get }) },
	}) as RequestContext;
	return { watched, isWithoutExpression: () => !isRead };
}
