/** The path that all endpoints begin with. */
const BASE = '/api/v1';

/**
 * The endpoints of the service (service interface, section 4), with a parameter for each placeholder, such as `:name`,
 * and how its examples send the key (section 5).
 */
export const ENDPOINTS = {
	createJob: { method: 'POST', path: `${BASE}/jobs`, key: 'token' },
	addToBlacklist: { method: 'POST', path: `${BASE}/blacklist/:name`, key: 'token' },
	getBlacklists: { method: 'GET', path: `${BASE}/blacklist`, key: 'token' },
	deleteBlacklist: { method: 'DELETE', path: `${BASE}/blacklist/:name`, key: 'token' },
	getUsage: { method: 'GET', path: `${BASE}/usage`, key: 'bare' },
} as const;

const PATHS = Object.values(ENDPOINTS).map(({ path }) => path);

/** The path of an endpoint at the end of an address, also with more slashes, or only what all begin with. */
export const PATH_OF_SERVICE = new RegExp(
	`(?:${[BASE, ...PATHS].join('|')})$`.replaceAll('/', '/+').replaceAll(':name', '[^/]+'),
);

/** Whether the examples send the bare key to this path, which can have a prefix. */
export function takesBareKey(path: string): boolean {
	return Object.values(ENDPOINTS).some(
		(endpoint) => endpoint.key === 'bare' && path.replace(/\/+$/, '').endsWith(endpoint.path),
	);
}
