import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';

import { OUTCOMES } from '../../nodes/shared/errors/outcomes';

const root = join(__dirname, '..', '..');
const FILES = execFileSync('git', ['ls-files', 'nodes/*.ts'], { cwd: root, encoding: 'utf8' })
	.trim()
	.split('\n');

/** The texts that an expression can be; … stands for what varies. */
function textsIn(expression: ts.Node): string[] {
	if (ts.isStringLiteralLike(expression)) return [expression.text];
	if (ts.isTemplateExpression(expression)) {
		const { head, templateSpans } = expression;
		return [
			[head, ...templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join('…'),
		];
	}
	const texts: string[] = [];
	expression.forEachChild((inner) => void texts.push(...textsIn(inner)));
	return texts;
}

/** What happened, and what to do: of each row of TABLE and of each `new Refusal(what, whatToDo)`. */
const [clauses, advice]: [string[], string[]] = [[], []];

for (const { message, whatToDo, whatToDoAboutGet, orElse } of Object.values(OUTCOMES)) {
	clauses.push(message);
	advice.push(...[whatToDo, whatToDoAboutGet, orElse].flatMap((text) => text ?? []));
}
for (const file of FILES) {
	const visit = (node: ts.Node): void => {
		if (ts.isNewExpression(node) || ts.isCallExpression(node)) {
			// `super` in a class that extends it.
			const [what, whatToDo] = /Refusal$|^super$/.test(node.expression.getText())
				? (node.arguments ?? [])
				: [];
			if (what) clauses.push(...textsIn(what));
			if (whatToDo) advice.push(...textsIn(whatToDo));
		}
		node.forEachChild(visit);
	};
	visit(
		ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true),
	);
}

it('what an error says that happened is a clause, without "error" or "failed"', () => {
	expect(clauses.length).toBeGreaterThan(60);
	const isClause = (text: string) => /^(["A-Z]|n8n ).*[^.]$/.test(text);
	const isBlaming = (text: string) => /\b(errors?|failed)\b/i.test(text);
	expect(clauses.filter((text) => !isClause(text) || isBlaming(text))).toEqual([]);
});

it('what it says to do is whole sentences', () => {
	expect(advice.length).toBeGreaterThan(60);
	expect(advice.filter((text) => !/^["A-Z].*[.…]$/.test(text))).toEqual([]);
});

it('what it says to do is one idea in a sentence: at most 20 words', () => {
	const sentences = advice.flatMap((text) => text.split(/(?<=[.:])\s+(?=["A-Z]|n8n)/));
	const words = (sentence: string) => sentence.split(/\s+/).length;
	expect(sentences.filter((sentence) => words(sentence) > 20)).toEqual([]);
});
