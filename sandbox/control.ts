import type { FastifyPluginCallback } from 'fastify';

import type { FaultPlan } from './faultPlan';
import type { FaultKind, FaultOf, FaultRule } from './faults';
import { Rejection } from './rejection';
import type { SandboxState } from './state';
import type { Traffic } from './traffic';

declare module 'fastify' {
	interface FastifyContextConfig {
		/** A request to the sandbox itself: not recorded, no key, no faults. */
		control?: boolean;
	}
}

interface ControlOptions {
	state: SandboxState;
	faults: FaultPlan;
	traffic: Traffic;
}

type FieldOf<Kind extends FaultKind> = Exclude<keyof FaultOf<Kind>, 'kind'>;

const anything = {};
const text = { type: 'string' };
const flag = { type: 'boolean' };
const count = { type: 'integer', minimum: 0 };
const milliseconds = { type: 'number', minimum: 0 };
const status = { type: 'integer', minimum: 200, maximum: 599 };
const headers = { type: 'object', additionalProperties: text };
const carryOut = flag;

/** The fields of each kind of fault besides `kind`. */
const fields: { [Kind in FaultKind]: { [Field in FieldOf<Kind>]-?: object } } = {
	status: { status, headers, body: anything, carryOut },
	delay: { ms: milliseconds },
	drop: { carryOut },
	hang: {},
	stall: { status, headers, gzip: flag, after: count, carryOut },
	html: {},
	truncated: { carryOut },
	cut: { carryOut },
	json: { body: anything, carryOut },
	raw: { body: text, status, carryOut },
	successFalse: {},
	nb: {},
	redirect: { to: text, status },
	echo: {
		status,
		form: { type: 'string', enum: ['plain', 'slashes', 'unicode'] },
		in: { type: 'string', enum: ['body', 'location'] },
	},
	trickle: { ms: milliseconds },
	rateLimit: {
		perSecond: { type: 'number', exclusiveMinimum: 0 },
		retryAfter: { type: 'string', enum: ['seconds', 'date', 'none'] },
	},
	capacity: {
		atOnce: { type: 'integer', minimum: 1 },
		ms: milliseconds,
		refuses: flag,
		retryAfter: text,
	},
};

/** The required fields of each kind of fault. */
const required: { [Kind in FaultKind]?: Array<FieldOf<Kind>> } = {
	status: ['status'],
	delay: ['ms'],
	json: ['body'],
	raw: ['body'],
	redirect: ['to'],
	echo: ['status'],
	trickle: ['ms'],
	rateLimit: ['perSecond'],
	capacity: ['atOnce'],
};

const kinds = Object.keys(fields) as FaultKind[];

const faultSchema = {
	type: 'object',
	required: ['kind'],
	properties: { kind: { type: 'string', enum: kinds } },
	allOf: kinds.map((kind) => ({
		if: { required: ['kind'], properties: { kind: { const: kind } } },
		then: {
			required: required[kind] ?? [],
			properties: { kind: anything, ...fields[kind] },
			additionalProperties: false,
		},
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

/** The sandbox's own paths, to inspect it and to set faults from outside the process. */
export const control: FastifyPluginCallback<ControlOptions> = (app, options, done) => {
	const { state, faults, traffic } = options;
	const config = { control: true };

	// Any content-type is taken for JSON: `curl -d` sends that of a form unless told otherwise.
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, parsed) => {
		try {
			parsed(null, text === '' ? undefined : JSON.parse(text.toString()));
		} catch {
			parsed(new Rejection(400, 'The body is not valid JSON'));
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
	done();
};
