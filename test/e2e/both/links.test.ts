import { ADD_MANY } from '../../support/parameters';
import { workflowOf } from '../../support/workflowOf';
import { n8n, NODE, outputOf } from '../n8n';

it('a page on a site that businesses share is listed, and its domain is not sent', async () => {
	const { sandbox, run } = n8n();
	const links = [
		'https://www.yelp.de/biz/foo',
		'https://linkin.bio/foo',
		'www.example.com/contact',
	];
	const execution = await run(workflowOf(ADD_MANY, [{ values: links }]));
	expect(sandbox.requests.map(({ body }) => body)).toEqual([
		{ type: 'domain', value: 'example.com' },
	]);
	const [{ json }] = outputOf(execution, NODE) as [{ json: { problems: unknown } }];
	expect(json.problems).toMatchObject([
		{ value: links[0], reason: expect.stringContaining('yelp.de') },
		{ value: links[1], reason: expect.stringContaining('linkin.bio') },
	]);
});
