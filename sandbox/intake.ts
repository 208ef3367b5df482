import type { IncomingMessage, ServerResponse } from 'node:http';

import type { FaultPlan } from './faultPlan';
import type { Exchange, Traffic } from './traffic';

/**
 * Takes in a request to the service: records it, reads its body and finds the fault it gets, if
 * any. This comes before everything else, so that a fault answers whatever the request is.
 * @param done is given the exchange; never called when the request is given up meanwhile
 */
export function takeIn(
	request: IncomingMessage,
	response: ServerResponse,
	traffic: Traffic,
	faults: FaultPlan,
	done: (exchange: Exchange) => void,
): void {
	const exchange = traffic.open(request, response);
	const { record } = exchange;
	readBody(request, (rawBody) => {
		record.rawBody = rawBody;
		record.body = parsed(rawBody);
		if (faults.isEmpty) {
			done(exchange);
			return;
		}
		faults.decide(exchange).then(
			(fault) => {
				exchange.fault = fault;
				done(exchange);
			},
			// Only a pause that was given up rejects, and its connection is closed.
			() => {},
		);
	});
}

/** Fastify does not read the body of a GET; the sandbox refuses one, so it reads bodies itself. */
function readBody(request: IncomingMessage, done: (body: string) => void): void {
	const { headers } = request;
	if (headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0') {
		done('');
		return;
	}
	const chunks: Buffer[] = [];
	request.on('data', (chunk: Buffer) => chunks.push(chunk));
	// A client that leaves midway causes no 'end': its request is recorded, and nothing is done.
	request.on('end', () => done(Buffer.concat(chunks).toString()));
	request.on('error', () => {});
}

function parsed(rawBody: string): unknown {
	if (rawBody === '') return undefined;
	try {
		return JSON.parse(rawBody);
	} catch {
		return undefined;
	}
}
