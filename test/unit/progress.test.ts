import type { Logger } from 'n8n-workflow';

import { Progress } from '../../nodes/BusinessListingSearch/run/progress';
import { advance, useClock } from '../support/clock';

useClock();

/** One task that is settled at a time, in milliseconds, with what must not be lost of it. */
type Step = [at: number, ...kept: string[]];

/** The progress of nine tasks, and its lines with their time. */
function start() {
	const began = performance.now();
	const at = () => performance.now() - began;
	const lines: string[] = [];
	const logger = { info: (line: string) => lines.push(`${at()}: ${line}`) } as unknown as Logger;
	const progress = new Progress(logger, 'Node');
	async function settle(...steps: Step[]): Promise<void> {
		for (const [time, ...kept] of steps) {
			await advance(time - at());
			progress.step(9, kept);
		}
	}
	return { progress, lines, settle };
}

it.each<[what: string, steps: Step[], lines: string[]]>([
	[
		'the progress at most every five seconds',
		[[10], [4_999], [5_000], [6_000], [9_999], [12_000]],
		['5000: Node: 3 of 9 finished', '12000: Node: 6 of 9 finished'],
	],
	[
		'what must not be lost once, within a tenth of a second, several per line',
		[
			[10, 'id-0'],
			[20, 'id-1'],
			[99, 'id-2'],
			[101, 'id-3'],
			[150, 'id-4'],
		],
		[
			'100: Node: 3 of 9 finished, new: id-0, id-1, id-2',
			'200: Node: 5 of 9 finished, new: id-3, id-4',
		],
	],
	[
		'what must not be lost at once when the last line is a while ago',
		[
			[1_000, 'id-0'],
			[1_099, 'id-1'],
			[3_000, 'id-2'],
		],
		[
			'1000: Node: 1 of 9 finished, new: id-0',
			'1100: Node: 2 of 9 finished, new: id-1',
			'3000: Node: 3 of 9 finished, new: id-2',
		],
	],
	[
		'everything together when five seconds have passed',
		[[4_900], [5_000, 'id-1', 'id-2']],
		['5000: Node: 2 of 9 finished, new: id-1, id-2'],
	],
	[
		'nothing early of a task without anything to keep',
		[[10, 'id-0'], [10]],
		['100: Node: 2 of 9 finished, new: id-0'],
	],
])('logs %s', async (_what, steps, lines) => {
	const log = start();
	await log.settle(...steps);
	await advance(60_000);
	expect(log.lines).toEqual(lines);
});

it('logs the rest at the end of the run, and nothing afterwards', async () => {
	const { progress, lines, settle } = start();
	await settle([10, 'id-0']);
	progress.end();
	progress.end();
	await advance(60_000);
	expect(lines).toEqual(['10: Node: 1 of 9 finished, new: id-0']);
});

it('logs a sentence on its own line', () => {
	const { progress, lines } = start();
	progress.note('Item 3: It broke.');
	expect(lines).toEqual(['0: Node: Item 3: It broke.']);
});
