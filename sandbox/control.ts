import type { FastifyPluginCallback } from 'fastify';

import type { FaultPlan, FaultRule } from './faults';
import { Refusal } from './refusal';
import type { SandboxState } from './state';
import type { Traffic } from './traffic';

declare module 'fastify' {
	interface FastifyContextConfig {
		/** A request to the sandbox itself: not recorded, no key, no faults. */
		control?: boolean;
	}
}

export interface ControlOptions {
	state: SandboxState;
	faults: FaultPlan;
	traffic: Traffic;
	reset: () => void;
}

/** Which fields a fault of each kind cannot do without. */
const neededFields = {
	status: ['status'],
	delay: ['ms'],
	drop: [],
	hang: [],
	html: [],
	truncated: [],
	cut: [],
	json: ['body'],
	successFalse: [],
	nb: [],
	redirect: ['to'],
	echo: ['status'],
	large: ['bytes'],
	trickle: ['ms'],
	rateLimit: ['perSecond'],
};

const count = { type: 'integer', minimum: 0 };

const faultSchema = {
	type: 'object',
	required: ['kind'],
	additionalProperties: false,
	properties: {
		kind: { type: 'string', enum: Object.keys(neededFields) },
		status: { type: 'integer', minimum: 200, maximum: 599 },
		headers: { type: 'object', additionalProperties: { type: 'string' } },
		body: {},
		carryOut: { type: 'boolean' },
		ms: { type: 'number', minimum: 0 },
		to: { type: 'string' },
		bytes: count,
		perSecond: { type: 'number', exclusiveMinimum: 0 },
		retryAfter: { type: 'string', enum: ['seconds', 'date', 'none'] },
	},
	allOf: Object.entries(neededFields).map(([kind, required]) => ({
		if: { properties: { kind: { const: kind } } },
		then: { required },
	})),
};

const rulesSchema = {
	type: 'array',
	items: {
		type: 'object',
		required: ['fault'],
		additionalProperties: false,
		properties: {
			method: { type: 'string' },
			path: { type: 'string' },
			match: { type: 'string' },
			skip: count,
			times: count,
			probability: { type: 'number', minimum: 0, maximum: 1 },
			fault: faultSchema,
		},
	},
};

/** The sandbox's own paths, to look into it and to set faults from outside the process. */
export const control: FastifyPluginCallback<ControlOptions> = (app, options, done) => {
	const { state, faults, traffic, reset } = options;
	const config = { control: true };

	// Any content-type is taken for JSON: `curl -d` sends that of a form unless told otherwise.
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, parsed) => {
		try {
			parsed(null, text === '' ? undefined : JSON.parse(text.toString()));
		} catch {
			parsed(new Refusal(400, 'The body is not valid JSON'));
		}
	});

	app.get('/sandbox', { config }, () => ({
		plan: state.plan,
		remaining: state.remaining,
		jobs: state.jobs,
		blacklists: Array.from(state.blacklists, ([name, items]) => ({
			name,
			items: [...items.values()],
		})),
		requests: traffic.requestCount,
		faults: faults.list(),
	}));

	app.put<{ Body: FaultRule[] }>(
		'/sandbox/faults',
		{ config, schema: { body: rulesSchema } },
		(request) => {
			faults.clear();
			for (const rule of request.body) faults.add(rule);
			return faults.list();
		},
	);

	app.delete('/sandbox/faults', { config }, () => {
		faults.clear();
		return faults.list();
	});

	app.post('/sandbox/reset', { config }, () => {
		reset();
		return { reset: true };
	});
	done();
};
