import { engineLogger } from './engine';

/** The captured log. */
export interface Log {
	/** The lines of this test so far. */
	lines(level?: 'info' | 'warn' | 'error'): string[];
}

/** Captures n8n's log during each test of a file. */
export function useLog(): Log {
	let written: Array<{ level: string; line: string }> = [];
	beforeEach(() => {
		written = [];
		const logger = engineLogger();
		for (const level of ['info', 'warn', 'error'] as const) {
			jest.spyOn(logger, level).mockImplementation((line) => void written.push({ level, line }));
		}
	});
	afterEach(() => jest.restoreAllMocks());
	return {
		lines: (wanted) =>
			written.filter(({ level }) => !wanted || level === wanted).map(({ line }) => line),
	};
}
