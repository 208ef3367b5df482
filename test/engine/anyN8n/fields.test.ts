import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { BusinessListingSearch } from '../../../nodes/BusinessListingSearch/BusinessListingSearch.node';
import { workflowOf } from '../../support/engine';
import { ADD, ADD_MANY, CREATE, DELETE } from '../../support/parameters';
import { useEngine } from '../../support/useEngine';

const { sandbox, execute } = useEngine();

/** A field of the form, with the collection that it is in. */
interface FormField {
	/** The service's name of it. */
	sent: string;
	field: INodeProperties;
	collection?: string;
}

const isOf = (operation: string) => (field: INodeProperties) =>
	field.displayOptions?.show?.operation?.includes(operation);

/** The fields of Job: Create that say under which name they are sent. */
const FIELDS: FormField[] = new BusinessListingSearch().description.properties
	.filter(isOf('create'))
	.flatMap((field): FormField[] => [
		{ sent: '', field },
		...((field.options ?? []) as INodeProperties[]).map((option) => ({
			sent: '',
			field: option,
			collection: field.name,
		})),
	])
	.map((found) => ({ ...found, sent: String(found.field.routing?.send?.property ?? '') }))
	.filter(({ sent }) => sent !== '');

/** What an expression gives for a field, as text, and what is sent for it. */
function valueFor({ type, options = [] }: INodeProperties): [text: string, sent: unknown] {
	const [first] = options as INodePropertyOptions[];
	if (type === 'number') return ['7', 7];
	if (type === 'boolean') return ['false', false];
	return first ? [String(first.value), first.value] : ['some text', 'some text'];
}

it.each(FIELDS)('"$field.displayName" is sent as $sent', async ({ sent, field, collection }) => {
	const [text, expected] = valueFor(field);
	const entered = { [field.name]: `={{ ${JSON.stringify(text)} }}` };
	const parameters = collection === undefined ? entered : { [collection]: entered };
	await execute({ ...CREATE, ...parameters });
	expect(sandbox.requests.map(({ body }) => body)).toEqual([
		expect.objectContaining({ [sent]: expected }),
	]);
});

describe('"Include Input Fields" returns the job_id', () => {
	const INCLUDING = { ...CREATE, keyword: '=dentist', options: { includeInputFields: true } };

	it('first, where a table shows it, beside fields of this run', async () => {
		const row = { keyword: 'dentist', dryRun: true, job_id: 'old' };
		const { json } = await execute(INCLUDING, [row]);
		const { job_id } = sandbox.state.jobs[0]!;
		expect(Object.entries(json[0]!)).toEqual([
			['job_id', job_id],
			['keyword', 'dentist'],
		]);
	});

	it('without a field __proto__, which would change the item itself', async () => {
		const row = JSON.parse('{ "__proto__": { "a": 1 }, "b": 2 }') as IDataObject;
		const { json } = await execute(INCLUDING, [row]);
		expect(json).toEqual([{ job_id: expect.any(String), b: 2 }]);
		expect(json[0]!.a).toBeUndefined();
	});

	it('of an input item that has no JSON', async () => {
		const workflow = workflowOf(INCLUDING, [{}]);
		workflow.pinData = { Start: [{ binary: {} } as never] };
		const { json, error } = await execute(workflow);
		expect(error).toBeUndefined();
		expect(json).toEqual([{ job_id: sandbox.state.jobs[0]!.job_id }]);
	});
});

describe('a blacklist from a program, without a mode, is read as a name', () => {
	const blacklist = { __rl: true, value: ' my list ' } as never;

	it.each([
		[ADD, 'my list'],
		[ADD_MANY, 'my list'],
		[DELETE, ' my list '],
	])('by %#', async (parameters, name) => {
		await execute({ ...parameters, blacklist });
		const [request] = sandbox.requests;
		expect(decodeURIComponent(request!.path)).toBe(`/api/v1/blacklist/${name}`);
	});
});
