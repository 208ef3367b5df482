import { Readable } from 'node:stream';

import { Deadline } from '../../nodes/shared/http/deadline';
import { readBody } from '../../nodes/shared/http/response';

const newDeadline = () => new Deadline(60_000);

it('joins pieces that split a character', async () => {
	const bytes = Buffer.from('{"name":"Žluťoučký 🐎"}');
	const pieces = Array.from(bytes, (byte) => Buffer.from([byte]));
	const deadline = newDeadline();
	expect(await readBody(Readable.from(pieces), deadline)).toEqual({ text: bytes.toString() });
	deadline.release();
});

it.each([
	['{"success":true}', '{"success":true}'],
	[{ success: true }, '{"success":true}'],
	[{ on: true }, '{"on":true}'],
	[undefined, '""'],
])('takes a body that is not a stream as it is: %p', async (body, text) => {
	const deadline = newDeadline();
	expect(await readBody(body, deadline)).toEqual({ text });
	deadline.release();
});

it('reports a body that is closed before its end', async () => {
	const body = new Readable({ read: () => {} });
	const deadline = newDeadline();
	const read = readBody(body, deadline);
	body.push('{"success":');
	body.destroy();
	expect(await read).toMatchObject({
		text: '{"success":',
		brokenBy: { reason: 'broken' },
	});
	deadline.release();
});

it('reads 10 MB, and no more of a larger body', async () => {
	const start = Buffer.from('{"job_id":"paid"');
	const rest = Buffer.alloc(10 * 1024 * 1024 - start.length, ' ');
	const deadline = newDeadline();
	const whole = await readBody(Readable.from([start, rest]), deadline);
	expect(whole.text).toHaveLength(10 * 1024 * 1024);
	expect(whole.brokenBy).toBeUndefined();
	expect(deadline.signal.aborted).toBe(false);
	const large = Readable.from([start, rest, Buffer.from('}')]);
	const cut = await readBody(large, deadline);
	expect(cut.text.startsWith(start.toString())).toBe(true);
	expect(cut.text.endsWith('…')).toBe(true);
	expect(cut.brokenBy).toBeUndefined();
	// So that the rest does not arrive.
	expect(deadline.signal.aborted).toBe(true);
	deadline.release();
});
