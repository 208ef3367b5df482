import type { Report } from '../../n8n/report';
import type { Bench } from '../bench';
import type { Part } from '../layout';
import type { Scope } from '../options';

/**
 * Measures a section of the benchmark, and yields its part of the page; nothing if none of its
 * candidates was chosen.
 */
export type Measure = (bench: Bench, scope: Scope, report: Report) => AsyncGenerator<Part>;
