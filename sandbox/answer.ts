import { Readable, pipeline } from 'node:stream';
import { gzipSync } from 'node:zlib';

import type { FastifyReply } from 'fastify';

import { echoBody, echoLocation } from './echo';
import type { AnswerFault, FaultOf } from './faults';
import type { Outcome } from './operations';
import type { Exchange } from './traffic';

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';
const HTML_TYPE = 'text/html; charset=utf-8';
const WEB_PAGE =
	'<!doctype html><html><head><title>Welcome</title></head><body><h1>Welcome</h1></body></html>';

/**
 * Ends a request: carries it out unless its fault prevents that, and answers it as usual or as its
 * fault says. Every request to the service ends here, including refused ones.
 */
export function answer(exchange: Exchange, reply: FastifyReply, outcome: Outcome): void {
	const { fault } = exchange;
	if (outcome.change !== undefined && (fault === undefined || isCarriedOut(fault))) {
		outcome.change();
		exchange.record.carriedOut = true;
	}
	if (fault === undefined) {
		exchange.answered(outcome.status);
		reply.code(outcome.status).send(outcome.body);
		return;
	}
	// From here on the bytes are written by hand: Fastify would repair what must be broken.
	reply.hijack();
	try {
		answerWithFault(exchange, fault, outcome);
	} catch (error) {
		// HTTP does not allow what the rule says, such as a header with a line break.
		for (const name of exchange.response.getHeaderNames()) exchange.response.removeHeader(name);
		sendJson(exchange, 500, { message: `This fault cannot be applied: ${String(error)}` });
	}
}

function isCarriedOut(fault: AnswerFault): boolean {
	if (fault.kind === 'nb' || fault.kind === 'trickle') return true;
	return 'carryOut' in fault && fault.carryOut === true;
}

function answerWithFault(exchange: Exchange, fault: AnswerFault, outcome: Outcome): void {
	const { response } = exchange;
	switch (fault.kind) {
		case 'status': {
			const { status, headers, body = { message: 'Sandbox fault' } } = fault;
			if (typeof body === 'string') sendBytes(exchange, status, TEXT_TYPE, body, headers);
			else sendJson(exchange, status, body, headers);
			return;
		}
		case 'drop':
			response.destroy();
			return;
		case 'hang':
			return;
		case 'stall':
			stall(exchange, fault, jsonBytes(outcome.body));
			return;
		case 'html':
			sendBytes(exchange, 200, HTML_TYPE, WEB_PAGE);
			return;
		case 'truncated':
			sendBytes(exchange, 200, JSON_TYPE, firstHalf(jsonBytes(outcome.body)));
			return;
		case 'cut': {
			const bytes = jsonBytes(outcome.body);
			sendJsonHead(exchange, 200, { 'content-length': bytes.length });
			response.write(firstHalf(bytes), () => response.destroy());
			return;
		}
		case 'json':
			sendJson(exchange, 200, fault.body);
			return;
		case 'raw':
			sendBytes(exchange, fault.status ?? 200, JSON_TYPE, fault.body);
			return;
		case 'successFalse':
			sendJson(exchange, 200, { success: false });
			return;
		case 'nb':
			sendJson(exchange, outcome.status, withNb(outcome.body));
			return;
		case 'redirect':
			sendJson(exchange, fault.status ?? 302, { message: 'Moved' }, { location: fault.to });
			return;
		case 'echo':
			echo(exchange, fault);
			return;
		case 'trickle': {
			const bytes = jsonBytes(outcome.body);
			sendJsonHead(exchange, outcome.status, { 'content-length': bytes.length });
			response.flushHeaders();
			pipeline(Readable.from(trickled(bytes, () => exchange.pause(fault.ms))), response, () => {});
			return;
		}
	}
}

type Headers = Record<string, string | number>;

function sendJson(exchange: Exchange, status: number, body: unknown, headers?: Headers): void {
	sendBytes(exchange, status, JSON_TYPE, jsonBytes(body), headers);
}

function sendBytes(
	exchange: Exchange,
	status: number,
	type: string,
	body: string | Buffer,
	headers: Headers = {},
): void {
	if (mayHaveBody(status)) {
		const length = Buffer.byteLength(body);
		sendHead(exchange, status, { 'content-type': type, 'content-length': length }, headers);
		exchange.response.end(body);
	} else {
		sendHead(exchange, status, headers);
		exchange.response.end();
	}
}

function mayHaveBody(status: number): boolean {
	return status !== 204 && status !== 304;
}

/** Sends the head of a JSON answer whose body is written piece by piece. */
function sendJsonHead(exchange: Exchange, status: number, headers: Headers = {}): void {
	sendHead(exchange, status, { 'content-type': JSON_TYPE }, headers);
}

/** Sends the head. A header replaces an earlier one of the same name, whatever their case. */
function sendHead(exchange: Exchange, status: number, ...headers: Headers[]): void {
	const { response } = exchange;
	exchange.answered(status);
	for (const [name, value] of headers.flatMap(Object.entries)) response.setHeader(name, value);
	response.writeHead(status);
}

/** Sends the head and the first bytes, and leaves the connection open. */
function stall(exchange: Exchange, fault: FaultOf<'stall'>, usual: Buffer): void {
	const encoding: Headers = fault.gzip === true ? { 'content-encoding': 'gzip' } : {};
	sendJsonHead(exchange, fault.status ?? 200, { ...encoding, ...fault.headers });
	exchange.response.flushHeaders();
	const bytes = fault.gzip === true ? gzipSync(usual) : usual;
	exchange.response.write(bytes.subarray(0, fault.after ?? 0));
}

function echo(exchange: Exchange, fault: FaultOf<'echo'>): void {
	const { status, form = 'plain' } = fault;
	const header = String(exchange.record.headers['x-api-key']);
	if (fault.in === 'location') {
		const code = status >= 300 && status <= 399 ? status : 302;
		sendJson(exchange, code, { message: 'Moved' }, { location: echoLocation(header) });
	} else {
		sendBytes(exchange, status, JSON_TYPE, echoBody(header, form));
	}
}

function jsonBytes(body: unknown): Buffer {
	return Buffer.from(JSON.stringify(body) ?? 'null');
}

function firstHalf(bytes: Buffer): Buffer {
	return bytes.subarray(0, Math.floor(bytes.length / 2));
}

async function* trickled(bytes: Buffer, pause: () => Promise<void>): AsyncGenerator<Buffer> {
	for (let index = 0; index < bytes.length; index += 1) {
		await pause();
		yield bytes.subarray(index, index + 1);
	}
}

/** Repeats the slip in the document's sample (service-interface.md, 2): one entry says `nb`. */
function withNb(lists: unknown): unknown {
	if (!Array.isArray(lists) || lists.length === 0) return lists;
	const { name, count } = lists.at(-1) as { name: string; count: number };
	return [...lists.slice(0, -1), { name, nb: count }];
}
