import { parseArgs } from 'node:util';

/** The options of `npm start`. */
export interface StartOptions {
	port: number;
	/** Exit after the examples have run. */
	once: boolean;
	/** Compile every saved source into the n8n that is running. */
	dev: boolean;
	/** The real account to use instead of the sandbox. */
	account?: { baseUrl: string; apiKey: string };
}

export const USAGE = `Usage: npm start -- [options]

  --port <number>  port of n8n on 127.0.0.1 (default 5678)
  --once           exit after the examples have run
  --dev            compile every source on save, for n8n to reload; \`npm run dev\` is the same
  --help           show this text

If BLS_BASE_URL and BLS_API_KEY are set, the examples use that account, and none of them is run.`;

/**
 * Reads the command line and the environment.
 * @returns undefined for `--help`
 * @throws Error with a sentence about the invalid option
 */
export function readOptions(
	args: string[],
	environment: NodeJS.ProcessEnv,
): StartOptions | undefined {
	const { values } = parseArgs({
		args,
		options: {
			port: { type: 'string', default: '5678' },
			once: { type: 'boolean', default: false },
			dev: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) return undefined;
	return {
		port: portNumber(values.port),
		once: values.once,
		dev: values.dev,
		account: accountFrom(environment),
	};
}

function portNumber(text: string): number {
	const port = Number(text);
	if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port;
	throw new Error(`--port must be a whole number from 1 to 65535, not "${text}".`);
}

function accountFrom(environment: NodeJS.ProcessEnv): StartOptions['account'] {
	const baseUrl = environment.BLS_BASE_URL?.trim();
	const apiKey = environment.BLS_API_KEY?.trim();
	if (baseUrl && apiKey) return { baseUrl, apiKey };
	if (!baseUrl && !apiKey) return undefined;
	const [set, missing] = baseUrl
		? ['BLS_BASE_URL', 'BLS_API_KEY']
		: ['BLS_API_KEY', 'BLS_BASE_URL'];
	throw new Error(
		`${set} is set, but ${missing} is not. Set both to use your account, or neither to use the sandbox.`,
	);
}
