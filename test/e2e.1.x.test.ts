import { runFiles } from './e2e/runFiles';

/** In n8n 1 every operation, every promise, what is done, the trigger, and what decides about accounts and leads. */
const IN_N8N_1 =
	/^(credentials|doneIsDone|followed|killed|labels|leads|links|operations|promises|sheets|trigger)$/;

runFiles((name) => IN_N8N_1.test(name));
