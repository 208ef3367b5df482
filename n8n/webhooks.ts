import { poll } from './poll';
import { messageOf, N8nError, type Answer, type Session } from './session';

/** How long n8n may take to register the webhook of a workflow that has just been activated. */
const REGISTERED_WITHIN_MS = 20_000;
const FORM_ENDED_WITHIN_MS = 20_000;

/** The webhooks and forms of active workflows. */
export class Webhooks {
	constructor(private readonly session: Session) {}

	/**
	 * Calls a webhook with a body in JSON.
	 * @returns the status of the response
	 */
	async call(path: string, body: unknown): Promise<number> {
		const { status } = await this.registered(`/webhook/${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		return status;
	}

	/**
	 * Fills in and sends a form, as a browser does.
	 * @param values of the fields, from top to bottom
	 * @returns the web page that the form ends with
	 */
	async submitForm(path: string, values: Array<string | File>): Promise<string> {
		const body = new FormData();
		for (const [index, value] of values.entries()) body.set(`field-${index}`, value);
		// A browser loads the form first. n8n answers a form that it does not know yet before it has read what was
		// entered, which can break the connection.
		await this.registered(`/form/${path}`, {});
		const answer = await this.registered(`/form/${path}`, { method: 'POST', body });
		const { formWaitingUrl } = answer.body as { formWaitingUrl?: string };
		if (!answer.ok) throw new N8nError(answer.status, messageOf(answer), `POST /form/${path}`);
		// A form without another page: the workflow still runs.
		if (formWaitingUrl === undefined) return JSON.stringify(answer.body);
		const { pathname, search } = new URL(formWaitingUrl);
		// While the workflow runs, n8n answers nothing but its status.
		await poll(
			async () => await this.session.send(`${pathname}/n8n-execution-status${search}`, {}),
			({ body: status }) => !['new', 'running', null].includes(status as string | null),
			FORM_ENDED_WITHIN_MS,
		);
		const signal = AbortSignal.timeout(FORM_ENDED_WITHIN_MS);
		const { body: page } = await this.session.send(pathname + search, { signal });
		// As the script of that page does: only then does n8n end the execution.
		await this.session.send(pathname + search, { method: 'POST', signal });
		return String(page);
	}

	/** Sends a request again as long as n8n does not know the path. */
	private async registered(path: string, init: RequestInit): Promise<Answer> {
		return await poll(
			async () => await this.session.send(path, init),
			({ status }) => status !== 404,
			REGISTERED_WITHIN_MS,
		);
	}
}
