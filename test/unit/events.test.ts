import { compare, type State } from '../../nodes/BusinessListingSearchTrigger/events';

const THRESHOLD = 100;

/**
 * The events of each poll of an account with these remaining requests.
 *
 * @param first the polls that are the first of a process
 */
function eventsOf(
	numbers: Array<number | string>,
	thresholds: Array<number | undefined> = [],
	first: number[] = [],
) {
	let before: State | undefined;
	return numbers.map((remaining, poll) => {
		const threshold = poll in thresholds ? thresholds[poll] : THRESHOLD;
		const isFollowed = !first.includes(poll);
		const usage = { plan: 'Basic', remaining };
		const { events, state } = compare(before, usage, threshold, isFollowed);
		before = state;
		return events.join();
	});
}

const LOW = 'allowanceLow';
const UP = 'allowanceRenewed';

it.each([
	['falling, but not below the threshold', [500, 200, 100], ['', '', '']],
	['low fires once', [500, 99, 98, 50, 0], ['', LOW, '', '', '']],
	['low at the first poll fires no event later', [99, 98, 10], [LOW, '', '']],
	['a rise is a renewal, also while it stays low', [10, 20, 20], [LOW, UP, '']],
	['low fires again once it was at the threshold', [500, 99, 100, 99], ['', LOW, UP, LOW]],
	['a renewal and a fall', [500, 50, 1000, 50], ['', LOW, UP, LOW]],
	['an account that is overdrawn', [500, '-3', -4, 5], ['', LOW, '', UP]],
	['a text is skipped', [500, 'unlimited', 99], ['', '', LOW]],
	['a text at first: the first number decides', ['many', 50, 40], ['', LOW, '']],
	['a text between two equal numbers is no renewal', [99, 'many', 99], [LOW, '', '']],
])('%s', (_what, numbers, expected) => {
	expect(eventsOf(numbers)).toEqual(expected);
});

it('fires when the threshold is raised above what remains, and when the event is newly chosen', () => {
	expect(eventsOf([150, 150, 150], [100, 200, 200])).toEqual(['', LOW, '']);
	expect(eventsOf([150, 150, 150], [undefined, 200, 200])).toEqual(['', LOW, '']);
	expect(eventsOf([150, 150, 150], [200, undefined, 200])).toEqual([LOW, '', LOW]);
	expect(eventsOf([150, 150, 50], [undefined, 100, 100])).toEqual(['', '', LOW]);
});

it('fires again when the allowance falls below a threshold that was lowered', () => {
	expect(eventsOf([150, 80, 15, 3], [100, 100, 20, 20])).toEqual(['', LOW, LOW, '']);
});

it('fires again when more remain at the first poll of a process than was saved', () => {
	const both = `${LOW},${UP}`;
	expect(eventsOf([500, 50, 80, 90], [], [2])).toEqual(['', LOW, both, UP]);
	expect(eventsOf([500, 50, 50, 30], [], [2, 3])).toEqual(['', LOW, '', '']);
	expect(eventsOf([500, 50, 200, 90], [], [2])).toEqual(['', LOW, UP, LOW]);
	expect(eventsOf([500, 50, 80], [100, 100, undefined], [2])).toEqual(['', LOW, UP]);
});

it('applies a raised threshold to the next number', () => {
	const polls = [500, 'unlimited', 'unlimited', 400, 300];
	expect(eventsOf(polls, [100, 1_000, 1_000, 1_000, 1_000])).toEqual(['', '', '', LOW, '']);
	expect(eventsOf(polls, [100, 450, 450, 200, 200])).toEqual(['', '', '', '', '']);
	expect(eventsOf([150, 'unlimited', 150], [undefined, 200, 200])).toEqual(['', '', LOW]);
});
