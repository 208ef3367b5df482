import { existsSync } from 'node:fs';

import { chromium, type Browser } from 'playwright-core';

const USUAL_PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/**
 * Starts the installed Chromium without a window; the environment variable `CHROMIUM` selects
 * another.
 * @throws Error with a sentence about what to install when there is none
 */
export async function startChromium(): Promise<Browser> {
	return await chromium.launch({
		executablePath: findChromium(),
		args: ['--disable-gpu', '--disable-quic'],
	});
}

function findChromium(): string {
	const named = process.env.CHROMIUM;
	const found = (named ? [named] : USUAL_PLACES).find((place) => existsSync(place));
	if (found !== undefined) return found;
	throw new Error(
		named
			? `CHROMIUM names ${named}, which is not there.`
			: 'The tests in a browser need Chromium: install it with `apt-get install chromium`, or name another one with CHROMIUM=<path>.',
	);
}
