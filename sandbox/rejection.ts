import type { FastifySchemaValidationError } from 'fastify/types/schema';

/** An error that Fastify answers with its status. */
export class Rejection extends Error {
	constructor(
		readonly statusCode: number,
		message: string,
	) {
		super(message);
	}
}

/**
 * Describes the first error of the schema check in words that name the field.
 * @param errors what ajv found
 * @param part what was checked: 'body', 'querystring', 'params'
 */
export function schemaRejection(errors: FastifySchemaValidationError[], part: string): Rejection {
	const [error] = errors;
	return new Rejection(400, error === undefined ? `Invalid ${part}` : inWords(error, part));
}

function inWords(error: FastifySchemaValidationError, part: string): string {
	const { params } = error;
	const path = error.instancePath.slice(1).replaceAll('/', '.');
	const field = path === '' ? `The ${part}` : `"${path}"`;
	const within = path === '' ? '' : `${path}.`;
	switch (error.keyword) {
		case 'required':
			return `"${within}${String(params.missingProperty)}" is required`;
		case 'additionalProperties': {
			const what = part === 'querystring' ? 'query parameter' : 'field';
			return `Unknown ${what} "${within}${String(params.additionalProperty)}"`;
		}
		case 'enum':
			return `${field} must be one of ${[params.allowedValues].flat().join(', ')}`;
		case 'minLength':
			return `${field} must not be empty`;
		default:
			return `${field} ${error.message ?? 'is invalid'}`;
	}
}
