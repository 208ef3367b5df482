import type { IDataObject } from 'n8n-workflow';
import type { Session } from './session';

/** The most rows of a data table that n8n returns at once. */
const ROWS_PER_PAGE = 250;
/** Few enough for the largest request body that n8n takes. */
const ROWS_PER_INSERT = 1000;

export interface Column {
	name: string;
	type: string;
}

/** The data tables of an n8n, by their names. A method throws Error if its table does not exist. */
export class DataTables {
	constructor(private readonly session: Session) {}

	/** The id of each data table by its name. */
	async ids(): Promise<Map<string, string>> {
		const { data } = await this.session.get<{ data: Array<{ id: string; name: string }> }>(
			`${await this.path()}?take=${ROWS_PER_PAGE}`,
		);
		return new Map(data.map(({ id, name }) => [name, id]));
	}

	async create(name: string, columns: Column[]): Promise<void> {
		await this.session.post(await this.path(), { name, columns });
	}

	/** All rows, in the order they were inserted. */
	async rows(table: string): Promise<IDataObject[]> {
		const path = `${await this.pathOf(table)}/rows?sortBy=id:asc&take=${ROWS_PER_PAGE}`;
		const rows: IDataObject[] = [];
		for (;;) {
			const { count, data } = await this.session.get<{ count: number; data: IDataObject[] }>(
				`${path}&skip=${rows.length}`,
			);
			rows.push(...data);
			if (data.length === 0 || rows.length >= count) return rows;
		}
	}

	/** Inserts rows, as importing a CSV file does. */
	async insert(table: string, rows: IDataObject[]): Promise<void> {
		const path = `${await this.pathOf(table)}/insert`;
		for (let from = 0; from < rows.length; from += ROWS_PER_INSERT) {
			const data = rows.slice(from, from + ROWS_PER_INSERT);
			await this.session.post(path, { data, returnType: 'count' });
		}
	}

	async delete(table: string): Promise<void> {
		await this.session.delete(await this.pathOf(table));
	}

	private async pathOf(table: string): Promise<string> {
		const id = (await this.ids()).get(table);
		if (id === undefined) throw new Error(`There is no data table "${table}".`);
		return `${await this.path()}/${id}`;
	}

	private async path(): Promise<string> {
		const { id } = await this.session.get<{ id: string }>('/rest/projects/personal');
		return `/rest/projects/${id}/data-tables`;
	}
}
