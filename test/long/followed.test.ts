/** The words of an error can be followed to the letter: whatever went wrong, everything is sent once in the end. */
import { useSandbox } from '../support/account';
import { useClock } from '../support/clock';
import { expectEndsRight } from '../support/followed/expectEndsRight';
import {
	CANNOT_BE,
	OPEN_SITUATIONS,
	SITUATIONS,
	type Situation,
} from '../support/followed/situations';
import { useLog } from '../support/log';

useClock();
const account = useSandbox();
const log = useLog();

const named = (situations: Situation[]) => situations.map((each) => [each.name, each] as const);
const follow = async (_name: string, situation: Situation) => {
	const { sandbox, account: owner } = account();
	await expectEndsRight(situation, sandbox, owner, log);
};

it.each(named(SITUATIONS))('%s', follow);
it.failing.each(named(OPEN_SITUATIONS))('not yet: %s', follow);
it.skip.each(CANNOT_BE)('cannot be: %s (%s)', () => {});
