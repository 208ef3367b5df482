/** A search job: what was sent, with the default of `group_name` (service-interface.md, 2). */
export interface Job {
	job_id: string;
	keyword: string;
	group_name: string;
	sort_by?: string;
	sort_order?: 'asc' | 'desc';
	min_rating?: number;
	min_reviews?: number;
	max_reviews?: number;
	has_phone?: boolean;
	has_website?: boolean;
}

/** One item of a blacklist (service-interface.md, 2). */
export interface BlacklistItem {
	type: 'email' | 'domain' | 'place_id' | 'cid';
	value: string;
}

/** The items of one blacklist by `itemKey`, in the order they were added. */
export type Blacklist = Map<string, BlacklistItem>;

/** What the account holds. Tests may change any of it at any time. */
export interface SandboxState {
	jobs: Job[];
	blacklists: Map<string, Blacklist>;
	plan: string;
	remaining: number;
}

/** Two items with the same key are the same item: type and value are equal, letter for letter. */
export function itemKey(item: BlacklistItem): string {
	return `${item.type}:${item.value}`;
}

/** Makes a blacklist of these items, to be put into `state.blacklists`. */
export function blacklistOf(...items: BlacklistItem[]): Blacklist {
	return new Map(items.map((item) => [itemKey(item), item]));
}

/** A new account without jobs and blacklists. */
export function newState(plan: string, remaining: number): SandboxState {
	return { jobs: [], blacklists: new Map(), plan, remaining };
}
