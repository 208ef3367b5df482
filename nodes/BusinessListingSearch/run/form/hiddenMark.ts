import type { IDataObject, INode } from 'n8n-workflow';

import { Refusal } from '../../../shared/errors/failure';
import { escaped } from '../../../shared/input';

const MARK = '\uFEFF';

/**
 * Refuses an input item if an expression reads a column by its visible name, but the real name begins with a byte
 * order mark, which the editor does not show: the expression gives nothing. Two merged files can have one each.
 *
 * @throws Refusal that names the column
 */
export function refuseHiddenMark(json: IDataObject = {}, { parameters }: INode): void {
	const seeming = Object.keys(json)
		.filter((name) => name.startsWith(MARK))
		.map((name) => name.slice(MARK.length))
		.filter((name) => name !== '' && !(name in json));
	// Most items have none.
	if (seeming.length === 0) return;
	const expressions = expressionsIn(parameters);
	const hidden = seeming.find((name) => expressions.some((each) => readsOnly(each, name)));
	if (hidden === undefined) return;
	throw new Refusal(
		`The name of the column "${hidden}" begins with an invisible character`,
		'Turn on "Exclude Byte Order Mark (BOM)" in the node "Extract from File". Or drag the field into this node again.',
	);
}

/** The expressions in the parameters of a node, also within collections and lists. */
function expressionsIn(value: unknown): string[] {
	if (typeof value === 'string') return value.startsWith('=') ? [value] : [];
	return Object.values(Object(value) as object).flatMap(expressionsIn);
}

/** Whether an expression reads a column by this name, and not by the one with the mark. */
function readsOnly(expression: string, name: string): boolean {
	const plain = escaped(name);
	const read = `json(?:\\??\\.${plain}(?![\\p{L}\\p{N}_$])|(?:\\?\\.)?\\[["'\`]${plain}["'\`])`;
	return new RegExp(read, 'u').test(expression) && !expression.includes(MARK + name);
}
