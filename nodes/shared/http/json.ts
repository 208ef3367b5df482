const LONG_NUMBER = /\d{16}/;
const PART_OF_A_NUMBER = /[-+.\deE]/;

/**
 * Parses JSON without losing digits: a whole number that JavaScript would round becomes a text.
 *
 * @throws SyntaxError for anything but JSON
 */
export function parseExactly(text: string): unknown {
	const value: unknown = JSON.parse(text);
	return LONG_NUMBER.test(text) ? JSON.parse(quoteLongNumbers(text)) : value;
}

/** A loop, because a regular expression overflows the stack on megabytes of text or digits. */
function quoteLongNumbers(json: string): string {
	const parts: string[] = [];
	let kept = 0;
	for (let index = 0; index < json.length; index++) {
		const character = json.charAt(index);
		if (character === '"') {
			index = endOfText(json, index);
		} else if (/[-\d]/.test(character)) {
			const start = index;
			while (PART_OF_A_NUMBER.test(json.charAt(index + 1))) index++;
			const number = json.slice(start, index + 1);
			if (!/[.eE]/.test(number) && !Number.isSafeInteger(Number(number))) {
				parts.push(json.slice(kept, start), `"${number}"`);
				kept = index + 1;
			}
		}
	}
	return [...parts, json.slice(kept)].join('');
}

function endOfText(json: string, start: number): number {
	let index = start + 1;
	while (json.charAt(index) !== '"') index += json.charAt(index) === '\\' ? 2 : 1;
	return index;
}
