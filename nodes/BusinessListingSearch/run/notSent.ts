import { Refusal } from '../../shared/refusal';

/** Refuses what another retry of the same execution has sent, in the same n8n process. */
export class TakenElsewhere extends Refusal {
	constructor() {
		super(
			'Not sent: another retry of this execution has already sent it',
			"Open the other retry in n8n's list of executions to see its outcome.",
			null,
		);
	}
}

/** Refuses to send again what may have been carried out in an earlier attempt. */
export class UnknownOutcome extends Refusal {
	/** @param before what happened in that attempt, in sentences */
	constructor(before?: string) {
		const whatToDo = 'Check your account, then run the workflow again for what is missing.';
		super(
			'Not sent again: the request may have been carried out in an earlier attempt',
			before === undefined ? whatToDo : `${whatToDo} What happened then: ${before}`,
			null,
		);
	}
}
