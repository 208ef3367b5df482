import { parse } from 'flatted';
import {
	ExecutionStatusList,
	type IConnections,
	type ICredentialDataDecryptedObject,
	type INode,
	type INodeListSearchResult,
	type INodeTypeDescription,
	type IRunExecutionData,
	type IWorkflowSettings,
} from 'n8n-workflow';
import { DataTables } from './dataTables';
import type { Execution } from './execution';
import { poll } from './poll';
import { N8nError, Session } from './session';
import { Webhooks } from './webhooks';

/** A credential, as sent to n8n. */
interface Credential {
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
	/** Whether it is published: its triggers run. */
	active: boolean;
	isArchived: boolean;
}

/** A package known to n8n's own installer. */
interface InstalledPackage {
	packageName: string;
	installedVersion: string;
	/** Set when n8n could load none of its nodes. */
	failedLoading?: boolean;
}

/** The request of a dropdown that is opened. */
interface ResourceLocatorRequest {
	/** For example `parameters.blacklist`. */
	path: string;
	methodName: string;
	nodeTypeAndVersion: { name: string; version: number };
	currentNodeParameters: Record<string, unknown>;
	credentials?: Record<string, { id: string; name: string }>;
	/** What the user typed into its search. */
	filter?: string;
}

const ENDED = ['success', 'error', 'canceled', 'crashed'];

/**
 * What n8n's editor can do, over its REST API: credentials, workflows, executions, nodes and packages.
 * Every method throws N8nError for an error status.
 */
export class N8nClient extends Session {
	readonly tables = new DataTables(this);
	readonly webhooks = new Webhooks(this);

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
		await this.delete(`/rest/credentials/${id}`);
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
		await this.setActive(id, true);
	}

	async deactivate(id: string): Promise<void> {
		await this.setActive(id, false);
	}

	private async setActive(id: string, active: boolean): Promise<void> {
		const { versionId } = await this.getWorkflow(id);
		try {
			if (active) await this.post(`/rest/workflows/${id}/activate`, { versionId });
			else await this.post(`/rest/workflows/${id}/deactivate`, {});
		} catch (error) {
			// n8n 1.x has no such endpoint: there, `active` is a field of the workflow.
			if (!(error instanceof N8nError && error.status === 404)) throw error;
			await this.patch(`/rest/workflows/${id}`, { versionId, active });
		}
	}

	/** Deletes a workflow permanently; n8n requires it to be archived first. */
	async deleteWorkflow(id: string): Promise<void> {
		await this.post(`/rest/workflows/${id}/archive`, {});
		await this.delete(`/rest/workflows/${id}`);
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
	 * @param loadWorkflow whether to run the workflow as it is saved now
	 * @returns the id of the new execution
	 */
	async retryExecution(id: string, loadWorkflow = false): Promise<string> {
		const retried = await this.post<{ id: string }>(`/rest/executions/${id}/retry`, {
			loadWorkflow,
		});
		return retried.id;
	}

	async stopExecution(id: string): Promise<void> {
		await this.post(`/rest/executions/${id}/stop`, {});
	}

	/** @throws Error when the execution has not ended in that time */
	async waitForExecution(id: string, timeoutMs = 60_000): Promise<Execution> {
		const isEnded = ({ status, data }: Execution) =>
			// n8n 1.x sets the status a moment before it stores the data.
			ENDED.includes(status) && (data !== undefined || status === 'canceled');
		const execution = await poll(async () => await this.getExecution(id), isEnded, timeoutMs);
		if (isEnded(execution)) return execution;
		throw new Error(
			`Execution ${id} is still "${execution.status}" after ${timeoutMs / 1000} seconds.`,
		);
	}

	async nodeTypes(): Promise<INodeTypeDescription[]> {
		return await this.request('GET', '/types/nodes.json');
	}

	async listPackages(): Promise<InstalledPackage[]> {
		return await this.get('/rest/community-packages');
	}

	/** Uninstalls a community package as n8n's settings do. */
	async uninstallPackage(name: string): Promise<void> {
		await this.delete(`/rest/community-packages?name=${encodeURIComponent(name)}`);
	}

	async resourceLocatorResults(request: ResourceLocatorRequest): Promise<INodeListSearchResult> {
		return await this.post('/rest/dynamic-node-parameters/resource-locator-results', request);
	}
}

function firstTrigger({ name, nodes }: Workflow): string {
	const trigger = nodes.find(({ type, disabled }) => !disabled && /(trigger|webhook)$/i.test(type));
	if (trigger === undefined) throw new Error(`"${name}" has no enabled trigger to start at.`);
	return trigger.name;
}
