import { asFailure } from '../../nodes/shared/errors/failure';
import { OUTCOMES, type Reason, reasonOfStatus } from '../../nodes/shared/errors/outcomes';
import { requestFailure, type Answer } from '../../nodes/shared/errors/requestFailure';
import { asHtml } from '../../nodes/shared/errors/shown';

/** A failed POST. */
const status = (statusCode: number, answer: Answer = {}) =>
	requestFailure(reasonOfStatus(statusCode, answer.retryAfter), 'POST', { statusCode, ...answer });

// What is said of each outcome: outcomes.test.ts. What of it reaches the user: engine/failures.test.ts.
it.each([
	[7_000, 'It said to wait 7 s. '],
	[1_001, 'It said to wait 2 s. '],
	[120_000, 'It said to wait 120 s. '],
	[120_001, 'It said to wait 121 s. '],
	[0, ''],
])('with Retry-After, any status names the wait: %i ms', (retryAfter, wait) => {
	const [throttled, usedUp] = [429, 402].map((each) => status(each, { retryAfter }).description);
	expect(throttled).toMatch(new RegExp(`^${wait}Try again later\\.`));
	expect(usedUp).toMatch(new RegExp(`^${wait}Wait until`));
});

it('the service’s message is quoted verbatim', () => {
	const said = "$& $1 $' {status} {code} {location}";
	expect(status(418, { serviceMessage: said }).description).toContain(`"${said}"`);
	expect(status(301, { location: 'http://h/?$&' }).message).toContain('http://h/?$&,');
	expect(requestFailure('broken', 'POST', { code: '$&' }).description).toContain(' $&. ');
});

it.each([
	[new Error('No such item'), 'No such item'],
	['No such item', 'No such item'],
	[Object.assign(new Error(''), { description: '' }), 'An error without a message'],
	[new Error('No such item.'), 'No such item'],
])('whatever is thrown has words: %j', (error, message) => {
	expect(asFailure(error)).toMatchObject({
		message,
		description: 'Check the values of this item.',
		facts: { wayOn: 'content' },
	});
});

describe('a text as HTML', () => {
	it.each([
		['pizza <near me', 'pizza &lt;near me'],
		['bar <!--', 'bar &lt;!--'],
		['AT&T', 'AT&T'],
		['a & b; c', 'a & b; c'],
		['&lt;', '&amp;lt;'],
		['&#60;b>', '&amp;#60;b>'],
		// Also what is escaped already: the editor shows it as it came.
		['&amp;lt;', '&amp;amp;lt;'],
	])('shows %j as it is', (text, html) => {
		expect(asHtml(text)).toBe(html);
		// The way back, as the page names it.
		expect(html.replaceAll('&lt;', '<').replaceAll('&amp;', '&')).toBe(text);
	});
});

it.each(Object.keys(OUTCOMES) as Reason[])('%s has a clause and whole sentences', (reason) => {
	for (const method of ['GET', 'POST', 'DELETE']) {
		// A stopped GET is not reported.
		if (reason === 'abandoned' && method === 'GET') continue;
		{
			const { message, description } = requestFailure(reason, method);
			expect(message).toMatch(/^[A-Z].*[^.\s]$/);
			expect(description).toMatch(/^[A-Z].*[^.]\.$/);
			expect(`${message} ${description}`).not.toMatch(/ {2}|null|NaN|\[object|\n|\{location\}/);
		}
	}
});
