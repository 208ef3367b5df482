/**
 * The baseline: the same requests from a program that does nothing else. Like n8n, it keeps running
 * between measurements, so that its code is compiled.
 */
import { Agent, request } from 'node:http';
import { BLACKLIST, CONCURRENCY } from './candidates';
import { answerQuestions } from './child';

export interface PlainQuestion {
	address: string;
	key: string;
	rows: number;
}

/** The duration in milliseconds. */
export type PlainAnswer = number;

const agent = new Agent({ keepAlive: true, maxSockets: Infinity });

answerQuestions<PlainQuestion, PlainAnswer>(async ({ address, key, rows }) => {
	const url = new URL(`${address}/api/v1/blacklist/${BLACKLIST}`);
	const started = performance.now();
	let next = 1;
	const worker = async () => {
		while (next <= rows) {
			const body = JSON.stringify({ type: 'domain', value: `site-${next++}.example.com` });
			await post(url, key, body);
		}
	};
	await Promise.all(Array.from({ length: CONCURRENCY }, worker));
	return performance.now() - started;
});

async function post(url: URL, key: string, body: string): Promise<void> {
	await new Promise<void>((resolve, reject) => {
		const headers = {
			'x-api-key': `Token ${key}`,
			'content-type': 'application/json',
			'content-length': Buffer.byteLength(body),
		};
		request(url, { method: 'POST', agent, headers }, (response) => {
			let text = '';
			response.setEncoding('utf8');
			response.on('data', (chunk: string) => (text += chunk));
			response.on('error', reject);
			response.on('end', () => {
				const { success } = JSON.parse(text) as { success?: boolean };
				if (success) resolve();
				else reject(new Error(`The sandbox responded with ${response.statusCode}: ${text}`));
			});
		})
			.on('error', reject)
			.end(body);
	});
}
