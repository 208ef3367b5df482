import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { takePorts } from '../../n8n/host';
import { CommandError, endProcess, hasEnded, lastLines, run, spawnLogged } from '../../n8n/process';

const HOST = '127.0.0.1';
const START_TIMEOUT_MS = 60_000;
const POLL_MS = 50;
const STOP_GRACE_MS = 10_000;

/** Debian's folder for the programs of each PostgreSQL version, which are not in the PATH. */
const POSTGRES_VERSIONS = '/usr/lib/postgresql';
/** PostgreSQL refuses to run as root; its package creates this user. */
const POSTGRES_USER = 'postgres';

/** A running Redis or PostgreSQL that n8n shares with its workers. */
export interface Service {
	/** n8n's environment variables for it. */
	env: Record<string, string>;
	/** Stops it and removes its data. */
	stop(): Promise<void>;
}

/**
 * Starts what n8n and its workers share in queue mode: a Redis and a PostgreSQL, both empty.
 * @returns its `env` puts n8n and its workers into queue mode
 * @throws Error with a sentence when one of them is not installed or does not start
 */
export async function startQueueServices(): Promise<Service> {
	const [redisPort, postgresPort] = await takePorts();
	const redis = await startRedis(redisPort);
	const postgres = await startPostgres(postgresPort).catch(async (error: unknown) => {
		await redis.stop();
		throw error;
	});
	return {
		env: {
			...redis.env,
			...postgres.env,
			EXECUTIONS_MODE: 'queue',
			N8N_ENCRYPTION_KEY: randomUUID(),
		},
		stop: async () => {
			await Promise.all([redis.stop(), postgres.stop()]);
		},
	};
}

/**
 * Starts a Redis on the loopback address, without persistence.
 * @throws Error with a sentence when it is not installed or does not start
 */
async function startRedis(port: number): Promise<Service> {
	const redis = programOf('redis-server', pathFolders());
	const folder = await mkdtemp(join(tmpdir(), 'n8n-redis-'));
	const options = ['--port', `${port}`, '--bind', HOST, '--save', '', '--dir', folder];
	return await startService({
		folder,
		command: [redis, ...options],
		ready: /Ready to accept connections/,
		endsWith: 'SIGTERM',
		env: { QUEUE_BULL_REDIS_HOST: HOST, QUEUE_BULL_REDIS_PORT: `${port}` },
	});
}

/**
 * Starts a PostgreSQL with a new, empty database on the loopback address.
 * @throws Error with a sentence when it is not installed or does not start
 */
async function startPostgres(port: number): Promise<Service> {
	const folders = postgresFolders();
	const [initdb, postgres] = [programOf('initdb', folders), programOf('postgres', folders)];
	const folder = await mkdtemp(join(tmpdir(), 'n8n-postgres-'));
	const asUser = process.getuid?.() === 0 ? await asPostgresUser(folder) : [];
	const data = join(folder, 'data');
	try {
		await run([...asUser, initdb, '-D', data, '-U', 'n8n', '-A', 'trust', '-E', 'UTF8', '-N'], {
			cwd: folder,
			// Fixes the language of the message that is waited for.
			env: { ...process.env, LC_ALL: 'C' },
			log: join(folder, 'initdb.log'),
		});
	} catch (error) {
		await rm(folder, { recursive: true, force: true });
		throw error instanceof CommandError ? new Error(`initdb failed:\n${error.output}`) : error;
	}
	const settings = {
		listen_addresses: HOST,
		port,
		unix_socket_directories: folder,
		// Nothing must survive a crash.
		fsync: 'off',
		full_page_writes: 'off',
		synchronous_commit: 'off',
	};
	const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
	return await startService({
		folder,
		command: [...asUser, postgres, '-D', data, ...options],
		ready: /database system is ready to accept connections/,
		// Fast shutdown: disconnects its clients.
		endsWith: 'SIGINT',
		env: {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: HOST,
			DB_POSTGRESDB_PORT: `${port}`,
			DB_POSTGRESDB_DATABASE: 'postgres',
			DB_POSTGRESDB_USER: 'n8n',
		},
	});
}

interface ServiceCommand {
	/** Removed when it stops. */
	folder: string;
	command: string[];
	/** Its output once it is ready. */
	ready: RegExp;
	endsWith: NodeJS.Signals;
	env: Record<string, string>;
}

async function startService(service: ServiceCommand): Promise<Service> {
	const { folder, command, ready, endsWith, env } = service;
	const [file = '', ...args] = command;
	const log = join(folder, 'service.log');
	const child = spawnLogged(file, args, { cwd: folder, env: process.env, log });
	// A process that could not be spawned has no pid, which `hasEnded` detects.
	child.once('error', () => {});
	const stop = async () => {
		child.kill(endsWith);
		await endProcess(child, STOP_GRACE_MS);
		await rm(folder, { recursive: true, force: true });
	};
	const deadline = Date.now() + START_TIMEOUT_MS;
	while (!ready.test(await readFile(log, 'utf8'))) {
		if (hasEnded(child) || Date.now() > deadline) {
			const end = lastLines(log);
			await stop();
			throw new Error(`${file} did not start. The end of its log:\n${end}`);
		}
		await sleep(POLL_MS);
	}
	return { env, stop };
}

/** The prefix to run a command as PostgreSQL's user, who becomes the owner of the folder. */
async function asPostgresUser(folder: string): Promise<string[]> {
	await promisify(execFile)('chown', [POSTGRES_USER, folder]);
	// Unlike su and runuser it executes the command in its own process, so that signals reach it.
	return ['setpriv', `--reuid=${POSTGRES_USER}`, `--regid=${POSTGRES_USER}`, '--init-groups'];
}

/** The possible folders of PostgreSQL's programs, newest version first. */
function postgresFolders(): string[] {
	const versions = existsSync(POSTGRES_VERSIONS) ? readdirSync(POSTGRES_VERSIONS) : [];
	const newestFirst = versions.sort((a, b) => Number(b) - Number(a));
	return [
		...newestFirst.map((version) => join(POSTGRES_VERSIONS, version, 'bin')),
		...pathFolders(),
	];
}

function pathFolders(): string[] {
	return (process.env.PATH ?? '').split(delimiter);
}

/** @throws Error about what to install when no folder has the program */
function programOf(name: string, folders: string[]): string {
	const program = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
	if (program === undefined) {
		throw new Error(
			`Queue mode needs Redis and PostgreSQL, and ${name} cannot be found: install them with \`apt-get install redis-server postgresql\`.`,
		);
	}
	return program;
}
