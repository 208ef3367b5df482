import type { IDataObject, IExecuteFunctions, IExecuteSingleFunctions } from 'n8n-workflow';

import type { Requester } from '../../shared/account/requester';
import type { RunOptions } from '../../shared/account/runLimit';
import type { Advice, Explanation, Told } from '../../shared/errors/explain';
import type { Refused } from '../../shared/errors/failure';
import type { Doubt } from '../../shared/errors/notSent';
import { changesSomething } from '../../shared/errors/outcomes';
import type { Credential } from '../../shared/http/credential';
import type { ServiceRequest } from '../../shared/http/exchange';
import type { ServiceResponse } from '../../shared/http/response';

export type RunContext = IExecuteFunctions | IExecuteSingleFunctions;

/** What a guard knows of the run and the task. */
export interface Guarded {
	requester: Requester;
	task: Task;
	credential: Credential;
}

/** Decides whether a task may be sent. */
export interface Guard {
	/**
	 * Reads what it depends on, before anything of the run is sent, at once with the guards of the other tasks.
	 *
	 * @returns rejects with a Refusal if it cannot be read, for the first of the tasks that depend on the same
	 */
	read(guarded: Guarded): Promise<unknown> | undefined;
	/** Asked for each task in order, before it is sent. Throws Refusal if it may not be sent. */
	check(): Promise<void>;
}

/** One request of a run, and how its response becomes output. */
export interface Task {
	context: RunContext;
	/** The index of the input item it belongs to. */
	item: number;
	/** Its name in a list: `Item 3 ("dentist in Vienna")`, or a value. */
	label: string;
	/** What it is about, on one line: a keyword or a value. */
	name?: string;
	/** Identifies the task across all attempts of the run. */
	identity: unknown;
	request: ServiceRequest;
	/** Why it is not sent, and where that was found. */
	refused?: { error: unknown; of: Refused };
	guard?: Guard;
	/** Whether it is only checked. */
	isDry?: boolean;
	/** The fields of its input item that its output contains. */
	inputFields?: IDataObject;
	/** Makes the JSON of the output items; throws Failure for an undocumented response. */
	parse: (response: ServiceResponse) => IDataObject[];
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
	/** Whether it failed in an earlier attempt, and was not reached in this one. */
	isEarlier?: true;
}

export interface FailedEnd {
	kind: 'failed';
	error: unknown;
	explanation: Explanation;
	/** What the user sees: if it ended the run, with a summary of the run. */
	told: Told;
	failed: FailedTask;
	endedRun: boolean;
}

export type TaskEnd =
	| { kind: 'done'; output: IDataObject[] }
	/** Of a dry run. */
	| { kind: 'checked' }
	| FailedEnd
	| { kind: 'notStarted' };

export function methodOf({ request }: Task): string {
	return request.method ?? 'GET';
}

/** Whether a task changes something, and must not be sent twice. */
export function isChange(task: Task): boolean {
	return !task.isDry && changesSomething(methodOf(task));
}

/** What all tasks of a run have in common. */
export interface Plan {
	/** How many tasks there are, in all calls of `carryOut`. */
	total: number;
	/** Their name, in the plural. */
	what: 'items' | 'values';
	/** Its own limits, beside those of the account. */
	limits: RunOptions;
	/** Whether they create jobs, which have a lane of their own: each is paid for, and its `job_id` must not be lost. */
	createsJobs: boolean;
	/** What to do about failures, in the terms of the operation's form. */
	advice?: Advice;
	/** Whether an AI model reads the failures. */
	isTool?: boolean;
	/** How long it may start requests, in milliseconds; default: without a limit. */
	startsWithin?: number | undefined;
	/** Whether the run continues after this error. */
	goesOnAfter: (error: unknown) => boolean;
}
