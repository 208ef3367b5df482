import { parse } from 'flatted';
import { setTimeout as sleep } from 'node:timers/promises';
import {
	ExecutionStatusList,
	type IConnections,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeListSearchResult,
	type INodeTypeDescription,
	type IRunExecutionData,
	type IWorkflowSettings,
} from 'n8n-workflow';

/** The account that owns an n8n. The password needs 8 to 64 characters, a digit and a capital. */
export interface Owner {
	email: string;
	password: string;
	firstName: string;
	lastName: string;
}

/** A credential, as sent to n8n. */
export interface Credential {
	name: string;
	type: string;
	data: ICredentialDataDecryptedObject;
}

/** A workflow as it is exported and imported. */
export interface Workflow {
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IWorkflowSettings;
}

/** A stored workflow. Activating one requires its version. */
export interface StoredWorkflow extends Workflow {
	id: string;
	versionId: string;
	active: boolean;
	isArchived: boolean;
}

/** One run of a workflow. */
export interface Execution {
	id: string;
	workflowId: string;
	/** `new`, `running`, `waiting`, `success`, `error`, `canceled` or `crashed`. */
	status: string;
	mode: string;
	data: IRunExecutionData;
}

/** The error of an execution, in the words the user sees. */
export interface ExecutionFailure {
	message: string;
	description?: string | null;
	httpCode?: string | null;
	/** The node that the run stopped at. */
	node?: string;
}

/** A package known to n8n's own installer. */
export interface InstalledPackage {
	packageName: string;
	installedVersion: string;
	/** Set when n8n could load none of its nodes. */
	failedLoading?: boolean;
}

/** A row of a data table: its own columns, and those that n8n adds. */
export interface DataTableRow extends IDataObject {
	id: number;
	createdAt: string;
	updatedAt: string;
}

/** The request of a dropdown that is opened. */
export interface ResourceLocatorRequest {
	/** For example `parameters.blacklist`. */
	path: string;
	methodName: string;
	nodeTypeAndVersion: { name: string; version: number };
	currentNodeParameters: Record<string, unknown>;
	credentials?: Record<string, { id: string; name: string }>;
	filter?: string;
	paginationToken?: string;
}

/** A webhook's response; the body is parsed if it is JSON. */
export interface WebhookAnswer {
	status: number;
	body: unknown;
}

/** Thrown when n8n's API answers with an error status. */
export class N8nError extends Error {
	constructor(
		readonly status: number,
		/** n8n's own message. */
		readonly reason: string,
		request: string,
	) {
		super(`n8n responded to ${request} with ${status}: ${reason}`);
		this.name = 'N8nError';
	}
}

const ENDED = ['success', 'error', 'canceled', 'crashed'];
const POLL_MS = 100;
const NOT_READY_MS = 60_000;
const WEBHOOK_TIMEOUT_MS = 20_000;
/** The most rows of a data table that n8n returns at once. */
const ROWS_PER_PAGE = 250;
/** Few enough for the largest request body that n8n takes. */
const ROWS_PER_INSERT = 1000;

/**
 * Calls n8n's REST API as its editor does. Every method but `callWebhook` throws
 * N8nError for an error status.
 */
export class N8nClient {
	private cookie = '';

	constructor(readonly address: string) {}

	/** Creates the owner of a new n8n, or logs in when there is one. */
	async setUpOwner(owner: Owner): Promise<void> {
		const { userManagement } = await this.get<{
			userManagement: { showSetupOnFirstLoad?: boolean };
		}>('/rest/settings');
		if (!userManagement.showSetupOnFirstLoad) return await this.login(owner);
		await this.post('/rest/owner/setup', owner);
	}

	async login({ email, password }: Pick<Owner, 'email' | 'password'>): Promise<void> {
		await this.post('/rest/login', { emailOrLdapLoginId: email, password });
	}

	/** @returns the credential's id */
	async createCredential(credential: Credential): Promise<string> {
		const { id } = await this.post<{ id: string }>('/rest/credentials', credential);
		return id;
	}

	async updateCredential(id: string, credential: Credential): Promise<void> {
		await this.patch(`/rest/credentials/${id}`, { id, ...credential });
	}

	/** The data of a stored credential; its secrets are placeholders. */
	async credentialData(id: string): Promise<ICredentialDataDecryptedObject> {
		const { data } = await this.get<{ data: ICredentialDataDecryptedObject }>(
			`/rest/credentials/${id}?includeData=true`,
		);
		return data;
	}

	async deleteCredential(id: string): Promise<void> {
		await this.request('DELETE', `/rest/credentials/${id}`);
	}

	/** All credentials, without their data. */
	async listCredentials(): Promise<Array<{ id: string; name: string; type: string }>> {
		return await this.get('/rest/credentials');
	}

	/** Tests a stored credential (n8n tests no other) with the given data, as its form does. */
	async testCredential(
		credential: Credential & { id: string },
	): Promise<{ status: 'OK' | 'Error'; message: string }> {
		return await this.post('/rest/credentials/test', { credentials: credential });
	}

	/** Saves a new workflow that stores its manual runs, so that their output can be read. */
	async createWorkflow(workflow: Workflow): Promise<StoredWorkflow> {
		const settings = { executionOrder: 'v1', saveManualExecutions: true, ...workflow.settings };
		// n8n 1.x requires `active`.
		return await this.post('/rest/workflows', { active: false, ...workflow, settings });
	}

	async getWorkflow(id: string): Promise<StoredWorkflow> {
		return await this.get(`/rest/workflows/${id}`);
	}

	/** All workflows, including archived ones, without nodes and connections. */
	async listWorkflows(): Promise<Array<Omit<StoredWorkflow, 'nodes' | 'connections'>>> {
		return await this.get('/rest/workflows');
	}

	async updateWorkflow(id: string, changes: Partial<Workflow>): Promise<StoredWorkflow> {
		const { versionId } = await this.getWorkflow(id);
		return await this.patch(`/rest/workflows/${id}`, { versionId, ...changes });
	}

	/** Activates the latest version. Its triggers and webhooks start a moment after the response. */
	async activate(id: string): Promise<void> {
		const { versionId } = await this.getWorkflow(id);
		try {
			await this.post(`/rest/workflows/${id}/activate`, { versionId });
		} catch (error) {
			// n8n 1.x has no such endpoint: there, `active` is a field of the workflow.
			if (!(error instanceof N8nError && error.status === 404)) throw error;
			await this.patch(`/rest/workflows/${id}`, { versionId, active: true });
		}
	}

	async deactivate(id: string): Promise<void> {
		const { versionId } = await this.getWorkflow(id);
		try {
			await this.post(`/rest/workflows/${id}/deactivate`, {});
		} catch (error) {
			if (!(error instanceof N8nError && error.status === 404)) throw error;
			await this.patch(`/rest/workflows/${id}`, { versionId, active: false });
		}
	}

	/** Deletes a workflow permanently; n8n requires it to be archived first. */
	async deleteWorkflow(id: string): Promise<void> {
		await this.post(`/rest/workflows/${id}/archive`, {});
		await this.request('DELETE', `/rest/workflows/${id}`);
	}

	/**
	 * Runs the saved workflow as the editor's button does.
	 * @param trigger the name of the node to start at; default: the first enabled trigger
	 * @returns the execution's id
	 */
	async runWorkflow(id: string, { trigger }: { trigger?: string } = {}): Promise<string> {
		const workflow = await this.getWorkflow(id);
		const name = trigger ?? firstTrigger(workflow);
		const { executionId } = await this.post<{ executionId?: string }>(
			`/rest/workflows/${id}/run`,
			// n8n 1.x runs the workflow that is sent, 2.x the stored one; here they are the same.
			{ workflowData: workflow, triggerToStartFrom: { name } },
		);
		if (executionId === undefined) {
			throw new Error(`"${workflow.name}" waits for a call to its webhook, so it was not run.`);
		}
		return executionId;
	}

	async getExecution(id: string): Promise<Execution> {
		const { data, ...execution } = await this.get<Omit<Execution, 'data'> & { data: string }>(
			`/rest/executions/${id}`,
		);
		return { ...execution, data: parse(data) as IRunExecutionData };
	}

	/**
	 * The newest executions of a workflow, without their data.
	 *
	 * Asks for every status by name: n8n otherwise reads running and ended executions separately, and
	 * lists one that ends meanwhile in neither or in both.
	 * @param limit 100 at most
	 */
	async listExecutions(workflowId: string, limit = 20): Promise<Array<Omit<Execution, 'data'>>> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId, status: ExecutionStatusList }));
		const { results } = await this.get<{ results: Array<Omit<Execution, 'data'>> }>(
			`/rest/executions?filter=${filter}&limit=${limit}`,
		);
		return results;
	}

	/**
	 * Retries a failed execution from the node it stopped at, as the button in the list of executions
	 * does. Resolves when the new execution has ended.
	 * @returns the id of the new execution
	 */
	async retryExecution(id: string): Promise<string> {
		const retried = await this.post<{ id: string }>(`/rest/executions/${id}/retry`, {
			loadWorkflow: false,
		});
		return retried.id;
	}

	async stopExecution(id: string): Promise<void> {
		await this.post(`/rest/executions/${id}/stop`, {});
	}

	/** @throws Error when the execution has not ended in that time */
	async waitForExecution(id: string, timeoutMs = 60_000): Promise<Execution> {
		const deadline = Date.now() + timeoutMs;
		for (;;) {
			const execution = await this.getExecution(id);
			// n8n 1.x sets the status a moment before it stores the data.
			const isStored = execution.data !== undefined || execution.status === 'canceled';
			if (ENDED.includes(execution.status) && isStored) return execution;
			if (Date.now() > deadline) {
				throw new Error(
					`Execution ${id} is still "${execution.status}" after ${timeoutMs / 1000} seconds.`,
				);
			}
			await sleep(POLL_MS);
		}
	}

	/** Every node type this n8n offers. */
	async nodeTypes(): Promise<INodeTypeDescription[]> {
		return await this.request('GET', '/types/nodes.json');
	}

	/** The community packages known to n8n's own installer. */
	async listPackages(): Promise<InstalledPackage[]> {
		return await this.get('/rest/community-packages');
	}

	/** Uninstalls a community package as n8n's settings do. */
	async uninstallPackage(name: string): Promise<void> {
		await this.request('DELETE', `/rest/community-packages?name=${encodeURIComponent(name)}`);
	}

	/** The entries of a resource locator's list. */
	async resourceLocatorResults(request: ResourceLocatorRequest): Promise<INodeListSearchResult> {
		return await this.post('/rest/dynamic-node-parameters/resource-locator-results', request);
	}

	/** All data tables, by their names. */
	async dataTables(): Promise<Map<string, string>> {
		const { data } = await this.get<{ data: Array<{ id: string; name: string }> }>(
			`${await this.dataTablesPath()}?take=${ROWS_PER_PAGE}`,
		);
		return new Map(data.map(({ id, name }) => [name, id]));
	}

	/**
	 * All rows of a data table, in the order they were inserted.
	 * @throws Error when there is no such table
	 */
	async dataTableRows(name: string): Promise<DataTableRow[]> {
		const path = `${await this.dataTablePath(name)}/rows?sortBy=id:asc&take=${ROWS_PER_PAGE}`;
		const rows: DataTableRow[] = [];
		for (;;) {
			const { count, data } = await this.get<{ count: number; data: DataTableRow[] }>(
				`${path}&skip=${rows.length}`,
			);
			rows.push(...data);
			if (data.length === 0 || rows.length >= count) return rows;
		}
	}

	/** Inserts rows into a data table, as importing a CSV file does. */
	async insertDataTableRows(name: string, rows: IDataObject[]): Promise<void> {
		const path = `${await this.dataTablePath(name)}/insert`;
		for (let from = 0; from < rows.length; from += ROWS_PER_INSERT) {
			const data = rows.slice(from, from + ROWS_PER_INSERT);
			await this.post(path, { data, returnType: 'count' });
		}
	}

	/** Deletes a data table with its rows. */
	async deleteDataTable(name: string): Promise<void> {
		await this.request('DELETE', await this.dataTablePath(name));
	}

	/**
	 * Fills in and sends the form of an active workflow, as a browser does.
	 * @param values of the fields, from top to bottom
	 * @returns the web page that the form ends with
	 */
	async submitForm(path: string, values: string[]): Promise<string> {
		const body = new FormData();
		for (const [index, value] of values.entries()) body.set(`field-${index}`, value);
		const deadline = Date.now() + WEBHOOK_TIMEOUT_MS;
		let response = await this.send(`/form/${path}`, { method: 'POST', body });
		while (response.status === 404 && Date.now() < deadline) {
			await sleep(POLL_MS);
			response = await this.send(`/form/${path}`, { method: 'POST', body });
		}
		const answer = (await parsedBody(response)) as { formWaitingUrl?: string };
		if (answer.formWaitingUrl === undefined) {
			throw new N8nError(response.status, messageOf(answer) ?? 'no page', `POST /form/${path}`);
		}
		const { pathname, search } = new URL(answer.formWaitingUrl);
		// While the workflow runs, n8n answers nothing but its status.
		for (;;) {
			const status = await this.send(`${pathname}/n8n-execution-status${search}`, {});
			const isRunning = ['new', 'running', 'null'].includes(await status.text());
			if (!isRunning || Date.now() > deadline) break;
			await sleep(POLL_MS);
		}
		const signal = AbortSignal.timeout(WEBHOOK_TIMEOUT_MS);
		return await (await this.send(pathname + search, { signal })).text();
	}

	private async dataTablePath(name: string): Promise<string> {
		const id = (await this.dataTables()).get(name);
		if (id === undefined) throw new Error(`There is no data table "${name}".`);
		return `${await this.dataTablesPath()}/${id}`;
	}

	private async dataTablesPath(): Promise<string> {
		const { id } = await this.get<{ id: string }>('/rest/projects/personal');
		return `/rest/projects/${id}/data-tables`;
	}

	/** Calls the webhook of an active workflow, waiting up to 20 s for n8n to have registered it. */
	async callWebhook(path: string, body?: unknown, method = 'POST'): Promise<WebhookAnswer> {
		const deadline = Date.now() + WEBHOOK_TIMEOUT_MS;
		for (;;) {
			const response = await this.send(`/webhook/${path}`, {
				method,
				...(body !== undefined && {
					headers: { 'content-type': 'application/json' },
					body: JSON.stringify(body),
				}),
			});
			const answer = { status: response.status, body: await parsedBody(response) };
			const unknown = answer.status === 404 && messageOf(answer.body)?.includes('not registered');
			if (!unknown || Date.now() > deadline) return answer;
			await sleep(POLL_MS);
		}
	}

	private async get<T>(path: string): Promise<T> {
		return await this.unwrapped('GET', path);
	}

	private async post<T>(path: string, body: unknown): Promise<T> {
		return await this.unwrapped('POST', path, body);
	}

	private async patch<T>(path: string, body: unknown): Promise<T> {
		return await this.unwrapped('PATCH', path, body);
	}

	/** Responses below `/rest` are `{ data: … }`. */
	private async unwrapped<T>(method: string, path: string, body?: unknown): Promise<T> {
		const { data } = await this.request<{ data: T }>(method, path, body);
		return data;
	}

	private async request<T>(method: string, path: string, body?: unknown): Promise<T> {
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
		let response = await this.send(path, init);
		// While it stores a large execution, n8n reports that its database is not ready.
		for (const end = Date.now() + NOT_READY_MS; isNotReady(method, response, end);) {
			await response.body?.cancel();
			await sleep(POLL_MS);
			response = await this.send(path, init);
		}
		const answer = await parsedBody(response);
		if (!response.ok) {
			const reason = messageOf(answer) ?? response.statusText;
			throw new N8nError(response.status, reason, `${method} ${path}`);
		}
		const cookie = response.headers.getSetCookie().find((one) => one.startsWith('n8n-auth='));
		if (cookie !== undefined) this.cookie = cookie.split(';')[0] ?? '';
		return answer as T;
	}

	private async send(path: string, init: RequestInit): Promise<Response> {
		try {
			return await fetch(this.address + path, init);
		} catch (error) {
			throw new Error(`n8n does not respond at ${this.address}.`, { cause: error });
		}
	}
}

/**
 * The output items of a node on a branch, in its last run of an execution.
 * @throws Error when the node did not run
 */
export function outputOf(execution: Execution, node: string, branch = 0): INodeExecutionData[] {
	const runs = execution.data.resultData.runData[node];
	if (runs === undefined) throw new Error(`"${node}" did not run in execution ${execution.id}.`);
	return runs.at(-1)?.data?.main?.[branch] ?? [];
}

/** The error of a node, or else of the whole run; undefined if there was none. */
export function errorOf(execution: Execution, node?: string): ExecutionFailure | undefined {
	const { runData, error: runError } = execution.data.resultData;
	const error = node === undefined ? runError : runData[node]?.at(-1)?.error;
	if (error === undefined) return undefined;
	return {
		message: error.message,
		description: error.description,
		httpCode: 'httpCode' in error ? error.httpCode : undefined,
		node: 'node' in error ? error.node?.name : node,
	};
}

function firstTrigger({ name, nodes }: Workflow): string {
	const trigger = nodes.find(({ type, disabled }) => !disabled && /(trigger|webhook)$/i.test(type));
	if (trigger === undefined) throw new Error(`"${name}" has no enabled trigger to start at.`);
	return trigger.name;
}

/** Whether a request can be retried: only reads are. */
function isNotReady(method: string, { status }: Response, end: number): boolean {
	return method === 'GET' && status === 503 && Date.now() < end;
}

async function parsedBody(response: Response): Promise<unknown> {
	const text = await response.text();
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

function messageOf(body: unknown): string | undefined {
	if (typeof body === 'string') return body.slice(0, 200) || undefined;
	const message = (body as { message?: unknown } | null)?.message;
	return typeof message === 'string' ? message : undefined;
}
