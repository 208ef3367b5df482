/** The words of an error can be followed to the letter: whatever went wrong, everything is sent once in the end. */
import { useSandbox } from '../support/account';
import { useClock } from '../support/clock';
import { expectEndsRight } from '../support/followed/expectEndsRight';
import { SITUATIONS } from '../support/followed/situations';
import { useLog } from '../support/log';

useClock();
const account = useSandbox();
const log = useLog();

it.each(SITUATIONS.map((each) => [each.name, each] as const))('%s', async (_name, situation) => {
	const { sandbox, account: owner } = account();
	await expectEndsRight(situation, sandbox, owner, log);
});
