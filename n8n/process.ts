import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** What a command needs to run: where, with which environment, and the file that gets its output. */
export interface CommandOptions {
	cwd: string;
	env?: NodeJS.ProcessEnv;
	/** Gets stdout and stderr; it is emptied first. */
	log: string;
}

/** Thrown when a command ends with another code than 0. */
export class CommandError extends Error {
	constructor(
		command: string,
		/** Everything the command wrote. */
		readonly output: string,
		readonly log: string,
	) {
		super(`${command} did not succeed; its output is in ${log}.`);
		this.name = 'CommandError';
	}
}

/**
 * Runs a command to its end, its output going to a log file.
 * @throws CommandError when it cannot be started or ends with another code than 0
 */
export async function run(command: string[], options: CommandOptions): Promise<void> {
	const [file = '', ...args] = command;
	const child = spawnLogged(file, args, options);
	const failure = await new Promise<string | undefined>((resolve) => {
		child.once('error', (error) => resolve(error.message));
		child.once('close', (code) => resolve(code === 0 ? undefined : `code ${code}`));
	});
	if (failure !== undefined) {
		throw new CommandError(command.join(' '), `${readLog(options.log)}\n${failure}`, options.log);
	}
}

/**
 * Starts a child process whose output goes to a log file and which is told to end when this process
 * ends, however that happens (a signal that cannot be caught aside).
 */
export function spawnLogged(
	file: string,
	args: string[],
	{ cwd, env, log }: CommandOptions,
): ChildProcess {
	mkdirSync(dirname(log), { recursive: true });
	const output = openSync(log, 'w');
	const child = spawn(file, args, { cwd, env, stdio: ['ignore', output, output] });
	closeSync(output);
	running.add(child);
	child.once('exit', () => running.delete(child));
	child.once('error', () => running.delete(child));
	return child;
}

const running = new Set<ChildProcess>();

process.once('exit', () => {
	for (const child of running) child.kill('SIGTERM');
});

/** Ends every child process that is still running. */
export async function endAll(graceMs: number): Promise<void> {
	await Promise.all([...running].map((child) => endProcess(child, graceMs)));
}

/**
 * Ends a child process: asks with SIGTERM, and forces it when it is still there after the grace
 * period. Resolves once it is gone.
 */
export async function endProcess(child: ChildProcess, graceMs: number): Promise<void> {
	if (hasEnded(child)) return;
	await new Promise<void>((resolve) => {
		const force = setTimeout(() => child.kill('SIGKILL'), graceMs);
		child.once('exit', () => {
			clearTimeout(force);
			resolve();
		});
		child.kill('SIGTERM');
	});
}

/** Whether the process ended, or never started. */
export function hasEnded(child: ChildProcess): boolean {
	return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

/** The last lines of a log file, for the end of an error message. */
export function lastLines(log: string, count = 15): string {
	return readLog(log).trimEnd().split('\n').slice(-count).join('\n');
}

function readLog(log: string): string {
	return existsSync(log) ? readFileSync(log, 'utf8') : '';
}

/**
 * The npm that belongs to this Node.js. Under `npm run` its script is known and started with
 * Node.js itself, which works where `npm` is a shell script that cannot be spawned.
 */
export function npmCommand(): string[] {
	const script = process.env.npm_execpath;
	return script?.endsWith('npm-cli.js') ? [process.execPath, script] : ['npm'];
}
