import { createServer, type IncomingMessage } from 'node:http';

import type { CredentialReference } from '../../../n8n/examples';
import { listen } from '../../support/listen';
import { n8n } from '../n8n';

/** A scripted tool call, by n8n's name of the tool. */
export interface ToolCall {
	tool: string;
	arguments: Record<string, unknown>;
}

/** A response with an error that n8n does not retry by itself. */
export const FAILS = 'fails';

interface ChatRequest {
	messages: Array<{ role: string; content: unknown }>;
	tools?: Array<{ function: { name: string; description: string; parameters: unknown } }>;
}

/** A scripted chat model with OpenAI's API. */
export interface ChatModel {
	address: string;
	/** The messages sent to the model, in order. */
	asked: ChatRequest[];
	/** The results of the tools, in order. */
	toolResults(): string[];
	/**
	 * The calls that the model makes one after the other, or several at once; then it finishes. At
	 * `FAILS` it responds with an error.
	 */
	play(script: Array<ToolCall | ToolCall[] | typeof FAILS>): void;
	stop(): void;
}

/** A scripted chat model for the tests of one file, and n8n's credential for it. */
export function useChatModel(): () => { model: ChatModel; credential: CredentialReference } {
	let model: ChatModel;
	let credential: CredentialReference;
	beforeAll(async () => {
		model = await startChatModel();
		const name = 'Scripted model';
		const data = { apiKey: 'none', url: model.address, header: false };
		const id = await n8n().client.createCredential({ name, type: 'openAiApi', data });
		credential = { id, name };
	});
	afterAll(() => model?.stop());
	return () => ({ model, credential });
}

async function startChatModel(): Promise<ChatModel> {
	const asked: ChatRequest[] = [];
	let script: Array<ToolCall[] | typeof FAILS> = [];
	const server = createServer((request, response) => {
		void bodyOf(request).then((body) => {
			const chat = JSON.parse(body) as ChatRequest;
			asked.push(chat);
			const calls = script.shift();
			const answer = calls === FAILS ? { error: { message: 'Not now' } } : completion(calls);
			response.writeHead(calls === FAILS ? 400 : 200, { 'content-type': 'application/json' });
			response.end(JSON.stringify(answer));
		});
	});
	const port = await listen(server);
	return {
		address: `http://127.0.0.1:${port}/v1`,
		asked,
		toolResults: () =>
			(asked.at(-1)?.messages ?? [])
				.filter(({ role }) => role === 'tool')
				.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content))),
		play: (calls) => {
			script = calls.map((call) => (call === FAILS ? call : [call].flat()));
			asked.length = 0;
		},
		stop: () => {
			server.closeAllConnections();
			server.close();
		},
	};
}

function completion(calls: ToolCall[] | undefined) {
	const message = calls
		? {
				role: 'assistant',
				content: null,
				tool_calls: calls.map((call) => ({
					id: `call-${Math.random().toString(36).slice(2)}`,
					type: 'function',
					function: { name: call.tool, arguments: JSON.stringify(call.arguments) },
				})),
			}
		: { role: 'assistant', content: 'Done.' };
	return {
		id: 'completion',
		object: 'chat.completion',
		created: 0,
		model: 'scripted',
		choices: [{ index: 0, message, finish_reason: calls ? 'tool_calls' : 'stop' }],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}

async function bodyOf(request: IncomingMessage): Promise<string> {
	let body = '';
	for await (const chunk of request) body += String(chunk);
	return body;
}
