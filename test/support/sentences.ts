import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as ts from 'typescript';

const project = resolve(__dirname, '..', '..');

/** The code whose texts a person sees: in forms, errors, logs, and in what the commands print. */
const CODE = ['nodes', 'credentials', 'sandbox', 'n8n', 'bench'];

/** A text of more than one word, and where it is. */
export interface Sentence {
	place: string;
	text: string;
}

/** Every text of more than one word that a person can see, in the order of the files. */
export function sentencesOfProject(): Sentence[] {
	const code = CODE.flatMap((folder) => filesOf(folder, '.ts')).flatMap(sentencesOfCode);
	const docs = filesOf('docs', '.md');
	const pages = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...docs].flatMap(sentencesOfPage);
	return [...code, ...pages];
}

function filesOf(folder: string, end: string): string[] {
	return readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith(end) && !name.includes('node_modules'))
		.sort()
		.map((name) => join(folder, name));
}

function sentencesOfCode(file: string): Sentence[] {
	const text = readFileSync(join(project, file), 'utf8');
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
	const found: Sentence[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isImportDeclaration(node)) return;
		const shown = textOf(node);
		if (shown !== undefined && /\S\s+\S/.test(shown)) {
			const { line } = source.getLineAndCharacterOfPosition(node.getStart());
			found.push({ place: `${file}:${line + 1}`, text: shown });
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	return found;
}

/** The text of a literal, with the expressions of a template as they are written. */
function textOf(node: ts.Node): string | undefined {
	if (ts.isStringLiteralLike(node)) return node.text;
	if (!ts.isTemplateExpression(node)) return undefined;
	const spans = node.templateSpans.map(
		({ expression, literal }) => `\${${expression.getText()}}${literal.text}`,
	);
	return node.head.text + spans.join('');
}

/** The sentences of a page without its code: a cell of a table and a heading are one each. */
function sentencesOfPage(file: string): Sentence[] {
	return readFileSync(join(project, file), 'utf8')
		.replace(/^( *)```[\s\S]*?^\1```/gm, '')
		.split(/\n\s*\n|\n(?=\s*(?:[-*#|]|\d+\.))| \| /)
		.flatMap((block) => block.replace(/\s+/g, ' ').split(/(?<=[.!?]) (?=[A-Z"])/))
		.map((text) => text.replace(/^[\s|#-]+|[\s|]+$/g, ''))
		.filter((text) => /[a-z] \S/i.test(text))
		.map((text) => ({ place: file, text }));
}

// `npx tsx test/support/sentences.ts` prints the list, to be read from the first screen to the last error.
if (require.main === module) {
	for (const { place, text } of sentencesOfProject())
		console.log(`${place}\t${text.replace(/\s+/g, ' ')}`);
}
