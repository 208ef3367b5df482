import { PUBLIC_SUFFIXES } from './publicSuffixes.data';

/** With these names before it, an ending of a country has registries, or firms that act as one. */
export const IN_COUNTRIES = /^(?:(?:ac|com?|edu|gov|net|org)\.[a-z]{2}|(?:cc|k12|lib)\.\w\w\.us)$/;

const topLevelDomains = new Set<string>();
const longerSuffixes = new Set<string>();
// A line is an ending, with the names in front of it that make a longer one; `*` is each name.
for (const line of PUBLIC_SUFFIXES.split('\n')) {
	const [ending = '', ...names] = line.split(' ');
	topLevelDomains.add(ending);
	for (const name of names) longerSuffixes.add(`${name}.${ending}`);
}

/** Whether domains have a text after their last dot: `com`, `xn--p1ai`. */
export function isTopLevelDomain(text: string): boolean {
	return topLevelDomains.has(text);
}

/** Whether a domain is only an ending, and would mean all below it: `co.uk`, `acme.np`, `qld.gov.au`. */
export function isPublicSuffix(domain: string): boolean {
	return (
		IN_COUNTRIES.test(domain) ||
		longerSuffixes.has(domain) ||
		longerSuffixes.has(`*${domain.slice(domain.indexOf('.'))}`)
	);
}
