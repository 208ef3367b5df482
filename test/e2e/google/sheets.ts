import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { join } from 'node:path';

import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { listen } from '../../support/listen';
import { certificateFor } from './certificate';

/** n8n takes no shorter one. */
export const DOCUMENT = 'document-of-the-google-sheets-test';
/** As n8n's list of the sheets of a document gives the first one. */
export const SHEET = 'gid=0';

const HOSTS = ['sheets.googleapis.com', 'oauth2.googleapis.com'];

type Cell = string | number;

interface Written {
	/** For example `Sheet1!C5`, or `Sheet1!12:13`. */
	range: string;
	values: Cell[][];
}

/** A Google account with one sheet, for an n8n that is started with the environment `env`. */
export interface GoogleSheets {
	env: Record<string, string>;
	/** n8n's credential, of a service account. */
	credential: { name: string; type: string; data: ICredentialDataDecryptedObject };
	/** The rows of the sheet; the first one has the names of the columns. */
	cells: Cell[][];
	/** The rows of the sheet by the names of its columns. */
	rows(): Array<Record<string, Cell>>;
	/** How many times something was written. */
	writes: number;
	/** Which of these writes Google refuses, counted from 1: too many requests. */
	refused: number[];
	/** An empty sheet, and nothing is refused. */
	reset(): void;
	stop(): void;
}

/**
 * A stand-in for Google: a proxy that leads its hosts to a server here. n8n's own node speaks to it, unchanged.
 * @param folder for the certificate
 */
export async function startGoogleSheets(folder: string): Promise<GoogleSheets> {
	const { certificate, privateKey } = certificateFor(HOSTS);
	const certificateFile = join(folder, 'google.pem');
	await writeFile(certificateFile, certificate);

	const secure = createSecureServer({ key: privateKey, cert: certificate }, (request, response) => {
		void bodyOf(request).then((body) => {
			const [status, answer] = answerTo(request, body);
			response.writeHead(status, { 'content-type': 'application/json' });
			response.end(JSON.stringify(answer));
		});
	});
	const proxy = createServer().on('connect', ({ url = '' }: IncomingMessage, socket) => {
		// Nothing of a test leaves this machine.
		if (!HOSTS.some((host) => url === `${host}:443`)) return socket.destroy();
		socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
		return secure.emit('connection', socket);
	});
	const address = `http://127.0.0.1:${await listen(proxy)}`;

	const google: GoogleSheets = {
		env: {
			NODE_EXTRA_CA_CERTS: certificateFile,
			...bothCases('HTTPS_PROXY', address),
			...bothCases('NO_PROXY', '127.0.0.1,localhost'),
		},
		credential: {
			name: 'Google account',
			type: 'googleApi',
			data: { email: 'n8n@example.iam.gserviceaccount.com', privateKey },
		},
		cells: [],
		rows: () => {
			const [columns = [], ...rows] = google.cells;
			return rows.map((row) =>
				Object.fromEntries(columns.map((name, index) => [name, row[index] ?? ''])),
			);
		},
		writes: 0,
		refused: [],
		reset: () => Object.assign(google, { cells: [], writes: 0, refused: [] }),
		stop: () => {
			proxy.close();
			proxy.closeAllConnections();
			secure.closeAllConnections();
		},
	};

	function answerTo({ method, headers, url = '' }: IncomingMessage, body: string) {
		if (headers.host === 'oauth2.googleapis.com') {
			return [200, { access_token: 'token', token_type: 'Bearer', expires_in: 3600 }] as const;
		}
		const { pathname, searchParams } = new URL(url, `https://${headers.host}`);
		const path = decodeURIComponent(pathname).replace(`/v4/spreadsheets/${DOCUMENT}`, '');
		if (method === 'GET') {
			const isText = searchParams.get('valueRenderOption') === 'FORMATTED_VALUE';
			const properties = { sheetId: 0, title: 'Sheet1', sheetType: 'GRID' };
			return [200, path === '' ? { sheets: [{ properties }] } : { values: shown(isText) }] as const;
		}
		// Rows are added at the end; here a sheet has no end.
		if (path === ':batchUpdate') return [200, {}] as const;
		google.writes += 1;
		if (google.refused.includes(google.writes)) {
			const error = { code: 429, message: 'Quota exceeded', status: 'RESOURCE_EXHAUSTED' };
			return [429, { error }] as const;
		}
		const sent = JSON.parse(body) as Written & { data?: Written[]; valueInputOption?: string };
		const option = sent.valueInputOption ?? searchParams.get('valueInputOption');
		for (const each of sent.data ?? [sent]) write(each, option === 'RAW');
		return [200, {}] as const;
	}

	/** As Google gives them: without what is empty at the end of a row, or of the sheet. */
	function shown(isText: boolean): Cell[][] {
		const rows = google.cells.map((row) => {
			const filled = row.map((cell) => (isText ? String(cell) : cell));
			while (filled.at(-1) === '') filled.pop();
			return filled;
		});
		while (rows.at(-1)?.length === 0) rows.pop();
		return rows;
	}

	function write({ range, values }: Written, isRaw: boolean): void {
		const [, column = '', row] = /!([A-Z]*)(\d+)/.exec(range)!;
		const left = column === '' ? 0 : column.charCodeAt(0) - 'A'.charCodeAt(0);
		for (const [down, cells] of values.entries()) {
			const written = (google.cells[Number(row) - 1 + down] ??= []);
			for (const [right, cell] of cells.entries()) {
				written[left + right] = isRaw ? cell : typed(cell);
			}
			for (let index = 0; index < written.length; index++) written[index] ??= '';
		}
	}

	return google;
}

/** As if a person had typed it: Google makes a date of a month. */
function typed(cell: Cell): Cell {
	return String(cell).replace(/^(\d{4})-(\d\d)$/, '$2/1/$1');
}

const bothCases = (name: string, value: string) => ({ [name]: value, [name.toLowerCase()]: value });

async function bodyOf(request: IncomingMessage): Promise<string> {
	let body = '';
	for await (const chunk of request.setEncoding('utf8')) body += chunk;
	return body;
}
