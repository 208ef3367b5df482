/** A sample of `test/long/followed.test.ts`. */
import { useSandbox } from '../support/account';
import { expectEndsRight } from '../support/followed/expectEndsRight';
import { SITUATIONS } from '../support/followed/situations';
import { useLog } from '../support/log';

const account = useSandbox();
const log = useLog();
const COUNT = 60;
const sample = SITUATIONS.filter(
	(_, index) =>
		Math.floor((index * COUNT) / SITUATIONS.length) !==
		Math.floor(((index - 1) * COUNT) / SITUATIONS.length),
);

describe('the words of an error, followed to the letter, send everything once:', () => {
	it.each(sample.map((situation) => [situation.name, situation] as const))(
		'%s',
		async (_name, situation) => {
			const { sandbox, account: owner } = account();
			await expectEndsRight(situation, sandbox, owner, log);
		},
	);
});
