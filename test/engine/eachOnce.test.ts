/** In each try of a run, items that ask for the same share one request and its end. */
import { ExecuteContext } from 'n8n-core';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { advance, until } from '../support/clock';
import { inThreePasses, workflowOf, type EngineRun } from '../support/engine';
import { status } from '../support/faults';
import { useLog } from '../support/log';
import {
	ADD,
	CREATE,
	DELETE,
	keywords,
	LIST,
	listNamed,
	ONE_BY_ONE,
	USAGE,
} from '../support/parameters';
import { CONTINUE, RETRY_ON_FAIL } from '../support/settings';
import { useEngine } from '../support/useEngine';

const { sandbox, owner, execute, retry, start } = useEngine({ remaining: 10_000 });
const log = useLog();

const created = () => sandbox.state.jobs.map(({ keyword }) => keyword);
const idOf = (keyword: string) => sandbox.state.jobs.find((job) => job.keyword === keyword)!.job_id;
/** So many items, each with one of the first keywords. */
const repeated = (count: number, different: number) =>
	Array.from({ length: count }, (_, index) => keywords(different)[index % different]!);
const NO_OTHER = { ...CREATE, keyword: 'dentist' };

describe('one request for all items that ask for the same', () => {
	it('a typed keyword behind 60 rows orders one job, and each row has its id', async () => {
		const { outputs, json } = await execute(NO_OTHER, keywords(60));

		expect(created()).toEqual(['dentist']);
		expect(json).toEqual(Array(60).fill({ job_id: idOf('dentist') }));
		expect(outputs[0]!.map(({ pairedItem }) => pairedItem)).toEqual(
			keywords(60).map((_, item) => ({ item })),
		);
	});

	it('three doubles among ten rows: seven jobs, each row the id of its keyword', async () => {
		const items = repeated(10, 7);

		const { json } = await execute({ ...CREATE, options: { includeInputFields: true } }, items);

		expect(created().sort()).toEqual(keywords(7).map(({ keyword }) => keyword));
		for (const { job_id, keyword } of json) expect(job_id).toBe(idOf(String(keyword)));
	});

	it('Get Usage behind five rows, each with its own "Simplify"', async () => {
		const simple = '={{ $json.keyword !== "keyword 1." }}';

		const { json } = await execute({ ...USAGE, simple }, keywords(5));

		expect(sandbox.requests).toHaveLength(1);
		const plan = { plan: 'Sandbox', remaining: 10_000 };
		expect(json).toEqual([plan, { ...plan, remaining: '10000' }, plan, plan, plan]);
	});

	it('Get Many behind three rows, each with its own "Limit"', async () => {
		for (const name of ['a', 'b', 'c']) sandbox.state.blacklists.set(name, new Map());
		const limit = '={{ $json.limit }}';

		const { outputs } = await execute({ ...LIST, returnAll: false, limit }, [
			{ limit: 1 },
			{ limit: 3 },
			{ limit: 2 },
		]);

		expect(sandbox.requests).toHaveLength(1);
		expect(outputs[0]!.map(({ pairedItem }) => (pairedItem as { item: number }).item)).toEqual([
			0, 1, 1, 1, 2, 2,
		]);
	});

	it('Add Item and Delete', async () => {
		await execute(ADD, [{ value: 'a.com' }, { value: 'b.com' }, { value: 'a.com' }]);
		expect(sandbox.requests).toHaveLength(2);

		const { json } = await execute({ ...DELETE, blacklist: listNamed('customers') }, keywords(3));
		expect(sandbox.requests).toHaveLength(3);
		expect(json).toEqual(Array(3).fill({ deleted: true }));
	});

	it('not of another group, account, case, or pass of a loop', async () => {
		const items = ['a', 'b', 'a'].map((groupName) => ({ groupName }));
		await execute({ ...NO_OTHER, groupName: '={{ $json.groupName }}' }, items);
		expect(created()).toHaveLength(2);

		const { apiKey } = owner;
		owner.apiKey = `={{ $json.own ? ${JSON.stringify(apiKey)} : "another-key-0000" }}`;
		await execute(NO_OTHER, [{ own: true }, { own: false }, { own: true }], CONTINUE);
		expect(sandbox.requests.slice(2)).toHaveLength(2);
		owner.apiKey = apiKey;

		await execute(CREATE, [{ keyword: 'Dentist' }, { keyword: 'dentist ' }]);
		expect(created()).toHaveLength(5);

		await execute(inThreePasses(workflowOf(NO_OTHER, keywords(2))));
		expect(created()).toHaveLength(8);
	});

	it('is sent in the next execution, and shown for each item by a dry run', async () => {
		await execute(NO_OTHER, keywords(3));
		await execute(NO_OTHER, keywords(3));
		expect(created()).toHaveLength(2);

		const { json } = await execute({ ...NO_OTHER, options: { dryRun: true } }, keywords(3));
		expect(json).toHaveLength(3);
	});

	it('what limits a run: a maximum counts the items, a minimum the requests', async () => {
		const maximum = await execute({ ...NO_OTHER, options: { maxJobs: 5 } }, keywords(6));
		expect(maximum.error?.message).toContain('the run has 6 items');

		await execute({ ...NO_OTHER, options: { minRemaining: 9_999 } }, keywords(6));
		expect(created()).toHaveLength(1);
		const minimum = await execute({ ...CREATE, options: { minRemaining: 9_998 } }, repeated(9, 3));
		expect(minimum.error?.message).toContain('the run needs 3,');
	});
});

describe('a failure is one, and every item has it', () => {
	it.each([400, 500])(
		'of 60 equal rows: the words of one, one line in the log (%i)',
		async (code) => {
			sandbox.faults.add({ fault: status(code) });
			const alone = await execute(NO_OTHER, [{}, { keyword: 'other' }]);
			const words = alone.error!.description!.split(' ').length;
			const before = log.lines('info').length;

			const { error } = await execute(NO_OTHER, keywords(60));

			expect(error!.description!.split(' ').length).toBeLessThanOrEqual(words);
			expect(error!.message).toBe(alone.error!.message);
			const logged = log.lines('info').slice(before);
			expect(logged.filter((line) => line.includes('may have been'))).toHaveLength(
				code === 500 ? 1 : 0,
			);
		},
	);

	it('with Continue each item leaves by the error output', async () => {
		sandbox.faults.add({ match: '"b.com"', fault: { kind: 'successFalse' } });
		const items = ['a.com', 'b.com', 'a.com', 'b.com'].map((value) => ({ value }));

		const { json, outputs } = await execute(ADD, items, CONTINUE);

		expect(json).toEqual([{ success: true }, { success: true }]);
		expect(outputs[1]!.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }, { item: 3 }]);
		expect(sandbox.requests).toHaveLength(2);
	});

	it('the title counts jobs, and a retry orders only the rest', async () => {
		sandbox.faults.add({ match: 'keyword 2.', times: 1, fault: status(402) });
		const failed = await execute(ONE_BY_ONE, repeated(60, 6));

		expect(failed.error!.message).toContain('(paid: 2 of 6 jobs)');
		expect(failed.error!.context.data).toHaveLength(2);

		const again = await retry(failed);

		expect(created().sort()).toEqual(keywords(6).map(({ keyword }) => keyword));
		expect(again.json.map(({ job_id }) => job_id)).toEqual(
			repeated(60, 6).map(({ keyword }) => idOf(String(keyword))),
		);
	});

	it('two jobs with the same job_id are two', async () => {
		sandbox.faults.add({ times: 2, fault: { kind: 'json', body: { job_id: 'same' } } });
		sandbox.faults.add({ fault: status(402) });

		const { error } = await execute(ONE_BY_ONE, repeated(6, 3));

		expect(error!.message).toContain('(paid: 2 of 3 jobs)');
		expect(error!.context.data).toHaveLength(2);
	});

	it('a retry counts what the tries before it have requested', async () => {
		sandbox.faults.add({ match: 'keyword 2.', times: 2, fault: status(402) });
		const failed = await execute(ONE_BY_ONE, repeated(60, 6));

		const again = await retry(failed);

		expect(again.error!.message).toContain('(paid: 2 of 6 jobs)');
		expect(again.error!.context.data).toHaveLength(2);
	});
});

/** The workflow as a person has changed it before a retry. */
const changed = (failed: EngineRun, parameters: INodeParameters) => {
	const workflow = structuredClone(failed.workflow);
	Object.assign(workflow.nodes.at(-1)!.parameters, parameters);
	return workflow;
};

describe('a retry with other fields', () => {
	it('that is refused still counts requests', async () => {
		sandbox.faults.add({ match: 'keyword 2.', times: 1, fault: status(402) });
		const failed = await execute(ONE_BY_ONE, repeated(60, 6));

		for (const options of [{ concurrency: 500 }, { dryRun: true }]) {
			const { error } = await retry(failed, changed(failed, { options }));
			expect(error!.message).toContain('(paid: 2 of 6 jobs)');
		}
		const { baseUrl } = owner;
		owner.baseUrl = '';
		expect((await retry(failed)).error!.message).toContain('(paid: 2 of 6 jobs)');
		owner.baseUrl = baseUrl;
	});

	it('names an unknown job once, also where it has not come to it', async () => {
		const cut = { kind: 'cut', carryOut: true } as const;
		sandbox.faults.add({ match: '"x"', times: 1, fault: cut });
		sandbox.faults.add({ match: '"z"', times: 1, fault: status(400) });
		const items = [{ keyword: 'z' }, ...Array<IDataObject>(60).fill({ keyword: 'x' })];
		const failed = await execute({ ...CREATE, options: { concurrency: 2 } }, items);

		const keyword = '={{ $json.keyword === "z" ? "" : $json.keyword }}';
		const { error } = await retry(failed, changed(failed, { keyword }));
		expect(error!.description!.split('"x"')).toHaveLength(2);
	});

	it('keeps the doubt of an item that now asks for the same as another one', async () => {
		sandbox.faults.add({ match: '"a"', times: 1, fault: status(402) });
		sandbox.faults.add({ match: '"b"', times: 1, fault: status(500, { carryOut: true }) });
		const items = ['a', 'b'].map((group) => ({ group }));
		const parameters = { ...NO_OTHER, groupName: '={{ $json.group }}' };
		const failed = await execute({ ...parameters, options: { concurrency: 2 } }, items);
		sandbox.faults.add({ match: '"c"', fault: status(402) });

		const { error } = await retry(failed, changed(failed, { groupName: 'c' }));
		expect(error!.description).toContain('Look in your account for Item 1 ("dentist")');
	});

	it('counts a job once that was in doubt, and is now ordered by another item', async () => {
		sandbox.faults.add({ match: '"a"', times: 1, fault: status(402) });
		sandbox.faults.add({ match: '"b"', times: 1, fault: status(500) });
		sandbox.faults.add({ match: '"x"', fault: status(402) });
		const items = ['a', 'b', 'x'].map((group) => ({ group }));
		const groupName = '={{ $json.group }}';
		const failed = await execute({ ...NO_OTHER, groupName, options: { concurrency: 3 } }, items);

		const other = '={{ $json.group === "x" ? "x" : "c" }}';
		const { error } = await retry(failed, changed(failed, { groupName: other }));
		expect(created()).toHaveLength(1);
		expect(error!.context.data).toHaveLength(1);
		expect(error!.message).toContain('(paid: 1 of 2 jobs)');
	});

	it('counts what two tries have ordered as two', async () => {
		sandbox.faults.add({ match: '"y"', times: 1, fault: status(400) });
		const items = ['x', 'y', 'w'].map((keyword) => ({ keyword }));
		const failed = await execute(ONE_BY_ONE, items);
		sandbox.faults.add({ match: '"w"', times: 2, fault: status(402) });
		const keyword = '={{ $json.keyword === "y" ? "x" : $json.keyword }}';
		const second = await retry(failed, changed(failed, { keyword }));

		const third = await retry(second);
		expect(third.error!.message).toContain('(paid: 2 of 3 jobs)');
		expect(third.error!.context.data).toHaveLength(2);
	});
});

describe('nothing ends between an item and the first one that asks for the same', () => {
	const first = { keyword: 'first' };
	const middle = { keyword: 'middle' };
	const many = [first, ...Array<IDataObject>(2_998).fill(middle), first];

	it('cut: both are in doubt, and neither Retry On Fail nor a retry sends it', async () => {
		sandbox.faults.add({ match: '"first"', times: 1, fault: { kind: 'cut', carryOut: true } });
		const failed = await execute(ONE_BY_ONE, many, RETRY_ON_FAIL);
		const again = await retry(failed);

		expect(created().filter((keyword) => keyword === 'first')).toHaveLength(1);
		const { message, description } = again.error!;
		expect(message).toContain('Not sent again');
		expect(description!.split('"first"').length).toBeLessThanOrEqual(3);
	});

	it('done before the second row got a 402: both are done', async () => {
		sandbox.faults.add({ match: 'middle', times: 1, fault: status(402) });
		const failed = await execute(ONE_BY_ONE, many);
		expect(created()).toEqual(['first']);

		const { json } = await retry(failed);

		expect(created()).toEqual(['first', 'middle']);
		expect(json[2_999]).toEqual({ job_id: idOf('first') });
	});

	it('500 on a double: not by Retry On Fail, once by a retry', async () => {
		sandbox.faults.add({ match: '"first"', times: 1, fault: status(500) });
		const items = [first, { keyword: 'other' }, first];
		const failed = await execute(ONE_BY_ONE, items, RETRY_ON_FAIL);
		expect(created()).toEqual(['other']);

		const { json } = await retry(failed);

		expect(created()).toEqual(['other', 'first']);
		expect(json.map(({ job_id }) => job_id)).toEqual(
			['first', 'other', 'first'].map((keyword) => idOf(keyword)),
		);
	});

	it('a Stop while credentials are read for each item ends the reading', async () => {
		owner.apiKey = `={{ $json.keyword ? "${owner.apiKey}" : "" }}`;
		let reads = 0;
		const { getCredentials } = ExecuteContext.prototype;
		jest.spyOn(ExecuteContext.prototype, 'getCredentials').mockImplementation(function (
			this: ExecuteContext,
			...of
		) {
			reads += 1;
			if (reads === 10) running.cancel();
			return getCredentials.apply(this, of) as never;
		});
		const running = start(CREATE, keywords(200));
		await until(running.finished);
		expect(reads).toBeLessThan(20);
		expect(sandbox.requests).toEqual([]);
	});

	it('a Stop: what is done is done for both, and the sum counts requests', async () => {
		sandbox.faults.add({ match: 'keyword 0.', fault: { kind: 'hang' } });
		const { finished, cancel } = start(ONE_BY_ONE, [first, ...keywords(1), first]);
		await until(() => sandbox.requests.length === 2);
		cancel();
		await advance(20_000);
		await until(finished);

		expect(log.lines('warn').join()).toContain('Of 2 items: 1 done, 0 failed, 1 may have been');
	});
});
