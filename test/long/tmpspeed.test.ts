import { useSandbox } from '../support/account';
import { runWorkflow, workflowOf } from '../support/engine';
import { ADD, ADD_MANY, CREATE, domains, keywords } from '../support/parameters';
const account = useSandbox({ remaining: 1_000_000 });
const out: Record<string, number> = {};
async function time(name: string, parameters: object, items: any[], ms: number) {
	const { sandbox, account: owner } = account();
	if (ms > 0) sandbox.faults.add({ fault: { kind: 'delay', ms } });
	const begin = performance.now();
	const { error } = await runWorkflow(workflowOf(parameters as never, items), owner);
	if (error) throw error;
	out[`${name} ${ms}`] = Math.round(performance.now() - begin);
	sandbox.faults.clear();
}
it('speed', async () => {
	await time('warm', ADD, domains(500), 0);
	for (const ms of [0, 5, 50, 200]) {
		await time('add', ADD, domains(1000), ms);
		await time('many', ADD_MANY, domains(2000), ms);
	}
	await time('jobs', CREATE, keywords(300), 0);
	await time('jobs', CREATE, keywords(100), 50);
	console.log('SPEED ' + JSON.stringify(out));
}, 300_000);
