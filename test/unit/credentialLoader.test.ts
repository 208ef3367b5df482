import {
	CredentialLoader,
	loadCredential,
	type RequestContext,
} from '../../nodes/shared/service/credential';

/** As n8n's context, with its input items as far as a node can see them. */
function contextWith(connectionInputData: object | undefined, baseUrl = 'http://127.0.0.1') {
	const read: number[] = [];
	const context = {
		connectionInputData,
		getNode: () => ({ credentials: {} }),
		async getCredentials(_type: string, item: number) {
			read.push(item);
			return { baseUrl, apiKey: `key ${item}` };
		},
	} as unknown as RequestContext;
	return { context, read };
}

it('is read for each item if a later n8n keeps its input items elsewhere', async () => {
	const { context } = contextWith(undefined);
	const loader = new CredentialLoader(context);
	const keys: string[] = [];
	for (const item of [0, 1, 2]) keys.push((await loader.load(item)).idInMemory);
	expect(new Set(keys).size).toBe(3);
});

it('an account in memory is told by its address and its key, and names no key', async () => {
	const idOf = async (item: number, baseUrl?: string) =>
		(await loadCredential(contextWith([], baseUrl).context, item)).idInMemory;
	expect(await idOf(1)).toBe(await idOf(1, 'http://127.0.0.1/api/v1'));
	expect(await idOf(1)).not.toBe(await idOf(2));
	expect(await idOf(1)).not.toBe(await idOf(1, 'http://127.0.0.2'));
	expect(await idOf(1)).not.toContain('key 1');
});
