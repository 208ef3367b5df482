import { existsSync } from 'node:fs';

import { chromium, type Browser } from 'playwright-core';

import { n8n, OWNER } from '../n8n';
import { Editor } from './editor';

/** Fixed, so that the pictures do not change. */
export const WINDOW = { width: 1400, height: 788 };

const USUAL_PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** n8n's editor in a browser, for the tests of one file. */
export function useEditor(): () => Editor {
	let browser: Browser | undefined;
	let editor: Editor;
	beforeAll(async () => {
		browser = await startChromium();
		const page = await browser.newPage({
			viewport: WINDOW,
			deviceScaleFactor: 1.5,
			colorScheme: 'light',
		});
		editor = new Editor(page, n8n().client.address);
		await editor.signIn(OWNER);
	});
	afterAll(() => browser?.close());
	return () => editor;
}

/**
 * Starts the installed Chromium without a window; the environment variable `CHROMIUM` selects
 * another.
 * @throws Error with a sentence about what to install when there is none
 */
async function startChromium(): Promise<Browser> {
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
