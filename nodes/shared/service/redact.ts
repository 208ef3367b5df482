import { escaped } from '../text';

const PLACEHOLDER = '[API key]';

/** A shorter text is part of ordinary words and numbers, and no key: it is not removed. */
const SHORTEST_KEY = 8;

/** Removes the key of a credential from what the service sends: as it is, and as JSON or a URL writes it. */
export class Secret {
	private readonly pattern: RegExp | undefined;

	/** @param key the bare key, not empty */
	constructor(key: string) {
		if (key.length < SHORTEST_KEY) return;
		this.pattern = new RegExp(Array.from(key, waysToWrite).join(''), 'giu');
	}

	removeFrom(text: string): string {
		return this.pattern ? text.replace(this.pattern, PLACEHOLDER) : text;
	}
}

/** A pattern for a character of the key, as it is or escaped. */
function waysToWrite(character: string): string {
	// JSON and URLs write these as they are.
	if (/[\w-]/.test(character)) return character;
	const bytes = Array.from(new TextEncoder().encode(character), (byte) => byte.toString(16));
	const inJson = `\\\\u00${character.charCodeAt(0).toString(16)}`;
	const inUrl = `%${bytes.join('%')}${character === ' ' ? '|\\+' : ''}`;
	// This choice comes last, because the escapes of "%" and "\" begin with the character itself.
	const asItIs = `\\\\?${escaped(character)}`;
	return `(?:${inJson}|${inUrl}|${asItIs})`;
}
