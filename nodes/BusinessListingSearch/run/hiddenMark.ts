import type { IDataObject, INode } from 'n8n-workflow';

import { Refusal } from '../../shared/errors/failure';
import { escaped } from '../../shared/input';

/**
 * Refuses an input item of which a column begins with a byte order mark, which the editor does not show, if an
 * expression of the node reads it by the name that it seems to have: that gives nothing.
 *
 * @throws Refusal that names the column
 */
export function refuseHiddenMark(json: IDataObject = {}, { parameters }: INode): void {
	const marked = Object.keys(json).find((name) => name.startsWith('\uFEFF'));
	const name = marked?.slice(1);
	if (!marked || !name || name in json) return;
	const plain = escaped(name);
	const isRead = new RegExp(
		`json(?:\\??\\.${plain}(?![\\p{L}\\p{N}_$])|(?:\\?\\.)?\\[["'\`]${plain}["'\`])`,
		'u',
	);
	let isWrong = false;
	JSON.stringify(parameters, (_key, value: unknown) => {
		const isExpression = typeof value === 'string' && value.startsWith('=');
		isWrong ||= isExpression && isRead.test(value) && !value.includes(marked);
		return value;
	});
	if (!isWrong) return;
	throw new Refusal(
		`The name of the column "${name}" begins with an invisible character`,
		'Turn on "Exclude Byte Order Mark (BOM)" in the node "Extract from File". Or drag the field into this node again.',
	);
}
