import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { Requester } from '../shared/pacing/requester';
import { asFailure, Failure, sentences } from '../shared/errors/failure';
import { asNodeError } from '../shared/errors/shown';
import { loadCredentialWithoutItem } from '../shared/service/credential';
import { withDeadline } from '../shared/time/clock';
import { isUnset, readChoice, readWholeNumber } from '../shared/readField';
import { requestUsage } from '../shared/pacing/requestUsage';
import type { Usage } from '../shared/service/usage';
import { LONGEST_AT_PUBLISHING, LONGEST_POLL } from '../shared/time/timeLimits';
import { compare, EVENTS, type Event, type State } from './events';

/** The node's static data. */
interface Memory extends State {
	/** The account of the last poll: the usages of two accounts are not comparable. */
	account: string;
	/** When it was read, in milliseconds since 1970; always later than at the previous poll. */
	at: number;
}

/**
 * The state after the last poll of this process without an event, by node. n8n saves static data only when an event
 * starts the workflow, and reloads it whenever the workflow changes; its durable scheduler does so at each poll.
 */
const latest = new Map<string, Memory | undefined>();

/** The nodes of active workflows whose last poll is still in progress. */
const polling = new Set<string>();

/** n8n's contexts of the polls so far. All polls but the first have the context of that one, with its mode. */
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
	const first = contexts.has(this) ? undefined : this.getActivationMode();
	contexts.add(this);
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
	const saved = context.getWorkflowStaticData('node') as Partial<Memory>;
	const own = latest.get(key);
	// n8n may have dropped the state of the last poll, and another main process may have saved a later one.
	const last = own && own.at > (saved.at ?? 0) ? own : saved;
	const account = credential.idToStore;
	const before = last.account === account ? (last as Memory) : undefined;
	const { events, state } = compare(before, usage, threshold, latest.has(key));
	const told = (isTest ? EVENTS : events).filter((event) => chosen.includes(event));
	const items = itemsOf(told, usage, before);
	if (isTest) return items;
	const memory = { ...state, account, at: Math.max(Date.now(), (last.at ?? 0) + 1) };
	Object.assign(saved, memory);
	// Not after an event: if the workflow has changed, n8n drops the new static data, and the next poll
	// must find the same event again.
	latest.set(key, told.length > 0 ? own : memory);
	return items;
}

function credentialTooLate(): never {
	throw new Failure(
		'n8n did not read the credential in time',
		"Nothing was sent. If this goes on, check n8n's database, or the vault that the credential reads from.",
	);
}

function readEvents(value: unknown): Event[] {
	const chosen: unknown[] = isUnset(value) ? [] : [value].flat();
	if (chosen.length > 0) return chosen.map((event) => readChoice('Events', event, EVENTS));
	throw new Failure('"Events" is empty', 'Choose at least one event from the list.');
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
