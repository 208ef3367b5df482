import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { Requester } from '../shared/account/requester';
import { explanationOf } from '../shared/explain';
import { readCredential, type Credential } from '../shared/http/credential';
import { readWholeNumber, show } from '../shared/input';
import { asNodeError } from '../shared/nodeError';
import { Refusal } from '../shared/refusal';
import { requestUsage, type Usage } from '../shared/usage';
import { compare, EVENTS, type Event, type State } from './events';

/** The timeout of one request, in milliseconds: the next poll comes a minute later at the earliest. */
const TIMEOUT = 60_000;

/** The node's static data: the account of the last poll, and its state. */
interface StaticData extends IDataObject {
	account?: string;
	/** Version 1.0.0 told accounts apart by the credential's id alone. */
	credential?: string;
	remembered?: State;
}

/** The nodes of active workflows whose last poll is still in progress. */
const polling = new Set<string>();

/**
 * Reads the usage (service interface, sections 2 and 4) and compares it with the previous one.
 *
 * @returns an item `{ event, plan, remaining, previous }` for each chosen event that occurred; null
 * when there is none, as at the first poll of an account. A test run in the editor always returns an
 * item for each chosen event, and keeps no state.
 * @throws NodeApiError for invalid input, and when the usage could not be read: then the state does
 * not change
 */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const key = `${this.getWorkflow().id} ${this.getNode().id}`;
	const isTest = this.getMode() === 'manual';
	// Two polls at once could be answered in the wrong order, which would look like a change.
	if (!isTest && polling.has(key)) return null;
	if (!isTest) polling.add(key);
	try {
		const items = await look(this, isTest);
		return items.length > 0 ? [items] : null;
	} catch (error) {
		throw asNodeError(this.getNode(), explanationOf(error, 'GET'));
	} finally {
		if (!isTest) polling.delete(key);
	}
}

async function look(context: IPollFunctions, isTest: boolean): Promise<INodeExecutionData[]> {
	const chosen = readEvents(context.getNodeParameter('events'));
	const threshold = chosen.includes('allowanceLow')
		? readThreshold(context.getNodeParameter('threshold'))
		: undefined;
	const credential = await readCredential(context);
	const usage = await readUsage(context, credential);
	const memory = context.getWorkflowStaticData('node') as StaticData;
	// Usage figures of different accounts are not comparable.
	const before = isOf(memory, credential) ? memory.remembered : undefined;
	if (isTest) return itemsOf(chosen, usage, before ?? usage);
	const { events, remembered } = compare(before, usage, threshold);
	delete memory.credential;
	Object.assign(memory, { account: credential.account, remembered });
	return itemsOf(
		events.filter((event) => chosen.includes(event)),
		usage,
		before ?? usage,
	);
}

function isOf({ account, credential: id }: StaticData, credential: Credential): boolean {
	return account === undefined ? id === credential.decrypted.id : account === credential.account;
}

function readEvents(value: unknown): Event[] {
	const chosen = Array.isArray(value) ? value : [];
	const unknown = chosen.find((event) => !(EVENTS as readonly unknown[]).includes(event));
	if (chosen.length === 0 || unknown !== undefined) {
		throw new Refusal(
			chosen.length === 0
				? '"Events" is empty'
				: `"Events" has one that there is not: ${show(unknown)}`,
			'Choose at least one of the list.',
		);
	}
	return EVENTS.filter((event) => chosen.includes(event));
}

function readThreshold(value: unknown): number {
	const threshold = readWholeNumber('Threshold', value);
	if (threshold < 1) {
		throw new Refusal(
			`"Threshold" is below 1: ${threshold}`,
			'Enter a whole number from 1: fewer requests than that make the allowance low.',
		);
	}
	return threshold;
}

async function readUsage(context: IPollFunctions, credential: Credential): Promise<Usage> {
	const usage = await requestUsage(
		new Requester({ automatic: 'others' }),
		context,
		credential,
		TIMEOUT,
	);
	if (typeof usage.remaining !== 'number') {
		context.logger.warn(
			`${context.getNode().name}: the service says "${usage.remaining}" requests remain, which cannot be compared`,
		);
	}
	return usage;
}

function itemsOf(events: Event[], { plan, remaining }: Usage, before: Usage): INodeExecutionData[] {
	const previous = { plan: before.plan, remaining: before.remaining };
	return events.map((event) => ({ json: { event, plan, remaining, previous } }));
}
