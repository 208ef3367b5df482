import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { N8nClient } from '../n8n/client';
import { CREDENTIAL_TYPE } from '../n8n/examples';
import { errorOf, type Execution } from '../n8n/execution';
import { startN8n, type N8nHost } from '../n8n/host';
import { ensureN8n } from '../n8n/install';
import { installTarball, packNode } from '../n8n/package';
import type { Report } from '../n8n/report';
import { CANDIDATES, MEASURED, webhookPath, workflowOf, type CandidateKey } from './candidates';
import { Child } from './child';
import type { Run, SilentRun } from './run';
import type { Reset, SandboxAnswer, SandboxQuestion } from './sandboxProcess';
import { Watch } from './watch';

const OWNER = {
	email: 'owner@example.com',
	// Random, because this n8n is deleted after the run.
	password: `A1${randomBytes(12).toString('hex')}`,
	firstName: 'Bench',
	lastName: 'Owner',
};
const CREDENTIAL_NAME = 'Sandbox';
/** The first rows of a new process take several times as long, until its code is compiled. */
const WARM_UP_ROWS = 1000;
/** Just under the time that Node.js waits for a response. */
const RUN_MS = 290_000;
const SAVED_WITHIN_MS = 30_000;
/** The kernel counts in hundredths of a second on all platforms of Node.js. */
const TICK_MS = 10;

/** The real n8n with the packed node, and the sandbox, each its own process. */
export class Bench {
	private readonly workflows = new Map<CandidateKey, string>();
	private host: N8nHost | undefined;
	private client = new N8nClient('');
	private credentialId = '';

	private constructor(
		private readonly folder: string,
		private readonly sandbox: Child<SandboxQuestion, SandboxAnswer>,
		private readonly report: Report,
	) {}

	/** Installs what is missing, packs the node and starts the parts; n8n comes with `restartN8n`. */
	static async open(report: Report): Promise<Bench> {
		await ensureN8n(report);
		const folder = await mkdtemp(join(tmpdir(), 'n8n-bench-'));
		await installTarball(await packNode(report, folder), folder);
		const sandbox = new Child<SandboxQuestion, SandboxAnswer>('sandboxProcess.ts');
		return new Bench(folder, sandbox, report);
	}

	/**
	 * Restarts n8n, so that earlier runs leave nothing in memory; the first start also creates the
	 * account, the credential and the workflows.
	 *
	 * @param env added to n8n's environment
	 */
	async restartN8n(env: Record<string, string> = {}): Promise<N8nHost> {
		await this.host?.stop();
		this.host = await startN8n({ userFolder: this.folder, env });
		this.client = new N8nClient(this.host.address);
		await this.client.setUpOwner(OWNER);
		if (this.workflows.size === 0) await this.createWorkflows();
		return this.host;
	}

	private async createWorkflows(): Promise<void> {
		const { client } = this;
		const answer = await this.sandbox.ask('read');
		const id = (this.credentialId = await client.createCredential(credentialFor(answer)));
		for (const key of Object.keys(CANDIDATES) as CandidateKey[]) {
			const workflow = workflowOf(key, answer.address, { id, name: CREDENTIAL_NAME });
			const stored = await client.createWorkflow(workflow);
			await client.activate(stored.id);
			this.workflows.set(key, stored.id);
		}
	}

	/** Runs each candidate once without counting it. */
	async warmUp(keys: CandidateKey[], rows: number, reset: Reset = { faults: [] }): Promise<void> {
		for (const key of keys) {
			this.report(`  warm-up (${key})`, true);
			await this.run(key, Math.min(rows, WARM_UP_ROWS), reset);
		}
	}

	/**
	 * Runs a candidate once against an empty account.
	 * @throws Error when the run does not end within five minutes, or n8n does not keep the execution
	 */
	async run(key: CandidateKey, rows: number, reset: Reset): Promise<Run> {
		await this.reset(reset);
		const taken = await this.runWorkflow(key, rows);
		const { landed, mostInFlight, oneByOne } = await this.sandbox.ask('read');
		return { rows, ...taken, landed, mostInFlight, oneByOne };
	}

	/** As `run`, and asks n8n meanwhile whether it is healthy. */
	async runWatched(key: CandidateKey, rows: number, reset: Reset): Promise<SilentRun> {
		const { address = '', pid = 0 } = this.host ?? {};
		const watch = new Watch(address, async () => await cpuTime(pid));
		try {
			const run = await this.run(key, rows, reset);
			const { startedAt, nodeMs } = run;
			const { firstAt = NaN } = await this.sandbox.ask('read');
			return {
				...run,
				silentMs: watch.longest(startedAt, startedAt + nodeMs),
				cpuToFirstMs: watch.cpuBetween(startedAt, firstAt),
			};
		} finally {
			await watch.stop();
		}
	}

	private async reset(reset: Reset): Promise<void> {
		const answer = await this.sandbox.ask({ reset });
		if (reset.newKey) await this.client.updateCredential(this.credentialId, credentialFor(answer));
	}

	private async runWorkflow(key: CandidateKey, rows: number) {
		const { client } = this;
		const pid = this.host?.pid ?? 0;
		const workflowId = this.workflows.get(key) ?? '';
		const before = await cpuTime(pid);
		const newest = (await client.listExecutions(workflowId))[0]?.id;
		// The webhook responds at the end of the run, so that no polling disturbs the measurement.
		await Promise.race([client.webhooks.call(webhookPath(key), { rows }), tooLong(key)]);
		const after = await cpuTime(pid);
		const execution = await this.savedExecution(workflowId, newest);
		const measured = execution.data.resultData.runData[MEASURED]?.at(-1);
		return {
			startedAt: measured?.startTime ?? NaN,
			nodeMs: measured?.executionTime ?? NaN,
			cpuMs: after !== undefined && before !== undefined ? after - before : undefined,
			error: errorOf(execution)?.message,
		};
	}

	/** The execution after the given one, once n8n has stored its end. */
	private async savedExecution(workflowId: string, newest: string | undefined): Promise<Execution> {
		const [latest] = await this.client.listExecutions(workflowId);
		if (latest === undefined || latest.id === newest) {
			throw new Error('n8n did not keep the execution that was measured.');
		}
		return await this.client.waitForExecution(latest.id, SAVED_WITHIN_MS);
	}

	/** Ends all processes and removes their data. */
	async close(): Promise<void> {
		await this.host?.stop();
		this.sandbox.end();
		await rm(this.folder, { recursive: true, force: true });
	}
}

/** The credential for the sandbox, as n8n stores it. */
function credentialFor({ address: baseUrl, key: apiKey }: SandboxAnswer) {
	const data = { baseUrl, apiKey, keyFormat: 'documented' };
	return { name: CREDENTIAL_NAME, type: CREDENTIAL_TYPE, data };
}

async function tooLong(key: CandidateKey): Promise<never> {
	await sleep(RUN_MS, undefined, { ref: false });
	throw new Error(`(${key}) did not end within ${RUN_MS / 1000} seconds; take fewer --rows.`);
}

/** The CPU time of a process since its start, in milliseconds: Linux only, undefined elsewhere. */
async function cpuTime(pid: number): Promise<number | undefined> {
	try {
		const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
		// The name in brackets may contain spaces; user and system time are the 12th and 13th field
		// after it.
		const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
		return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
	} catch {
		return undefined;
	}
}
