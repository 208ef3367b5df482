import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { Requester } from '../shared/pacing/requester';
import { asHtml, asNodeError, explanationOf, told } from '../shared/errors/explain';
import { Failure, Refusal, sentences } from '../shared/errors/failure';
import { isTemporary } from '../shared/errors/outcomes';
import { loadCredentialWithoutItem } from '../shared/service/credential';
import { withDeadline } from '../shared/service/deadline';
import { isUnset, readWholeNumber, quote } from '../shared/input';
import { requestUsage } from '../shared/pacing/requestUsage';
import { comparable, type Usage } from '../shared/service/usage';
import { compare, EVENTS, type Event, type State } from './events';

/**
 * How long a poll may take in total, in milliseconds: n8n abandons a poll after 45 seconds, and the next
 * one comes a minute later at the earliest.
 */
const LONGEST_POLL = 30_000;

/** The node's static data: the account of the last poll, and its state. */
interface StaticData extends IDataObject {
	account?: string;
	remembered?: State;
	/** When `remembered` was saved, in milliseconds since 1970; always later than at the previous poll. */
	at?: number;
}

/**
 * The state after polls without an event, by node. n8n saves static data only when an event starts the
 * workflow, and reloads it whenever the workflow changes; its durable scheduler does so at each poll.
 */
const withoutEvent = new Map<string, StaticData>();

/** The nodes of active workflows whose last poll is still in progress. */
const polling = new Set<string>();

/** The nodes with a successful poll since they were published, or since n8n started. */
const followed = new Set<string>();

/** n8n's contexts of the polls so far. */
const contexts = new WeakSet<IPollFunctions>();

/** The budget of a poll that n8n never abandons, in milliseconds. */
const NO_LIMIT = 300_000;

/**
 * Reads the usage (service interface, sections 2 and 4) and compares it with the previous one.
 *
 * @returns an item `{ event, plan, remaining, previous }` for each chosen event that occurred; null
 * when there is none, while another poll of the node is in progress, and when the first poll fails and
 * the next one may succeed. A test run in the editor always returns an item for each chosen event, and
 * keeps no state.
 * @throws NodeApiError for invalid input, and when the usage could not be read within the time of a poll:
 * then the state does not change. The first poll at a start of n8n never throws, and at publishing only
 * what somebody has to change.
 */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const node = this.getNode();
	const key = `${this.getWorkflow().id} ${node.id}`;
	const isTest = this.getMode() === 'manual';
	const isFirst = !isTest && isFirstPoll(this);
	if (isFirst) followed.delete(key);
	// Two polls at once could be answered in the wrong order, which would look like a change.
	if (!isTest && polling.has(key)) return null;
	if (!isTest) polling.add(key);
	try {
		const items = await compareUsage(this, key, isTest);
		return items.length > 0 ? [items] : null;
	} catch (error) {
		const explanation = explanationOf(error);
		const isTriedAgain =
			['init', 'leadershipChange'].includes(this.getActivationMode()) ||
			isTemporary(explanation.forSchedulers, error instanceof Failure ? error.reason : undefined);
		const words = told(explanation);
		const shown = { ...words, description: asHtml(words.description) };
		if (!isFirst) throw asNodeError(node, shown);
		const said = sentences(words.message, words.description);
		// When publishing fails, n8n shows only the message.
		if (!isTriedAgain) throw asNodeError(node, { ...shown, message: said });
		this.logger.warn(`${node.name}: the first poll failed, the next one tries again. ${said}`);
		return null;
	} finally {
		if (!isTest) polling.delete(key);
	}
}

/**
 * Whether n8n makes this poll when it starts, or at publishing. If it throws, n8n tries a few times, and then
 * never polls again. All polls that follow have the same context. Only n8n's durable scheduler makes a new
 * one for each, in the mode `update`; it is also the only one that abandons a poll.
 */
function isFirstPoll(context: IPollFunctions): boolean {
	const isKnown = contexts.has(context);
	contexts.add(context);
	return !isKnown && (context.getActivationMode() !== 'update' || budgetOf(context) >= NO_LIMIT);
}

async function compareUsage(
	context: IPollFunctions,
	key: string,
	isTest: boolean,
): Promise<INodeExecutionData[]> {
	const chosen = readEvents(context.getNodeParameter('events'));
	const threshold = chosen.includes('allowanceLow')
		? readThreshold(context.getNodeParameter('threshold'))
		: undefined;
	const patience = Math.min(LONGEST_POLL, budgetOf(context));
	const requester = new Requester({ isUrgent: isTest, patience });
	const late = new Refusal(
		'n8n did not read the credential in time',
		"Nothing was sent. If this goes on, check n8n's database, or the vault that the credential reads from.",
		{ forSchedulers: { cause: 'temporarily-unavailable' } },
	);
	const loading = loadCredentialWithoutItem(
		context,
		'choose one without: a trigger has no input item.',
	);
	const credential = await withDeadline(patience, undefined, loading, late);
	const usage = await requestUsage(requester, context, credential);
	warnUnlessComparable(context, usage);
	const memory = context.getWorkflowStaticData('node') as StaticData;
	// Usage figures of different accounts are not comparable.
	const latest = latestOf(memory, withoutEvent.get(key));
	const before = latest.account === credential.idToStore ? latest.remembered : undefined;
	if (isTest) return itemsOf(chosen, usage, before);
	const { events, remembered } = compare(before, usage, threshold, followed.has(key));
	followed.add(key);
	// A clock that was set back must not make older figures look like the latest.
	const at = Math.max(Date.now(), (latest.at ?? 0) + 1);
	const known = { account: credential.idToStore, remembered, at };
	Object.assign(memory, known);
	const occurred = events.filter((event) => chosen.includes(event));
	// Not after an event: if the workflow has changed, n8n drops the new static data, and the next poll
	// must find the same event again.
	if (occurred.length === 0) withoutEvent.set(key, known);
	return itemsOf(occurred, usage, before);
}

function latestOf(saved: StaticData, other: StaticData | undefined): StaticData {
	return other && (other.at ?? 0) > (saved.at ?? 0) ? other : saved;
}

function readEvents(value: unknown): Event[] {
	const chosen: unknown[] = isUnset(value) ? [] : [value].flat();
	const unknown = chosen.filter((event) => !(EVENTS as readonly unknown[]).includes(event));
	if (chosen.length > 0 && unknown.length === 0) {
		return EVENTS.filter((event) => chosen.includes(event));
	}
	throw new Refusal(
		chosen.length === 0
			? '"Events" is empty'
			: `"Events" contains an unknown event: ${quote(unknown[0])}`,
		'Choose at least one event from the list.',
	);
}

function readThreshold(value: unknown): number {
	const advice =
		'Enter a whole number of 1 or more. The allowance is low when fewer requests remain.';
	return readWholeNumber('Threshold', value, advice, [1]);
}

/** How long n8n lets a poll take, in milliseconds. n8n 1.123 does not say. */
function budgetOf(context: Partial<Pick<IPollFunctions, 'getPollBudgetMs'>>): number {
	return context.getPollBudgetMs?.() ?? NO_LIMIT;
}

function warnUnlessComparable(context: IPollFunctions, { remaining }: Usage): void {
	if (comparable(remaining) !== undefined) return;
	context.logger.warn(
		`${context.getNode().name}: the service reports "${remaining}" remaining requests, which cannot be compared`,
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
