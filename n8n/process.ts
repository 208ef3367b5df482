import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

export interface CommandOptions {
	cwd: string;
	env?: NodeJS.ProcessEnv;
	/** The file for stdout and stderr; it is truncated first. */
	log: string;
}

/** Thrown when a command exits with a code other than 0. */
export class CommandError extends Error {
	constructor(
		command: string,
		/** The command's output. */
		readonly output: string,
		readonly log: string,
	) {
		super(`${command} failed; its output is in ${log}.`);
		this.name = 'CommandError';
	}
}

/**
 * Runs a command with its output in a log file.
 * @throws CommandError when it cannot be started or exits with a code other than 0
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
 * Starts a child process with its output in a log file. It is terminated when this process ends,
 * except by a signal that cannot be caught.
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
	return endedWithThis(child);
}

/** Starts a script of Node.js that writes to this terminal. It is terminated as with `spawnLogged`. */
export function spawnShown(script: string, args: string[], cwd: string): ChildProcess {
	const options = { cwd, stdio: 'inherit' } as const;
	return endedWithThis(spawn(process.execPath, [script, ...args], options));
}

const running = new Set<ChildProcess>();

function endedWithThis(child: ChildProcess): ChildProcess {
	running.add(child);
	child.once('exit', () => running.delete(child));
	child.once('error', () => running.delete(child));
	return child;
}

process.once('exit', () => {
	for (const child of running) child.kill('SIGTERM');
});

/** Terminates all child processes. */
export async function endAll(graceMs: number): Promise<void> {
	await Promise.all([...running].map((child) => endProcess(child, graceMs)));
}

/** Sends SIGTERM, then SIGKILL after the grace period. Resolves when the process has exited. */
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

/** Whether the process has exited, or never started. */
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
 * The npm of this Node.js. Under `npm run` its script is known and run with Node.js directly, which
 * works where `npm` is a shell script that cannot be spawned.
 */
export function npmCommand(): string[] {
	const script = process.env.npm_execpath;
	return script?.endsWith('npm-cli.js') ? [process.execPath, script] : ['npm'];
}
