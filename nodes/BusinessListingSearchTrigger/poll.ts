import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { Requester } from '../shared/pacing/requester';
import { asFailure, Failure, sentences } from '../shared/errors/failure';
import { asNodeError } from '../shared/errors/shown';
import { loadCredentialWithoutItem } from '../shared/service/credential';
import { withDeadline } from '../shared/time/clock';
import { isUnset, readWholeNumber, quote } from '../shared/input';
import { requestUsage } from '../shared/pacing/requestUsage';
import type { Usage } from '../shared/service/usage';
import { compare, EVENTS, type Event, type State } from './events';

/**
 * How long a poll may take in total, in milliseconds: n8n abandons a poll after 45 seconds, and the next
 * one comes a minute later at the earliest.
 */
const LONGEST_POLL = 30_000;

/**
 * The same for the poll that publishes a workflow: n8n 2.41 tries five times within 84 seconds, and whoever publishes is
 * to read what the service says, not that n8n's time is over.
 */
const LONGEST_AT_PUBLISHING = 10_000;

/** The node's static data: the account of the last poll, and its state. */
interface StaticData extends IDataObject {
	account?: string;
	remembered?: State;
	/** When it was read, in milliseconds since 1970; always later than at the previous poll. */
	at?: number;
}

/**
 * The state after the last poll of this process without an event, by node. n8n saves static data only when an event
 * starts the workflow, and reloads it whenever the workflow changes; its durable scheduler does so at each poll.
 */
const latest = new Map<string, StaticData | undefined>();

/** The nodes of active workflows whose last poll is still in progress. */
const polling = new Set<string>();

/** n8n's contexts of the polls so far. */
const contexts = new WeakSet<IPollFunctions>();

/**
 * Reads the usage (service interface, sections 2 and 4) and compares it with the previous one.
 *
 * @returns an item `{ event, plan, remaining, previous }` for each chosen event that occurred; null
 * when there is none, while another poll of the node is in progress, and when the first poll at a start of n8n fails.
 * A test run in the editor always returns an item for each chosen event, and keeps no state.
 * @throws NodeApiError for invalid input, and when the usage could not be read within the time of a poll:
 * then the state does not change
 */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const node = this.getNode();
	const key = `${this.getWorkflow().id} ${node.id}`;
	const isTest = this.getMode() === 'manual';
	const first = modeOfFirst(this);
	const longest = first === 'activate' ? LONGEST_AT_PUBLISHING : LONGEST_POLL;
	// Two polls at once could be answered in the wrong order, which would look like a change.
	if (!isTest && polling.has(key)) return null;
	if (!isTest) polling.add(key);
	try {
		const items = await compareUsage(this, key, isTest, longest);
		return items.length > 0 ? [items] : null;
	} catch (error) {
		const { message, description, httpCode, cause } = asFailure(error);
		// One text: when publishing fails, n8n shows only the message.
		const said = sentences(message, description);
		// At its start n8n tries a few times, and then never polls again.
		const isAtStart = first === 'init' || first === 'leadershipChange';
		if (!isAtStart) throw asNodeError(node, { message: said, description: '', httpCode, cause });
		this.logger.warn(`${node.name}: the first poll failed, the next one tries again. ${said}`);
		return null;
	} finally {
		if (!isTest) polling.delete(key);
	}
}

/** Why n8n makes the first poll of a context; undefined for all that follow, which have the same context and mode. */
function modeOfFirst(context: IPollFunctions) {
	if (contexts.has(context)) return undefined;
	contexts.add(context);
	return context.getActivationMode();
}

async function compareUsage(
	context: IPollFunctions,
	key: string,
	isTest: boolean,
	longest: number,
): Promise<INodeExecutionData[]> {
	const chosen = readEvents(context.getNodeParameter('events'));
	const threshold = chosen.includes('allowanceLow')
		? readWholeNumber('Threshold', context.getNodeParameter('threshold'), [1])
		: undefined;
	// n8n 1.123 does not say how long a poll may take.
	const budget = (context as Partial<IPollFunctions>).getPollBudgetMs?.();
	const patience = Math.min(longest, budget ?? longest);
	const requester = new Requester(isTest, patience);
	const loading = loadCredentialWithoutItem(
		context,
		'choose one without: a trigger has no input item.',
	);
	const credential = await withDeadline(patience, undefined, loading, credentialTooLate);
	const usage = await requestUsage(requester, context, credential);
	const memory = context.getWorkflowStaticData('node') as StaticData;
	const own = latest.get(key);
	// Another main process of n8n may have saved a later one.
	const last = own && (own.at ?? 0) > (memory.at ?? 0) ? own : memory;
	// Usage figures of different accounts are not comparable.
	const before = last.account === credential.idToStore ? last.remembered : undefined;
	if (isTest) return itemsOf(chosen, usage, before);
	const { events, remembered } = compare(before, usage, threshold, latest.has(key));
	const at = Math.max(Date.now(), (last.at ?? 0) + 1);
	const known = { account: credential.idToStore, remembered, at };
	Object.assign(memory, known);
	const occurred = events.filter((event) => chosen.includes(event));
	// Not after an event: if the workflow has changed, n8n drops the new static data, and the next poll
	// must find the same event again.
	latest.set(key, occurred.length > 0 ? own : known);
	return itemsOf(occurred, usage, before);
}

function credentialTooLate(): never {
	throw new Failure(
		'n8n did not read the credential in time',
		"Nothing was sent. If this goes on, check n8n's database, or the vault that the credential reads from.",
	);
}

function readEvents(value: unknown): Event[] {
	const chosen: unknown[] = isUnset(value) ? [] : [value].flat();
	const unknown = chosen.filter((event) => !(EVENTS as readonly unknown[]).includes(event));
	if (chosen.length > 0 && unknown.length === 0) {
		return EVENTS.filter((event) => chosen.includes(event));
	}
	throw new Failure(
		chosen.length === 0
			? '"Events" is empty'
			: `"Events" contains an unknown event: ${quote(unknown[0])}`,
		'Choose at least one event from the list.',
	);
}

function itemsOf(events: Event[], usage: Usage, before: State | undefined): INodeExecutionData[] {
	const fieldsOf = ({ plan, remaining }: Usage) => ({ plan, remaining });
	return events.map((event) => {
		// The first poll with Allowance Low has nothing to compare with.
		const isNew = event === 'allowanceLow' && before?.isArmed === undefined;
		const previous = fieldsOf(isNew ? usage : (before ?? usage));
		return { json: { event, ...fieldsOf(usage), previous } };
	});
}
