import type { IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import type { Requester } from '../../shared/pacing/requester';
import type { Failure } from '../../shared/errors/failure';
import type { Doubt } from '../../shared/errors/outcomes';
import type { Credential } from '../../shared/service/credential';
import type { ServiceRequest } from '../../shared/service/exchange';
import type { ServiceResponse } from '../../shared/service/response';
import type { RunContext } from '../input/call';
import type { RunOptions } from '../options/runOptions';

/** One request of a run, and how its response becomes output. */
export interface Task {
	/** The index of the input item it belongs to. */
	item: number;
	/** Its name in a list: `Item 3 ("dentist in Vienna")`, or a value. */
	label: string;
	/** What it is about, on one line: a keyword or a value. */
	name?: string;
	/**
	 * What tells it from all others across the attempts of the run: its operation, the index and the fingerprint of its
	 * input item, and what it requests (the credential's number, path and body). A job of an input item is told without
	 * what it requests: once created, it is done, whatever a person changes before a retry.
	 */
	identity: unknown;
	request: ServiceRequest;
	/** Why it is not sent. */
	refused?: Failure;
	/** Whether it stands for an input item that is refused as a whole: then it is not counted. */
	isRow?: boolean;
	/** The fields of its input item that its output contains. */
	inputFields?: IDataObject;
	parse: Parse;
}

/** An input item that is refused as a whole. */
export function refusedRow(item: number, refused: Failure): Task {
	const label = `Item ${item}`;
	const identity = ['row', item];
	return {
		item,
		label,
		identity,
		request: { url: '' },
		isRow: true,
		refused,
		parse: () => [],
	};
}

/** Makes the JSON of the output items of a response; throws Failure for an undocumented one. */
export type Parse = (response: ServiceResponse) => IDataObject[];

/** A task that was carried out. */
export interface Done {
	output: IDataObject[];
	/** The name under which its id is listed. */
	name?: string | undefined;
	/** The key of the task that was sent: the first of those that asked for the same. */
	sentBy: string;
}

/** A task that failed. */
export interface FailedTask {
	label: string;
	/** Why, in sentences. */
	reason: string;
	/** Whether it may have been carried out all the same. */
	doubt?: Doubt;
	/** The status that the service answered with. */
	httpCode?: string;
	/** Whether a retry meets it again. */
	recurs?: boolean;
}

/** A task that may have been carried out. */
export interface InDoubt extends FailedTask {
	/** The executions that have sent it. */
	executions: string[];
	/** What it has asked the service for: a person can change it before a retry. */
	requests: string[];
	/** The key of the task that was sent last: the first of those that asked for the same. */
	sentBy: string;
}

export interface FailedEnd {
	kind: 'failed';
	failure: Failure;
	/** What was said, and what to do about it, without the rest of the run. */
	description: string;
	/** What becomes of the input item with Continue. */
	errorItem: INodeExecutionData;
	failed: FailedTask;
	endedRun: boolean;
}

export type TaskEnd =
	| ({ kind: 'done' } & Done)
	/** Of a dry run. */
	| { kind: 'checked' }
	| FailedEnd
	| { kind: 'notStarted' };

/** A task on its way through the run. */
export interface TaskState {
	readonly task: Task;
	/** Identifies it across all attempts of the run. */
	readonly key: string;
	/** How it failed in an earlier attempt that had sent it, if it is not done. */
	readonly inDoubt?: InDoubt | undefined;
	credential?: Credential;
	/** Why it is not sent. */
	refused?: Failure | undefined;
	/** A hash of what it asks the service for. */
	asked?: string;
	/** The first task that asks for the same. Only that one is sent, and all end as it does. */
	first?: TaskState;
	/** Whether others end as this one does: then its response is kept. */
	isAwaited?: boolean;
	response?: ServiceResponse;
	end?: TaskEnd;
}

/** What the tasks of a run create, add or delete. */
export type Changes = 'jobs' | 'values' | 'blacklists';

/**
 * Decides whether tasks may be sent, before the first of them is. It is asked once.
 *
 * @param total how many input items the run has: all count, including those done by an earlier attempt
 * @returns for each the reason not to send it, or undefined
 */
export type Admission = (
	tasks: TaskState[],
	total: number,
	options: RunOptions,
	requester: Requester,
	context: RunContext,
) => Promise<Array<Failure | undefined>>;

/** What all tasks of a run have in common. */
export interface Plan {
	/** What they are to the user, as a plural. */
	noun: 'items' | 'values';
	/**
	 * Jobs have a lane of their own: each is paid for, and its `job_id` must not be lost. A value costs one request, and
	 * nobody can look one up, so a person's retry sends it again where its outcome is unknown. Undefined: nothing.
	 */
	changes?: Changes | undefined;
	/** The form of its operation, with the options. */
	form?: INodeProperties[] | undefined;
	/** Decides about all tasks together. */
	admit?: Admission | undefined;
	/** Whether the run continues after this error also without Continue. */
	goesOnAfter?: (failure: Failure) => boolean;
}
