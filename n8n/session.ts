import { poll } from './poll';

/** The account that owns an n8n. The password needs 8 to 64 characters, a digit and a capital. */
export interface Owner {
	email: string;
	password: string;
	firstName: string;
	lastName: string;
}

/** Thrown when n8n's API answers with an error status. */
export class N8nError extends Error {
	constructor(
		readonly status: number,
		/** n8n's own message. */
		reason: string,
		request: string,
	) {
		super(`n8n responded to ${request} with ${status}: ${reason}`);
		this.name = 'N8nError';
	}
}

const NOT_READY_MS = 60_000;

/** A session with n8n's REST API, as its editor has one. All but `send` throw N8nError for an error status. */
export class Session {
	private cookie = '';

	constructor(readonly address: string) {}

	/** Creates the owner of a new n8n, or logs in when there is one. */
	async setUpOwner(owner: Owner): Promise<void> {
		const { userManagement } = await this.get<{
			userManagement: { showSetupOnFirstLoad?: boolean };
		}>('/rest/settings');
		if (userManagement.showSetupOnFirstLoad) {
			await this.post('/rest/owner/setup', owner);
		} else {
			const { email, password } = owner;
			await this.post('/rest/login', { emailOrLdapLoginId: email, password });
		}
	}

	async get<T>(path: string): Promise<T> {
		return await this.dataOf('GET', path);
	}

	async post<T>(path: string, body: unknown): Promise<T> {
		return await this.dataOf('POST', path, body);
	}

	async patch<T>(path: string, body: unknown): Promise<T> {
		return await this.dataOf('PATCH', path, body);
	}

	async delete(path: string): Promise<void> {
		await this.request('DELETE', path);
	}

	/** Responses below `/rest` are `{ data: … }`. */
	private async dataOf<T>(method: string, path: string, body?: unknown): Promise<T> {
		const { data } = await this.request<{ data: T }>(method, path, body);
		return data;
	}

	/** Sends a request as the owner. */
	async request<T>(method: string, path: string, body?: unknown): Promise<T> {
		const init: RequestInit = {
			method,
			headers: {
				// n8n ties the cookie to the browser that logged in.
				'browser-id': 'n8n-client',
				cookie: this.cookie,
				...(body !== undefined && { 'content-type': 'application/json' }),
			},
			...(body !== undefined && { body: JSON.stringify(body) }),
		};
		const answer = await poll(
			async () => await this.send(path, init),
			// While it stores a large execution, n8n reports that its database is not ready.
			({ status }) => method !== 'GET' || status !== 503,
			NOT_READY_MS,
		);
		if (!answer.ok) throw new N8nError(answer.status, messageOf(answer), `${method} ${path}`);
		const cookie = answer.headers.getSetCookie().find((one) => one.startsWith('n8n-auth='));
		if (cookie !== undefined) this.cookie = cookie.split(';')[0] ?? '';
		return answer.body as T;
	}

	/** Sends a request without logging in. */
	async send(path: string, init: RequestInit): Promise<Answer> {
		let response: Response;
		try {
			// A busy n8n closes a connection that is kept open, as the next request arrives on it.
			const headers = { ...(init.headers as Record<string, string>), connection: 'close' };
			response = await fetch(this.address + path, { ...init, headers });
		} catch (error) {
			throw new Error(`n8n does not respond at ${this.address}.`, { cause: error });
		}
		const { ok, status, headers } = response;
		return { ok, status, headers, body: parsed(await response.text()) };
	}
}

/** A response of n8n, read to its end. */
export interface Answer extends Pick<Response, 'ok' | 'status' | 'headers'> {
	/** Parsed if it is JSON, else the text. */
	body: unknown;
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

/** n8n's own message in a response; a text is cut to 200 characters. */
export function messageOf({ body }: Answer): string {
	if (typeof body === 'string' && body !== '') return body.slice(0, 200);
	const message = (body as { message?: unknown } | null)?.message;
	return typeof message === 'string' ? message : 'no message';
}
