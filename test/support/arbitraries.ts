import fc from 'fast-check';

import type { ConnectionTrouble } from '../../nodes/shared/http/failure';

/** Every way in which a connection can fail. */
export const connectionTrouble = fc.constantFrom<ConnectionTrouble>(
	'blocked',
	'noAddress',
	'notConnected',
	'notSecure',
	'timedOut',
	'broken',
);
