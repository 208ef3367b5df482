import { serviceMessage } from '../../nodes/shared/service/response';

/* Each takes a second; in quadratic time, hours. */
describe('a response of 10 MB is read in linear time', () => {
	const SIZE = 10_000_000;
	it.each(['.', ' ', '. ', '\n.', '<', '< ', '</'])('if it is a text of %j', (part) => {
		const body = `${part.repeat(SIZE / part.length)}x`;
		const message = serviceMessage({ method: 'POST', statusCode: 400, body, isJson: false });
		expect(message?.length ?? 0).toBeLessThanOrEqual(1_001);
	});
});
