import { useSandbox } from '../support/account';
import { useClock } from '../support/clock';
import { activeTrigger } from '../support/engine';

const account = useSandbox();
useClock();

it('what is kept of polls without an event is bounded: the state of the oldest trigger goes', async () => {
	const { sandbox, account: owner } = account();
	const trigger = () => activeTrigger(owner, { events: ['allowanceRenewed'] });
	const [oldest, later] = [trigger(), trigger()];
	for (const poll of [oldest, later]) await poll();
	for (let others = 0; others < 999; others++) await trigger()();
	sandbox.state.remaining += 1;
	// n8n loads both workflows again, with what it saved of them: nothing.
	expect(await later('trigger', { isReloaded: true })).toHaveLength(1);
	expect(await oldest('trigger', { isReloaded: true })).toBeNull();
});
