const LINK = /(!?)(\[[^\]]*\]\()([^)\s]+)(\))/g;

/**
 * The README as it is packed: its relative links lead into the repository, because neither npm nor n8n
 * resolves them.
 *
 * @param markdown its links are relative to the repository's root
 * @param repository the address of the repository on GitHub, as package.json has it
 */
export function withAbsoluteLinks(markdown: string, repository: string): string {
	const address = repository.replace(/^git\+/, '').replace(/(\.git)?\/*$/, '');
	return markdown.replace(
		LINK,
		(link, image: string, text: string, target: string, end: string) => {
			if (/^(#|[a-z]+:)/i.test(target)) return link;
			return `${image}${text}${address}/${image ? 'raw' : 'blob'}/HEAD/${target}${end}`;
		},
	);
}
