/** A sample of `test/long/followed.test.ts`, with each way in which executions run. */
import { useSandbox } from '../support/account';
import { expectEndsRight } from '../support/followed/expectEndsRight';
import { SITUATIONS, type Situation } from '../support/followed/situations';
import { KINDS } from '../support/followed/world';
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

const sample = new Set([
	...KINDS.flatMap((kind) =>
		spread(
			SITUATIONS.filter((each) => each.kind === kind),
			1,
		),
	),
	...spread(
		SITUATIONS.filter(({ isEdited }) => !isEdited),
		20,
	),
	...spread(
		SITUATIONS.filter(({ isEdited }) => isEdited),
		10,
	),
]);

describe('the words of an error, followed to the letter, send everything once:', () => {
	it.each([...sample].map((each) => [each.name, each] as const))('%s', async (_name, situation) => {
		const { sandbox, account: owner } = account();
		await expectEndsRight(situation, sandbox, owner, log);
	});
});
