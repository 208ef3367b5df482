/** A sample of `test/long/followed.test.ts`, spread over how executions run. */
import { useSandbox } from '../support/account';
import { expectEndsRight } from '../support/followed/expectEndsRight';
import { SITUATIONS, type Situation } from '../support/followed/situations';
import { useLog } from '../support/log';

const account = useSandbox();
const log = useLog();

const sortOf = ({ kind, operation }: Situation) => [kind, operation].join();

/** So many of the situations, at the same distance from each other. */
function spread(situations: Situation[], count: number): Situation[] {
	const sorted = [...situations].sort((a, b) => sortOf(a).localeCompare(sortOf(b)));
	const distance = sorted.length / count;
	return Array.from({ length: count }, (_, index) => sorted[Math.floor((index + 0.5) * distance)]!);
}

const sample = [
	...spread(
		SITUATIONS.filter(({ isEdited }) => !isEdited),
		41,
	),
	...spread(
		SITUATIONS.filter(({ isEdited }) => isEdited),
		19,
	),
];

describe('the words of an error, followed to the letter, send everything once:', () => {
	it.each(sample.map((each) => [each.name, each] as const))('%s', async (_name, situation) => {
		const { sandbox, account: owner } = account();
		await expectEndsRight(situation, sandbox, owner, log);
	});
});
