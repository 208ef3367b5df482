import { existsSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { locateN8n, n8nFolder } from './install';
import { endProcess, hasEnded, lastLines, spawnLogged } from './process';
import type { Report } from './report';

const HOST = '127.0.0.1';
/**
 * How long n8n's log may stand still during the start. The start itself has no limit: a slow machine takes many
 * minutes to prepare the database.
 */
const STILL_MS = 120_000;
/** A stopped process takes a connection and never responds. */
const RESPONSE_MS = 10_000;
const POLL_MS = 100;
const STOP_GRACE_MS = 15_000;
const MOST_TRIES = 100;

/** The options of `startN8n`. */
export interface N8nOptions {
	/** n8n keeps its data in the subfolder `.n8n`. */
	userFolder: string;
	/** Default: a free port. */
	port?: number;
	/** Added to n8n's environment; overrides everything set here. */
	env?: Record<string, string>;
	/** The folder of the pinned n8n; default: the one beside this file. */
	folder?: string;
	/** The file for n8n's output; default: `n8n.log` in the user folder. */
	log?: string;
	/** Called with each new last line of n8n's log, as a passing line, until n8n is ready. */
	report?: Report;
}

/** A running n8n. */
export interface N8nHost {
	/** For example `http://127.0.0.1:5678`, without a slash at the end. */
	address: string;
	pid: number;
	logFile: string;
	/** Resolves when n8n has exited, by itself or by `stop`. */
	ended: Promise<void>;
	/** Stops n8n and resolves when it has exited. Idempotent. */
	stop(): Promise<void>;
}

/**
 * Starts the pinned n8n on 127.0.0.1 and waits until it is ready. The webhooks of active workflows
 * are registered a moment later.
 * @throws Error with a sentence for the user when the port is taken, n8n is not installed, exits
 * early or adds nothing to its log for two minutes; the last two include the end of n8n's log
 */
export async function startN8n(options: N8nOptions): Promise<N8nHost> {
	return await startCommand(['start'], options, isServing);
}

/**
 * Starts a command of n8n, as `startN8n` does.
 * @param command its name and arguments
 * @param isReady checks whether the process at an address is ready
 */
export async function startCommand(
	command: string[],
	options: N8nOptions,
	isReady: (address: string, signal: AbortSignal) => Promise<boolean>,
): Promise<N8nHost> {
	const { userFolder, env = {}, folder = n8nFolder, report } = options;
	const logFile = options.log ?? join(userFolder, 'n8n.log');
	const { node, cli } = locateN8n(folder);
	const [port, brokerPort] = await takePorts(options.port);
	const address = `http://${HOST}:${port}`;

	await mkdir(userFolder, { recursive: true, mode: 0o700 });
	const child = spawnLogged(node, [...cli, ...command], {
		// n8n reads `.env` from its working directory, which must not be the project's.
		cwd: userFolder,
		env: {
			...inheritedEnvironment(),
			...settings(userFolder, port, brokerPort),
			...quiet,
			...withoutModule(folder, 'mcp-registry'),
			// n8n starts its task runner with the first `node` in the path.
			PATH: [dirname(node), process.env.PATH].join(delimiter),
			...env,
		},
		log: logFile,
	});
	const ended = new Promise<void>((resolve) => {
		child.once('exit', () => resolve());
		child.once('error', () => resolve());
	});
	const stop = () => endProcess(child, STOP_GRACE_MS);

	let [size, grown] = [0, performance.now()];
	while (!(await isReady(address, AbortSignal.timeout(RESPONSE_MS)))) {
		const now = statSync(logFile).size;
		if (now !== size) {
			[size, grown] = [now, performance.now()];
			report?.(`  n8n's log: ${lastLines(logFile, 1)}`, true);
		}
		const failure = hasEnded(child)
			? 'n8n stopped while it was starting.'
			: performance.now() - grown > STILL_MS
				? 'n8n is not ready, and has added nothing to its log for two minutes.'
				: undefined;
		if (failure !== undefined) {
			await stop();
			throw new Error(`${failure} The end of its log (${logFile}):\n${lastLines(logFile)}`);
		}
		await Promise.race([sleep(POLL_MS), ended]);
	}
	// The check above ensures that it is running, so it has a pid.
	return { address, pid: child.pid as number, logFile, ended, stop };
}

/**
 * Two ports: the requested one (or a free one), and a free one. Both are held until both are known,
 * so that they differ.
 */
export async function takePorts(wanted?: number): Promise<[number, number]> {
	const first = await (wanted === undefined ? listenAnywhere() : listen(wanted));
	const second = await listenAnywhere();
	const ports: [number, number] = [portOf(first), portOf(second)];
	await Promise.all([first, second].map((server) => new Promise((done) => server.close(done))));
	return ports;
}

/**
 * Listens on one of the ports that no system gives to an outgoing connection: n8n listens there only seconds later, and
 * other n8n start beside it.
 */
async function listenAnywhere(): Promise<Server> {
	for (let tries = 1; ; tries++) {
		try {
			return await listen(20_000 + Math.floor(Math.random() * 10_000));
		} catch (error) {
			if (tries === MOST_TRIES) throw error;
		}
	}
}

async function listen(port: number): Promise<Server> {
	const server = createServer();
	await new Promise<void>((resolve, reject) => {
		server.once('error', (error: NodeJS.ErrnoException) => {
			reject(
				error.code === 'EADDRINUSE'
					? new Error(
							`Port ${port} is already in use on this machine. If an earlier \`npm start\` or its n8n still runs, stop it: two must not share their data. If it is another program, stop that, or choose another port, e.g. \`npm start -- --port ${port + 1}\`.`,
						)
					: error,
			);
		});
		server.listen(port, HOST, resolve);
	});
	return server;
}

function portOf(server: Server): number {
	return (server.address() as AddressInfo).port;
}

/**
 * n8n is configured by environment variables, so it must not inherit those of the caller's shell, npm
 * or jest, nor the account's key, which n8n keeps in its credential.
 */
const NOT_INHERITED =
	/^(N8N_|DB_|EXECUTIONS_|QUEUE_|CREDENTIALS_|NODES_|WORKFLOWS_|EXTERNAL_|WEBHOOK_|OFFLOAD_|NODE_(?!EXTRA_CA_CERTS)|JEST_|E2E_|BLS_|npm_)/i;

function inheritedEnvironment(): NodeJS.ProcessEnv {
	return Object.fromEntries(
		Object.entries(process.env).filter(([name]) => !NOT_INHERITED.test(name)),
	);
}

function settings(userFolder: string, port: number, brokerPort: number): Record<string, string> {
	const noProxy = [HOST, 'localhost', process.env.NO_PROXY ?? process.env.no_proxy]
		.filter(Boolean)
		.join(',');
	return {
		NODE_ENV: 'production',
		N8N_USER_FOLDER: userFolder,
		N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'true',
		N8N_LISTEN_ADDRESS: HOST,
		N8N_HOST: HOST,
		N8N_PORT: String(port),
		// The health endpoint of a worker.
		QUEUE_HEALTH_CHECK_ACTIVE: 'true',
		QUEUE_HEALTH_CHECK_PORT: String(port),
		N8N_WORKER_SERVER_ADDRESS: HOST,
		// Browsers refuse a secure cookie over plain http.
		N8N_SECURE_COOKIE: 'false',
		N8N_RUNNERS_BROKER_PORT: String(brokerPort),
		N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '10',
		// Requests to the sandbox must not go through the user's proxy.
		NO_PROXY: noProxy,
		no_proxy: noProxy,
	};
}

/** Keeps n8n from contacting its vendor. */
const quiet = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
};

/**
 * Disables a module of n8n that contacts its vendor and has no setting for that. n8n refuses to start
 * when an unknown module is disabled, as it would be in 1.x.
 */
function withoutModule(folder: string, name: string): Record<string, string> {
	const known = existsSync(join(folder, 'node_modules', 'n8n', 'dist', 'modules', name));
	return known ? { N8N_DISABLED_MODULES: name } : {};
}

/** `/healthz` is ready before the REST API, so both are checked. */
async function isServing(address: string, signal: AbortSignal): Promise<boolean> {
	try {
		const [health, rest] = await Promise.all([
			fetch(`${address}/healthz/readiness`, { signal }),
			fetch(`${address}/rest/settings`, { signal }),
		]);
		await health.body?.cancel();
		return health.ok && rest.ok && 'data' in ((await rest.json()) as object);
	} catch {
		// Not listening yet, or "n8n is starting up" in place of JSON.
		return false;
	}
}
