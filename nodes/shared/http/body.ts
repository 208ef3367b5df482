import type { Deadline } from './deadline';
import { Failure, type Trouble } from './failure';

/** The largest body that is read, in bytes; the service's are far smaller. */
const LARGEST_BODY = 10 * 1024 * 1024;

const decoder = new TextDecoder();

const CLOSED_EARLY: Trouble = { kind: 'connection', code: 'ECONNRESET', what: 'broken' };

/** Thrown for a body above the limit. */
export class BodyTooLarge extends Error {
	constructor() {
		super(`more than ${LARGEST_BODY / 1024 / 1024} MB`);
	}
}

interface Stream {
	on(event: 'data', listener: (piece: Uint8Array) => void): void;
	on(event: 'end' | 'close', listener: () => void): void;
	on(event: 'error', listener: (error: Error) => void): void;
}

function isStream(body: unknown): body is Stream {
	return typeof (body as Partial<Stream> | null | undefined)?.on === 'function';
}

/** What arrived of a body. */
interface Body {
	text: string;
	/**
	 * Why it is not complete: a Failure when the deadline passed, BodyTooLarge, or the system's error
	 * for a broken connection.
	 */
	brokenBy?: unknown;
}

/** Reads the body of a response as far as it arrives. */
export async function readBody(body: unknown, deadline: Deadline): Promise<Body> {
	// Requested as a stream, but something around n8n's helper can have read it already.
	if (!isStream(body))
		return { text: typeof body === 'string' ? body : JSON.stringify(body ?? '') };
	let pieces: Uint8Array[] = [];
	// JSON contains no NUL. In UTF-16, every other byte is one, and would hide the key and any id.
	const decoded = () => decoder.decode(Buffer.concat(pieces)).replaceAll('\0', '');
	// Not `for await`: leaving the loop would wait for a chunk that may never come.
	const end = new Promise<void>((resolve, reject) => {
		let size = 0;
		let isComplete = false;
		body.on('data', (piece) => {
			size += piece.length;
			if (size > LARGEST_BODY) {
				// The beginning is enough for a message.
				pieces = pieces.slice(0, 1);
				reject(new BodyTooLarge());
			} else pieces.push(piece);
		});
		body.on('end', () => {
			isComplete = true;
			resolve();
		});
		// Needed after the end as well: without a listener, an error would crash n8n.
		body.on('error', reject);
		// Made only when needed: every stream closes, and an Error with its stack trace costs time.
		body.on('close', () => {
			if (!isComplete) reject(new Failure(CLOSED_EARLY));
		});
	});
	try {
		await deadline.race(end);
		return { text: decoded() };
	} catch (brokenBy) {
		// Not `body.destroy()`: n8n's stream would wait for the next piece before it closes the connection.
		deadline.close();
		return { text: decoded(), brokenBy };
	}
}
