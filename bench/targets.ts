/** A target, and whether it is met. */
export interface Target {
	what: string;
	/** The measured figure. */
	seen: string;
	isMet: boolean;
}

/** A target that is met if the largest figure is at most `most`. */
export function atMost(
	what: string,
	figures: number[],
	most: number,
	shown: (figure: number) => string,
): Target {
	const largest = Math.max(...figures);
	return { what, seen: shown(largest), isMet: largest <= most };
}

/** The targets as a list. */
export function targetList(targets: Target[]): string {
	return targets
		.map(({ what, seen, isMet }) => `- ${isMet ? 'Met' : '**Missed**'}: ${what}. Seen: ${seen}.`)
		.join('\n');
}
