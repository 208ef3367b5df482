import { activeTrigger } from '../../support/engine';
import { useEngine } from '../../support/useEngine';
import { TESTED_NODE } from '../../support/workflowOf';

const { sandbox, owner, log } = useEngine();

const EVERY = ['allowanceLow', 'allowanceRenewed', 'planChanged'];

/** The usage at each poll. */
async function polls(events: string[], ...usages: Array<{ remaining?: number; plan?: string }>) {
	const poll = activeTrigger(owner, { events, threshold: 100 });
	const outputs = [];
	for (const usage of usages) {
		Object.assign(sandbox.state, usage);
		outputs.push(await poll());
	}
	return outputs;
}

const usage = (plan: string, remaining: number) => ({ plan, remaining });

describe('an active workflow', () => {
	it('reports at its first poll that the allowance is low, and nothing else', async () => {
		const plan = sandbox.state.plan;
		const low = { event: 'allowanceLow', plan, remaining: 5, previous: usage(plan, 5) };
		expect(await polls(EVERY, { remaining: 5 }, { remaining: 5 })).toEqual([[low], null]);
		expect(await polls(EVERY, { remaining: 500 })).toEqual([null]);
		expect(await polls(['planChanged'], { remaining: 5 })).toEqual([null]);
	});

	it('reports a low allowance at the first poll after the event was chosen, with its usage alone', async () => {
		const { plan } = sandbox.state;
		const account = JSON.stringify(['1', owner.baseUrl]);
		const saved = { account, plan: 'Basic', remaining: 30, lastNumber: 30 };
		const poll = activeTrigger(
			owner,
			{ events: EVERY, threshold: 100 },
			{ [`node:${TESTED_NODE}`]: saved },
		);
		sandbox.state.remaining = 50;
		const others = { plan, remaining: 50, previous: usage('Basic', 30) };
		expect(await poll('trigger', { isReloaded: true })).toEqual([
			{ event: 'allowanceLow', plan, remaining: 50, previous: usage(plan, 50) },
			{ event: 'allowanceRenewed', ...others },
			{ event: 'planChanged', ...others },
		]);
		expect(await poll()).toBeNull();
	});

	it('starts when the plan has changed, with an item for every event', async () => {
		const outputs = await polls(
			EVERY,
			{ plan: 'Basic', remaining: 150 },
			{ plan: 'Pro', remaining: 900 },
			{ plan: 'Pro', remaining: 50 },
		);
		const renewal = { plan: 'Pro', remaining: 900, previous: usage('Basic', 150) };
		expect(outputs).toEqual([
			null,
			[
				{ event: 'allowanceRenewed', ...renewal },
				{ event: 'planChanged', ...renewal },
			],
			[{ event: 'allowanceLow', plan: 'Pro', remaining: 50, previous: usage('Pro', 900) }],
		]);
	});

	it('compares nothing at the first poll of another account', async () => {
		const poll = activeTrigger(owner, { events: EVERY, threshold: 100 });
		sandbox.state.remaining = 500;
		await poll();
		sandbox.state.remaining = 50;
		expect(await poll('trigger', { credential: '2' })).toMatchObject([
			{ event: 'allowanceLow', previous: { remaining: 50 } },
		]);
		sandbox.state.remaining = 60;
		expect(await poll()).toMatchObject([{ event: 'allowanceRenewed' }]);
	});
});

describe('a test run in the editor', () => {
	it('returns the usage for each chosen event, and keeps no state', async () => {
		const { plan } = sandbox.state;
		const poll = activeTrigger(owner, {
			events: ['planChanged', 'allowanceLow'],
			threshold: 100,
		});
		sandbox.state.remaining = 500;
		const shown = (event: string, remaining: number, previous: number) => ({
			...{ event, plan, remaining },
			previous: usage(plan, previous),
		});
		expect(await poll('manual')).toEqual([
			shown('allowanceLow', 500, 500),
			shown('planChanged', 500, 500),
		]);
		expect(await poll()).toBeNull();
		sandbox.state.remaining = 50;
		expect(await poll('manual')).toContainEqual(shown('allowanceLow', 50, 500));
		expect(await poll()).toEqual([shown('allowanceLow', 50, 500)]);
	});
});

it('logs that a text cannot be compared, at that poll alone', async () => {
	const poll = activeTrigger(owner, { events: EVERY, threshold: 100 });
	const { plan } = sandbox.state;
	sandbox.faults.add({
		skip: 1,
		times: 1,
		fault: { kind: 'json', body: { plan, remaining: 'unlimited' } },
	});
	for (let polls = 0; polls < 3; polls++) expect(await poll()).toBeNull();
	expect(log.lines('warn')).toEqual([
		`${TESTED_NODE}: the service reports "unlimited" remaining requests, so no minimum and no threshold applies`,
	]);
});

describe('refused before anything is sent', () => {
	it.each([
		[{ events: [] }, '"Events" is empty'],
		[{ events: '={{ undefined }}' }, '"Events" is empty'],
		[{ events: '={{ [null] }}' }, '"Events" is none of its choices: null'],
		[{ events: ['jobDone'] }, '"Events" is none of its choices: jobDone'],
		[{ events: ['allowanceLow'], threshold: 0 }, '"Threshold" is below 1: 0'],
		[{ events: ['allowanceLow'], threshold: 2.5 }, '"Threshold" is not a whole number: 2.5'],
	])('%j', async (parameters, message) => {
		const poll = activeTrigger(owner, parameters);
		await expect(poll()).rejects.toMatchObject({
			message: expect.stringContaining(`${message}. `),
			description: '',
		});
		expect(sandbox.requests).toEqual([]);
	});
});
