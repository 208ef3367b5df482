import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { takePorts } from '../../n8n/host';
import { endProcess, hasEnded, lastLines, run, spawnLogged } from '../../n8n/process';
import { until } from '../e2e/until';

const HOST = '127.0.0.1';
const STOP_GRACE_MS = 10_000;

/** Debian's folder for the programs of each PostgreSQL version, which are not in the path. */
const POSTGRES = '/usr/lib/postgresql';
const PATH = [
	...(existsSync(POSTGRES) ? readdirSync(POSTGRES).map((one) => join(POSTGRES, one, 'bin')) : []),
	process.env.PATH,
].join(delimiter);
/** Fixes the language of the message that is waited for. */
const SETTINGS = { ...process.env, PATH, LC_ALL: 'C' };

/** PostgreSQL refuses to run as root; its package creates the user with this id in /etc/passwd. */
async function postgresUser(): Promise<number | undefined> {
	if (process.getuid?.() !== 0) return undefined;
	const users = await readFile('/etc/passwd', 'utf8');
	return Number(/^postgres:[^:]*:(\d+)/m.exec(users)?.[1]);
}

/** What n8n and its workers share in queue mode. */
export interface Services {
	/** Puts n8n and its workers into queue mode. */
	env: Record<string, string>;
	/** Stops both and removes their data. */
	stop(): Promise<void>;
}

/**
 * Starts a Redis and a PostgreSQL, both empty, on the loopback address.
 * @throws Error with a sentence when one of them is not installed or does not start
 */
export async function startQueueServices(): Promise<Services> {
	const [redisPort, postgresPort] = await takePorts();
	const folder = await mkdtemp(join(tmpdir(), 'n8n-queue-'));
	const data = join(folder, 'data');
	const user = await postgresUser();
	if (user) await chown(folder, user, user);
	// Unlike su and runuser it executes the command in its own process, so that signals reach it.
	const asUser = user ? ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups'] : [];
	const logOf = (name: string) => join(folder, `${name}.log`);

	/** Starts a program, and waits for this line in its log. */
	async function start(name: string, command: string[], ready: string) {
		const [file = '', ...args] = command;
		const child = spawnLogged(file, args, { cwd: folder, env: SETTINGS, log: logOf(name) });
		// A process that could not be spawned has no pid, which `hasEnded` detects.
		child.once('error', () => {});
		const isReady = async () => (await readFile(logOf(name), 'utf8')).includes(ready);
		await until(async () => hasEnded(child) || (await isReady()));
		if (await isReady()) return child;
		throw new Error(
			`${name} did not start. Install what queue mode needs with \`apt-get install redis-server postgresql\`. The end of its log:\n${lastLines(logOf(name))}`,
		);
	}

	const initdb = ['initdb', '-D', data, '-U', 'n8n', '-A', 'trust', '-E', 'UTF8', '-N'];
	await run([...asUser, ...initdb], { cwd: folder, env: SETTINGS, log: logOf('initdb') });
	// Nothing must survive a crash.
	const settings = ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off'];
	settings.push(`listen_addresses=${HOST}`, `port=${postgresPort}`);
	settings.push(`unix_socket_directories=${folder}`);
	const postgres = await start(
		'postgres',
		[...asUser, 'postgres', '-D', data, ...settings.flatMap((each) => ['-c', each])],
		'database system is ready to accept connections',
	);
	const options = ['--port', `${redisPort}`, '--bind', HOST, '--save', '', '--dir', folder];
	const redis = await start('redis', ['redis-server', ...options], 'Ready to accept connections');
	return {
		env: {
			EXECUTIONS_MODE: 'queue',
			N8N_ENCRYPTION_KEY: randomUUID(),
			QUEUE_BULL_REDIS_HOST: HOST,
			QUEUE_BULL_REDIS_PORT: `${redisPort}`,
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: HOST,
			DB_POSTGRESDB_PORT: `${postgresPort}`,
			DB_POSTGRESDB_DATABASE: 'postgres',
			DB_POSTGRESDB_USER: 'n8n',
		},
		stop: async () => {
			// Disconnects its clients.
			postgres.kill('SIGINT');
			await Promise.all([redis, postgres].map((child) => endProcess(child, STOP_GRACE_MS)));
			await rm(folder, { recursive: true, force: true });
		},
	};
}
