import { CredentialLoader, type RequestContext } from '../../nodes/shared/http/credential';

/** As n8n's context, with its input items as far as a node can see them. */
function contextWith(connectionInputData: object | undefined) {
	const read: number[] = [];
	const context = {
		connectionInputData,
		getNode: () => ({ credentials: {} }),
		async getCredentials(_type: string, item: number) {
			read.push(item);
			return { baseUrl: 'http://127.0.0.1', apiKey: `key ${item}` };
		},
	} as unknown as RequestContext;
	return { context, read };
}

it('a credential without an expression is read once', async () => {
	const { context, read } = contextWith([]);
	const loader = new CredentialLoader();
	for (const item of [0, 1, 2]) await loader.load(context, item);
	expect(read).toEqual([0]);
});

it('is read for each item if a later n8n keeps its input items elsewhere', async () => {
	const { context } = contextWith(undefined);
	const loader = new CredentialLoader();
	const keys: string[] = [];
	for (const item of [0, 1, 2]) keys.push((await loader.load(context, item)).idInMemory);
	expect(new Set(keys).size).toBe(3);
});
