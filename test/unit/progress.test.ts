import type { Logger } from 'n8n-workflow';

import { Progress } from '../../nodes/BusinessListingSearch/run/progress';
import * as time from '../../nodes/shared/time';

jest.mock('../../nodes/shared/time');

/** The virtual time in milliseconds, and its pending callbacks. */
let now: number;
let timers: Array<{ at: number; callback: () => void }>;
let lines: string[];

beforeEach(() => {
	now = 0;
	timers = [];
	lines = [];
	jest.mocked(time.now).mockImplementation(() => 1_000_000 + now);
	jest.mocked(time.after).mockImplementation((milliseconds, callback) => {
		const timer = { at: now + milliseconds, callback };
		timers.push(timer);
		return () => {
			timers = timers.filter((other) => other !== timer);
		};
	});
});

afterEach(() => jest.restoreAllMocks());

function passTo(time: number): void {
	for (;;) {
		const due = timers.filter(({ at }) => at <= time).sort((a, b) => a.at - b.at)[0];
		if (!due) break;
		now = due.at;
		timers = timers.filter((other) => other !== due);
		due.callback();
	}
	now = time;
}

const newProgress = () =>
	new Progress(
		{ info: (line: string) => lines.push(`${now}: ${line}`) } as unknown as Logger,
		'Node',
	);

/** Steps at these milliseconds after the start, each with its own id if it keeps one. */
function steps(progress: Progress, times: number[], keeps: boolean): void {
	for (const [index, time] of times.entries()) {
		passTo(time);
		progress.step(9, keeps ? [`id-${index}`] : []);
	}
}

it('logs the progress at most every five seconds', () => {
	steps(newProgress(), [10, 4_999, 5_000, 6_000, 9_999, 12_000], false);
	passTo(60_000);
	expect(lines).toEqual(['5000: Node: 3 of 9 finished', '12000: Node: 6 of 9 finished']);
});

it('logs what must not be lost once, within a tenth of a second, several per line', () => {
	steps(newProgress(), [10, 20, 99, 101, 150], true);
	passTo(60_000);
	expect(lines).toEqual([
		'100: Node: 3 of 9 finished, new: id-0, id-1, id-2',
		'200: Node: 5 of 9 finished, new: id-3, id-4',
	]);
});

it('logs what must not be lost at once when the last line is a while ago', () => {
	steps(newProgress(), [1_000, 1_099, 3_000], true);
	passTo(60_000);
	expect(lines).toEqual([
		'1000: Node: 1 of 9 finished, new: id-0',
		'1100: Node: 2 of 9 finished, new: id-1',
		'3000: Node: 3 of 9 finished, new: id-2',
	]);
});

it('logs everything together when five seconds have passed', () => {
	const progress = newProgress();
	steps(progress, [4_900], false);
	passTo(5_000);
	progress.step(9, ['id-1', 'id-2']);
	passTo(60_000);
	expect(lines).toEqual(['5000: Node: 2 of 9 finished, new: id-1, id-2']);
});

it('does not log early when there is nothing to keep', () => {
	const progress = newProgress();
	steps(progress, [10], true);
	progress.step(9);
	passTo(60_000);
	expect(lines).toEqual(['100: Node: 2 of 9 finished, new: id-0']);
});

it('logs the rest at the end of the run, and nothing afterwards', () => {
	const progress = newProgress();
	steps(progress, [10], true);
	progress.end();
	expect(lines).toHaveLength(1);
	progress.end();
	passTo(60_000);
	expect(lines).toHaveLength(1);
});
