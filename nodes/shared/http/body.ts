import type { Deadline } from './deadline';

/** The largest answer that is read, in bytes; the service's own are far smaller. */
const LARGEST_BODY = 10 * 1024 * 1024;

/** The body is larger than what is read of one. */
export class BodyTooLarge extends Error {
	constructor() {
		super(`more than ${LARGEST_BODY / 1024 / 1024} MB`);
	}
}

interface Stream extends AsyncIterable<Uint8Array> {
	destroy(): void;
	on(event: 'error', listener: () => void): void;
}

function isStream(body: unknown): body is Stream {
	return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

/**
 * Reads the body of an answer.
 *
 * @throws Failure when the deadline passes, BodyTooLarge, or the system's error of a broken connection
 */
export async function readBody(body: unknown, deadline: Deadline): Promise<string> {
	if (!isStream(body)) return typeof body === 'string' ? body : JSON.stringify(body ?? '');
	// What breaks after the reading has ended concerns nobody; unheard, it would end n8n.
	body.on('error', () => {});
	const pieces = body[Symbol.asyncIterator]();
	const decoder = new TextDecoder();
	let text = '';
	let size = 0;
	try {
		for (;;) {
			// Not `for await`: leaving it would wait for a piece that may never come.
			const piece = await deadline.race(pieces.next());
			if (piece.done === true) return text + decoder.decode();
			size += piece.value.length;
			if (size > LARGEST_BODY) throw new BodyTooLarge();
			text += decoder.decode(piece.value, { stream: true });
		}
	} finally {
		body.destroy();
	}
}
