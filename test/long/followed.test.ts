/** The words of an error can be followed to the letter: whatever went wrong, everything is sent once in the end. */
import { seededRandom } from '../../sandbox/random';
import { useSandbox } from '../support/account';
import { useClock } from '../support/clock';
import { expectEndsRight } from '../support/followed/expectEndsRight';
import { SITUATIONS, type Situation } from '../support/followed/situations';
import { useLog } from '../support/log';

useClock();
const account = useSandbox();
const log = useLog();

/** How many situations are followed. Set FOLLOWED=all for all of them. */
const COUNT = Number((process.env.FOLLOWED ?? '1000').replace('all', 'Infinity'));
/** Set FOLLOWED_SEED for others. */
const SEED = Number(process.env.FOLLOWED_SEED ?? 1);

/** So many situations, of each kind of executions, cause and operation at least one. */
function shareOf(situations: Situation[]): Situation[] {
	const random = seededRandom(SEED);
	const ranked = situations.map((situation) => ({ situation, rank: random() }));
	const order = ranked.sort((a, b) => a.rank - b.rank).map(({ situation }) => situation);
	const seen = new Set<unknown>();
	const isNew = ({ kind, cause, operation }: Situation) =>
		[kind, cause, operation].filter((each) => !seen.has(each) && seen.add(each)).length > 0;
	const inOrder = [...new Set([...order.filter(isNew), ...order])];
	const share = new Set(inOrder.slice(0, COUNT));
	return situations.filter((situation) => share.has(situation));
}

const share = shareOf(SITUATIONS);
beforeAll(() => {
	const of = `${share.length} of ${SITUATIONS.length} situations`;
	process.stdout.write(`Follows FOLLOWED=${COUNT}, ${of}, with FOLLOWED_SEED=${SEED}\n`);
});

it.each(share.map((each) => [each.name, each] as const))('%s', async (_name, situation) => {
	const { sandbox, account: owner } = account();
	await expectEndsRight(situation, sandbox, owner, log);
});
