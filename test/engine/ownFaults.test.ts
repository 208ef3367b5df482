/** What the code of this package gets wrong: it says so, the log has its stack, and what was paid is not sent again. */
import {
	List,
	type Value,
} from '../../nodes/BusinessListingSearch/resources/blacklist/addItems/list';
import { createJob } from '../../nodes/BusinessListingSearch/resources/job/create';
import { useLog } from '../support/log';
import { ADD_MANY, CREATE, domains, keywords, ONE_BY_ONE, USAGE } from '../support/parameters';
import { CONTINUE } from '../support/settings';
import { useEngine } from '../support/useEngine';

const { sandbox, owner, execute, retry } = useEngine();
const log = useLog();

const MESSAGE = 'This is a fault of this node';

/** A mistake that names what it meets, as V8 does. */
const mistake = () => {
	throw new TypeError(`Cannot create property 'x' on string '${owner.apiKey}'`);
};

it('before anything is sent leaves no doubt: the retry orders it', async () => {
	jest.spyOn(createJob, 'parserOf').mockImplementationOnce(mistake);
	const failed = await execute(CREATE, keywords(2));

	expect(failed.error).toMatchObject({ message: MESSAGE });
	expect(JSON.stringify([failed.error, log.lines()])).not.toContain(owner.apiKey);
	expect(failed.error!.description).toMatch(/^Please report it\.<br><br>Then save, and within 14 /);
	expect(sandbox.requests).toEqual([]);
	expect((await retry(failed)).error).toBeUndefined();
	expect(sandbox.state.jobs).toHaveLength(2);
});

it('behind an answer is unknown: neither a try nor a retry orders it again', async () => {
	jest.spyOn(createJob, 'parserOf').mockImplementationOnce(() => mistake);
	const failed = await execute(ONE_BY_ONE, keywords(2));

	expect(failed.error).toMatchObject({ message: MESSAGE });
	expect(failed.error!.description).toContain('The request may have been carried out.');
	await retry(failed);
	expect(sandbox.state.jobs.map(({ keyword }) => keyword)).toEqual(['keyword 0.', 'keyword 1.']);
});

it('is logged once in a run, and is the cause of the error, without the key', async () => {
	jest.spyOn(createJob, 'parserOf').mockImplementation(() => mistake);
	await execute(CREATE, keywords(3), CONTINUE);
	const [line, ...others] = log.lines('error').filter((logged) => logged.includes(MESSAGE));
	expect(others).toEqual([]);
	expect(line).toContain("TypeError: Cannot create property 'x' on string '[API key]'\n    at ");

	const { error } = await execute(CREATE);
	expect(error!.cause).toEqual({
		name: 'TypeError',
		message: "Cannot create property 'x' on string '[API key]'",
		stack: expect.stringContaining('mistake'),
	});
	expect(JSON.stringify([error, log.lines()])).not.toContain(owner.apiKey);
});

it("is not what the credential or n8n's own code throws", async () => {
	owner.apiKey = '={{ null.key }}';
	const { error } = await execute(USAGE);
	expect(error!.message).not.toBe(MESSAGE);
});

it('while the output of values is made sends none of them again', async () => {
	jest.spyOn(List.prototype, 'values', 'get').mockImplementationOnce(function (this: List) {
		jest.spyOn(List.prototype, 'values', 'get').mockImplementationOnce(mistake);
		return [...(this as unknown as { distinct: Map<string, Value> }).distinct.values()];
	});
	const failed = await execute(ADD_MANY, domains(3));
	expect(failed.error).toMatchObject({ message: MESSAGE });
	jest.restoreAllMocks();

	expect((await retry(failed)).json).toMatchObject([{ added: 3 }]);
	expect(sandbox.requests).toHaveLength(3);
});
