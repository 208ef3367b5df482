import { sentencesOfProject, type Sentence } from '../support/sentences';

/** Words that do not read as the English of n8n's documentation, and what to write instead. */
const INSTEAD: Array<[banned: RegExp, instead: string]> = [
	[/\b(?:put|puts|putting) out\b/i, 'return'],
	[/\b(?:come|comes|came) out\b/i, 'be returned'],
	[/\banswer/i, 'response, respond'],
	[/\bblanks?\b/i, 'space'],
	[/\bin place of\b/i, 'instead of'],
	[/\bmend(?:s|ed|ing)?\b/i, 'correct'],
	[/\bcannot be used\b|\binput cannot be\b|\bnot what it can be\b/i, 'is invalid'],
	[/\bnot waited for\b/i, 'waits at most'],
	[/\bthat there is not\b|\bhas one that\b/i, 'contains an unknown'],
	[/\b(?:each|first|next|last|a) look\b/i, 'poll'],
	[/\bwork(?:s|ed|ing)? out\b|\bdid not succeed\b/i, 'fail'],
	[/\bbear(?:s|ing)?\b/i, 'can handle'],
	[/\b(?:requests?|jobs?|keywords?|retries) an? (?:run|keyword|second|minute)\b/i, 'per run'],
	[/\bunder way\b/i, 'in progress, in flight'],
	[/\bas long as\b/i, 'while, for'],
	[/\btell by\b|\bcannot be told\b|\b(?:tell|told) apart\b/i, 'detect, distinguish'],
	[/\bcarr(?:y|ies|ied) (?:a|the key|no)\b/i, 'contain, send'],
	[/\bhand(?:s|ed)? (?:\w+ )?over\b/i, 'pass, provide'],
	[/\bcome again\b|\bfor now\b/i, 'later, temporarily'],
	[/\bof (?:its|their|your) own\b/i, 'separate'],
	[/\bstands against\b/i, 'passes'],
	[/\bafresh\b|\banew\b/i, 'from scratch, again'],
	[/\bmake room\b/i, 'free up space'],
	[/\bbecame of\b/i, 'its status'],
	[/\bexpression (?:that|which) gives\b|\bgives only\b/i, 'returns'],
	[/\bin front\b/i, 'before, prefix'],
	[/\bas it is to be\b|\bit is meant\b/i, 'intentional'],
	[/\bnot one the service knows\b/i, 'unknown'],
	[/\bone of the list\b/i, 'from the list'],
	[/\bhas lost digits\b/i, 'is a rounded number'],
	[/\bthe most \w+ a \w+ may have\b|\bat most may\b/i, 'the maximum number of'],
];

const sentences = sentencesOfProject();

describe(`the ${sentences.length} sentences that users see`, () => {
	it('are found in the code and on the pages', () => {
		const texts = sentences.map(({ text }) => text);
		expect(texts).toContain('The service refused the API key');
		expect(texts).toContain('What it promises');
	});

	it.each(INSTEAD)('none has %s: write "%s"', (banned) => {
		const hasIt = ({ text }: Sentence) => banned.test(text.replace(/\$\{.*?\}/g, '…'));
		expect(sentences.filter(hasIt)).toEqual([]);
	});
});
