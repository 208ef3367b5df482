import { parseExactly, serviceMessage } from '../../nodes/shared/http/response';

/* Each takes a second; in quadratic time, hours. */
describe('a response of 10 MB is read in linear time', () => {
	const SIZE = 10_000_000;
	/** Long enough to become a text. */
	const LONG = '12345678901234567890';

	it.each<[what: string, text: string, length: number]>([
		['escapes', `["${'\\"'.repeat(SIZE / 2)}",${LONG}]`, 2],
		['one text', `["${'x'.repeat(SIZE)}",${LONG}]`, 2],
		['short texts', `[${'"",'.repeat(SIZE / 5)}${LONG}]`, SIZE / 5 + 1],
		['long numbers', `[${`${LONG},`.repeat(SIZE / 25)}0]`, SIZE / 25 + 1],
		['spaces', `[${' '.repeat(SIZE)}${LONG}]`, 1],
	])('if it is JSON of %s', (_what, text, length) => {
		expect(parseExactly(text)).toHaveLength(length);
	});

	it.each(['.', ' ', '. ', '\n.', '<', '< ', '</'])('if it is a text of %j', (part) => {
		const body = `${part.repeat(SIZE / part.length)}x`;
		const message = serviceMessage({ statusCode: 400, body, isJson: false });
		expect(message?.length ?? 0).toBeLessThanOrEqual(1_001);
	});
});
