import type {
	IDataObject,
	IGetNodeParameterOptions,
	INodeProperties,
	NodePropertyTypes,
} from 'n8n-workflow';

import { Failure } from '../../shared/errors/failure';
import { expressionFailed } from '../../shared/errors/thrown';
import type { Form, TextParameter } from '../../shared/readField';
import type { Call, Input } from './call';
import { inputFingerprint } from './fingerprint';

/** An input item, and how the node is filled in for it. */
export class Item implements Form {
	readonly index: number;
	readonly json: IDataObject | undefined;
	/** Taken of all items before the first field is evaluated, see `inputFingerprint`. */
	readonly fingerprint: string;

	constructor(
		private readonly call: Call,
		{ index, item }: Input,
	) {
		this.index = index;
		this.json = item.json;
		this.fingerprint = inputFingerprint(item);
	}

	/** What was entered in a parameter, such as `sort.sortBy`: an expression as it is. */
	entered(path: string): unknown {
		const parts = path.split('.');
		return parts.reduce<unknown>(
			(fields, name) => (fields as IDataObject | undefined)?.[name],
			this.call.node.parameters,
		);
	}

	/** Whether n8n runs the node in a retry of an execution. */
	get isOfRetry(): boolean {
		return this.call.context.getMode() === 'retry';
	}

	/**
	 * Whether the user has added a field to a collection.
	 *
	 * @param path of the field, such as `sort.sortBy`
	 * @throws Failure if something other than n8n's editor has passed text as the collection
	 */
	has(path: string): boolean {
		const [name = ''] = path.split('.');
		const fields = this.entered(name) ?? {};
		if (typeof fields === 'object') return this.entered(path) !== undefined;
		const label = name.charAt(0).toUpperCase() + name.slice(1);
		throw new Failure(`"${label}" is text, but must have fields`, 'Set each field by itself.');
	}

	/**
	 * Evaluates a parameter.
	 *
	 * @throws Failure with n8n's words if its expression throws
	 */
	parameter(
		label: string,
		name: string,
		fallback?: unknown,
		options?: IGetNodeParameterOptions,
	): unknown {
		const { index } = this;
		const { context } = this.call;
		try {
			return 'getItemIndex' in context
				? context.getNodeParameter(name, fallback, options)
				: context.getNodeParameter(name, index, fallback, options);
		} catch (error) {
			throw expressionFailed(label, error);
		}
	}
}

/** A field of the form that is sent in the body: its `routing` says so to n8n's engine, too. */
export interface SentField extends TextParameter {
	/** The service's name of it. */
	property: string;
	type: NodePropertyTypes;
}

/** The fields that are declared with `routing.send`. @param fields of an operation, or of a collection of it */
export function sentFields(fields: INodeProperties[] = [], collection?: string): SentField[] {
	return fields.flatMap(({ displayName: label, name, type, options, routing }) => {
		if (type === 'collection') return sentFields(options as INodeProperties[], name);
		const property = routing?.send?.property;
		if (property === undefined) return [];
		const path = collection === undefined ? name : `${collection}.${name}`;
		return [{ property, type, label, name: path }];
	});
}

/** Evaluates the fields of an item's body, each once. @returns the body that n8n's engine would make of them */
export function bodyOf(item: Item, fields: SentField[]): IDataObject {
	const body: IDataObject = {};
	for (const { property, label, name } of fields) {
		// A field outside of a collection is always there.
		const isThere = !name.includes('.') || item.has(name);
		if (isThere) body[property] = item.parameter(label, name, '') as IDataObject[string];
	}
	return body;
}
