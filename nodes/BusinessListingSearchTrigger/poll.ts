import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { readWholeNumber, show } from '../BusinessListingSearch/resources/input';
import { requestUsage, type Usage } from '../BusinessListingSearch/resources/usage/get';
import { CREDENTIAL } from '../BusinessListingSearch/transport/exchange';
import { Refusal } from '../BusinessListingSearch/transport/failure';
import { asNodeError, explanationOf } from '../BusinessListingSearch/transport/nodeError';
import { Requester } from '../BusinessListingSearch/transport/requester';
import { compare, EVENTS, type Event, type Remembered } from './events';

/** How long one answer may take, in milliseconds: the next poll comes a minute later at the earliest. */
const TIMEOUT = 60_000;

/** In the node's static data: which account it was, and what is remembered of it. */
interface StaticData extends IDataObject {
	credential?: string;
	remembered?: Remembered;
}

/** The nodes of active workflows whose last poll is not over, because the service lets it wait. */
const polling = new Set<string>();

/**
 * Reads the usage (service interface, sections 2 and 4) and compares it with the one before.
 *
 * @returns an item `{ event, plan, remaining, previous }` for each event that was chosen and occurred;
 * null when there is none, as at the first poll of an account. A test run in the editor always gives an
 * item for each event that was chosen, and remembers nothing.
 * @throws NodeApiError for input that cannot be, and when the usage could not be read: then nothing is
 * remembered, and the next poll compares with the usage before
 */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const key = `${this.getWorkflow().id} ${this.getNode().id}`;
	const isTest = this.getMode() === 'manual';
	// Two polls at once could have their answers in the wrong order, which would look like a change.
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
	const usage = await readUsage(context);
	const memory = context.getWorkflowStaticData('node') as StaticData;
	const credential = context.getNode().credentials?.[CREDENTIAL]?.id ?? '';
	// The numbers of two accounts have nothing to do with each other.
	const before = memory.credential === credential ? memory.remembered : undefined;
	if (isTest) return itemsOf(chosen, usage, before ?? usage);
	const { events, remembered } = compare(before, usage, threshold);
	Object.assign(memory, { credential, remembered });
	return itemsOf(
		events.filter((event) => chosen.includes(event)),
		usage,
		before ?? usage,
	);
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

async function readUsage(context: IPollFunctions): Promise<Usage> {
	const usage = await requestUsage(new Requester(), context, TIMEOUT);
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
