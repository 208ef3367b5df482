import type { INode } from 'n8n-workflow';

import { ADD_MANY, listNamed } from '../support/parameters';
import { workflowOf } from '../support/workflowOf';
import { errorOf, n8n, outputOf } from './n8n';

/** A cell of a row, with the value that is sent of it, or the reason why there is none. */
type Cell = [pasted: string, sent: string | RegExp];

const SHARED = /^is on .* use Add Item$/;
const FILE = /^has the ending \.(png|pdf), which no domain has/;
const PROVIDER = /^is the domain of a mail provider/;

/** The IDs of the place of a row: the place ID contains both numbers of the pair. */
function placeOf(row: number) {
	const bytes = Buffer.from(`0a1209${'00'.repeat(8)}11${'00'.repeat(8)}`, 'hex');
	bytes.writeBigUInt64LE(0x47a84e373f035901n + BigInt(row), 3);
	bytes.writeBigUInt64LE(0x1234567890abcdefn + BigInt(row), 12);
	const [cell, cid] = [bytes.readBigUInt64LE(3), bytes.readBigUInt64LE(12)];
	const pair = `0x${cell.toString(16)}:0x${cid.toString(16)}`;
	return { id: bytes.toString('base64url'), cid: String(cid), pair };
}

function linkOf(row: number): Cell {
	const { id, cid, pair } = placeOf(row);
	const place = 'https://www.google.com/maps/place';
	const data = `data=!4m7!3m6!1s${pair}!8m2!3d52.5!4d13.4!16s%2Fg%2F11abc!19s${id}`;
	const links: Cell[] = [
		[`${place}/Doe,Bakery+${row}/${data}?authuser=0&hl=en&rclk=1`, id],
		[`${place}/Ada+&amp;+Bob,Inc/@52.5,13.4,17z/${data}`, id],
		[`${place}/Shop/data=!4m7!3m6!1s${pair}!5s0x47a84e373f0:0x1!8m2!3d5!4d1!16s`, cid],
		[`${place}/Two/data=!1s${pair}!19s${placeOf(row + 1000).id}`, /more than one place/],
		[`https://maps.app.goo.gl/abc${row}`, /^is a short link: open it/],
	];
	return links[row % 10] ?? [`${place}/Bakery+${row}/${data}?authuser=0&hl=en&rclk=1`, id];
}

function websiteOf(row: number): Cell {
	const websites: Cell[] = [
		['https://www.facebook.com/', SHARED],
		[`https://stores.healthmart.com/bakery-${row}`, SHARED],
		['gmail.com', PROVIDER],
		[`www.bakery${'abcdefghij'.charAt(row / 30)}ltd`, /^is www\. and one word/],
		[`https://bakery-${row}.wix.com/shop`, `bakery-${row}.wix.com`],
		['menu.pdf', FILE],
	];
	return (
		websites[row % 10] ?? [`https://www.bakery-${row}.example/contact`, `bakery-${row}.example`]
	);
}

function emailOf(row: number): Cell {
	const key = `605a7baede844d278b89dc95ae0a9${100 + (row % 900)}`;
	const emails: Cell[] = [
		[`logo-${row}@2x.png`, FILE],
		[`${key}@sentry-next.wixpress.com`, /^is a key/],
		['filler@godaddy.com', /^is a placeholder/],
		[`u003einfo@bakery-${row}.example`, `info@bakery-${row}.example`],
		[`mailtoinfo@bakery-${row}.example`, /^has mailto or www\. in front/],
		[`bakery${row}@gmail.com`, `bakery${row}@gmail.com`],
	];
	return emails[row % 10] ?? [`Info@Bakery-${row}.example`, `info@bakery-${row}.example`];
}

const ROWS = Array.from({ length: 300 }, (_, row) => {
	const cells = { website: websiteOf(row), link: linkOf(row), emails: emailOf(row) };
	return { title: `Bakery "${row}", Berlin`, phone: `+49 30 ${100_000 + row}`, row, cells };
});

/** The file as a scraper of Google Maps writes it. */
const CSV = [
	['title', 'website', 'phone', 'link', 'place_id', 'cid', 'emails'],
	...ROWS.map(({ title, phone, row, cells: { website, link, emails } }) => {
		const { id, cid } = placeOf(row);
		return [title, website[0], phone, link[0], id, cid, emails[0]];
	}),
]
	.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','))
	.join('\r\n');

const COLUMNS = [
	{ column: 'link', type: 'auto', node: 'Add Links' },
	{ column: 'website', type: 'domain', node: 'Add Websites' },
	{ column: 'emails', type: 'email', node: 'Add Emails' },
] as const;

/** Start → Convert to File → Extract from File → Add Many Items for each of the columns. */
function workflow() {
	const { nodes, ...rest } = workflowOf(ADD_MANY, [{ csv: CSV }]);
	const [start, tested] = nodes as [INode, INode];
	const file = { typeVersion: 1.1, position: [0, 0] } as const;
	const main = (...names: string[]) => ({
		main: [names.map((node) => ({ node, type: 'main' as const, index: 0 }))],
	});
	return {
		...rest,
		nodes: [
			start,
			{
				...{ ...file, position: [200, 0], id: 'convert', name: 'Convert to File' },
				type: 'n8n-nodes-base.convertToFile',
				parameters: { operation: 'toText', sourceProperty: 'csv' },
			},
			{
				...{ ...file, position: [400, 0], id: 'extract', name: 'Extract from File' },
				type: 'n8n-nodes-base.extractFromFile',
				parameters: { operation: 'csv' },
			},
			...COLUMNS.map(({ column, type, node }) => ({
				...{ ...tested, id: column, name: node },
				parameters: {
					...{ ...ADD_MANY, type, blacklist: listNamed(column) },
					...{ values: `={{ $json.${column} }}`, options: { output: 'items' } },
				},
			})),
		],
		connections: {
			Start: main('Convert to File'),
			'Convert to File': main('Extract from File'),
			'Extract from File': main(...COLUMNS.map(({ node }) => node)),
		},
	};
}

it('of a Maps scraper: what stands for other businesses is listed, and all else is sent', async () => {
	const { sandbox, run } = n8n();
	const execution = await run(workflow());
	expect(errorOf(execution)).toBeUndefined();
	const extracted = outputOf(execution, 'Extract from File');
	expect(extracted).toHaveLength(300);
	expect(extracted[7]!.json).toMatchObject({ place_id: placeOf(7).id, cid: placeOf(7).cid });

	for (const { column, node } of COLUMNS) {
		const cells = ROWS.map((row) => row.cells[column]);
		const items = outputOf(execution, node).map(({ json }) => json);
		expect(items).toEqual(
			cells.map(([pasted, sent]) =>
				typeof sent === 'string'
					? expect.objectContaining({ value: sent, status: 'added' })
					: expect.objectContaining({
							...{ value: pasted, status: 'invalid' },
							reason: expect.stringMatching(sent),
						}),
			),
		);
		const onList = [...sandbox.state.blacklists.get(column)!.values()].map(({ value }) => value);
		expect(onList.sort()).toEqual(
			cells
				.map(([, sent]) => sent)
				.filter((sent) => typeof sent === 'string')
				.sort(),
		);
	}
});
