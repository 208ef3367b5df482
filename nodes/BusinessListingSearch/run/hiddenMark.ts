import { Refusal } from '../../shared/errors/failure';
import { escaped } from '../../shared/input';
import type { RunContext } from './task';

/**
 * The reason not to send anything if the first column of a file begins with a byte order mark, which the editor does
 * not show, and an expression of the node reads it by the name that it seems to have: it gives nothing for any row.
 */
export function hiddenMark(context: RunContext): Refusal | undefined {
	const data = context.getInputData();
	const columns = Object.keys((Array.isArray(data) ? data[0] : data)?.json ?? {});
	const entered = JSON.stringify(context.getNode().parameters);
	const isRead = (name: string) =>
		new RegExp(
			`json(?:\\??\\.${escaped(name)}(?![\\w$])|(?:\\?\\.)?\\[\\\\?["']${escaped(name)}\\\\?["'])`,
		).test(entered);
	const name = columns
		.filter((column) => column.startsWith('\uFEFF'))
		.map((column) => column.slice(1))
		.find((plain) => !columns.includes(plain) && isRead(plain));
	return name === undefined
		? undefined
		: new Refusal(
				`The name of the column "${name}" begins with an invisible character`,
				'Turn on "Exclude Byte Order Mark (BOM)" in the node "Extract from File". Or drag the field into this node again.',
			);
}
