import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Owner } from './session';

/**
 * The owner of the local n8n: read from a file, or generated and stored in it, readable by its user
 * only.
 * @throws Error with a sentence when the file is invalid
 */
export async function keptOwner(file: string): Promise<Owner> {
	if (existsSync(file)) return await readOwner(file);
	const owner: Owner = {
		email: 'owner@example.com',
		// n8n requires a capital letter and a digit.
		password: `${randomBytes(12).toString('base64url')}A1`,
		firstName: 'Local',
		lastName: 'Owner',
	};
	await mkdir(dirname(file), { recursive: true, mode: 0o700 });
	await writeFile(file, `${JSON.stringify(owner, null, 2)}\n`, { mode: 0o600 });
	return owner;
}

async function readOwner(file: string): Promise<Owner> {
	try {
		const owner = JSON.parse(await readFile(file, 'utf8')) as Owner;
		if (owner.email && owner.password) return owner;
	} catch {
		// Not JSON, so not an owner.
	}
	throw new Error(
		`${file} does not contain the email and password of n8n's owner. Correct it, or delete its folder to start from scratch.`,
	);
}
