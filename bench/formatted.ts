import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';

/** Formats a page of results as the project's formatter does. */
export async function formatted(page: string): Promise<string> {
	const config = await resolveConfig(join(__dirname, 'RESULTS.md'));
	return await format(page, { ...config, parser: 'markdown' });
}
