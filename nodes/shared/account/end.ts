/**
 * What the end of a request says about the service: `accepted`, it answered, whatever it said; `refused`, it
 * asked for a pause; `trouble`, it failed, timed out, or the connection broke or was refused; `other`,
 * nothing.
 */
export type End = 'accepted' | 'refused' | 'trouble' | 'other';
