/** A sample of `test/long/followed.test.ts`. */
import { useSandbox } from '../support/account';
import { expectEndsRight } from '../support/followed/expectEndsRight';
import { SITUATIONS, type Situation } from '../support/followed/situations';
import { useLog } from '../support/log';

const account = useSandbox();
const log = useLog();

const groupOf: Array<(situation: Situation) => string | undefined> = [
	({ kind }) => kind,
	({ operation, wrong }) => [operation, wrong].join(),
	({ edit }) => edit,
	({ cause: { name } }) => name.replace(/, .*/, ''),
];

/** One of the middle of each kind, operation, edit and cause. */
const sample = new Set(
	groupOf.flatMap((of) =>
		[...new Set(SITUATIONS.map(of))].map((group) => {
			const all = SITUATIONS.filter((situation) => of(situation) === group);
			return all[Math.floor(all.length / 2)]!;
		}),
	),
);

describe('the words of an error, followed to the letter, send everything once:', () => {
	it.each([...sample].map((each) => [each.name, each] as const))('%s', async (_name, situation) => {
		const { sandbox, account: owner } = account();
		await expectEndsRight(situation, sandbox, owner, log);
	});
});
