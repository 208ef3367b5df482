import { parseArgs } from 'node:util';

import { startSandbox, type Sandbox, type SandboxOptions } from '.';
import { whenNpmEnds } from './npm';

const USAGE = `Usage: npm run sandbox -- [options]

  --port <number>       port on 127.0.0.1, 0 for any free port (default 8787)
  --key <text>          API key to accept (default: a random one)
  --remaining <number>  remaining requests of the account (default 1000)
  --help                show this text`;

/** Ends the command with one sentence in place of a stack trace. */
class CommandError extends Error {}

function readOptions(): SandboxOptions | undefined {
	const text = { type: 'string' } as const;
	const { values } = parseArgs({
		options: {
			port: { ...text, default: '8787' },
			key: text,
			remaining: { ...text, default: '1000' },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) return undefined;
	if (values.key?.trim() === '') throw new CommandError('--key must not be empty.');
	return {
		port: wholeNumber('--port', values.port, 65_535),
		key: values.key,
		remaining: wholeNumber('--remaining', values.remaining, Number.MAX_SAFE_INTEGER),
	};
}

function wholeNumber(option: string, text: string, highest: number): number {
	const value = Number(text);
	if (/^\d+$/.test(text) && value <= highest) return value;
	throw new CommandError(`${option} must be a whole number from 0 to ${highest}.`);
}

function greeting({ address, key }: Sandbox): string {
	const rules = JSON.stringify([
		{ path: '/api/v1/jobs', times: 2, fault: { kind: 'status', status: 503 } },
	]);
	return `Sandbox of the Business Listing Search Service. Stop it with Ctrl-C.

  Base URL  ${address}
  API Key   ${key}

Get the remaining requests:
  curl -H 'x-api-key: ${key}' ${address}/api/v1/usage

Make the next two jobs fail with 503:
  curl -X PUT -H 'content-type: application/json' -d '${rules}' ${address}/sandbox/faults

See its state: ${address}/sandbox`;
}

function explain(error: unknown, options: SandboxOptions | undefined): string {
	const { code, message } = error as NodeJS.ErrnoException;
	const port = String(options?.port);
	if (code === 'EADDRINUSE') {
		return `Port ${port} is already in use. Stop the program that uses it, or choose another port with --port (0 for any free port).`;
	}
	if (code === 'EACCES')
		return `Your user account is not allowed to use port ${port}. Choose a port above 1023 with --port.`;
	if (error instanceof CommandError) return message;
	if (code?.startsWith('ERR_PARSE_ARGS')) return `${message}\n\n${USAGE}`;
	throw error;
}

async function main(): Promise<void> {
	let options: SandboxOptions | undefined;
	try {
		options = readOptions();
		if (options === undefined) {
			console.log(USAGE);
			return;
		}
		const sandbox = await startSandbox(options);
		console.log(greeting(sandbox));
		const stop = () => void sandbox.stop();
		process.once('SIGINT', stop);
		process.once('SIGTERM', stop);
		whenNpmEnds(stop);
	} catch (error) {
		console.error(explain(error, options));
		process.exitCode = 1;
	}
}

void main();
