import type { IncomingMessage, ServerResponse } from 'node:http';

import type { FaultPlan } from './faults';
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
		faults.decide(record, exchange.pause).then(
			(fault) => {
				exchange.fault = fault;
				done(exchange);
			},
			// The only thing that rejects is a pause that was given up; its connection is closed.
			() => {},
		);
	});
}

/** Fastify reads no body on GET; here it has to be seen in order to be refused. */
function readBody(request: IncomingMessage, done: (body: string) => void): void {
	const { headers } = request;
	if (headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0') {
		done('');
		return;
	}
	const chunks: Buffer[] = [];
	request.on('data', (chunk: Buffer) => chunks.push(chunk));
	// A client that leaves midway gets no 'end': its request then counts as not understood.
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
