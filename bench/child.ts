import { fork, type ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';

interface Question<Q> {
	id: number;
	question: Q;
}

interface Answer<A> {
	id: number;
	answer?: A;
	error?: string;
}

/** A child process that answers questions, each with one answer. */
export class Child<Q, A> {
	private readonly process: ChildProcess;
	private readonly waiting = new Map<
		number,
		{ resolve: (answer: A) => void; reject: (error: Error) => void }
	>();
	private asked = 0;

	/** @param script the name of a script in this folder, which calls `answerQuestions` */
	constructor(script: string) {
		this.process = fork(resolve(__dirname, script), {
			cwd: resolve(__dirname, '..'),
			execArgv: ['--import', 'tsx'],
		});
		this.process.on('message', ({ id, answer, error }: Answer<A>) => {
			const { resolve, reject } = this.waiting.get(id) ?? {};
			this.waiting.delete(id);
			if (error === undefined) resolve?.(answer as A);
			else reject?.(new Error(error));
		});
		this.process.once('exit', (code, signal) => {
			for (const { reject } of this.waiting.values()) {
				reject(new Error(`${script} ended (${signal ?? code}) before it responded.`));
			}
		});
	}

	async ask(question: Q): Promise<A> {
		const id = ++this.asked;
		return await new Promise((resolve, reject) => {
			this.waiting.set(id, { resolve, reject });
			this.process.send({ id, question } satisfies Question<Q>, (error) => {
				if (error) reject(error);
			});
		});
	}

	/** The child exits when it is disconnected. */
	end(): void {
		if (this.process.connected) this.process.disconnect();
	}
}

/** The child's side: answers each question until the parent process is gone. */
export function answerQuestions<Q, A>(answer: (question: Q) => Promise<A>): void {
	process.on('message', ({ id, question }: Question<Q>) => {
		answer(question).then(
			(value) => process.send?.({ id, answer: value } satisfies Answer<A>),
			(error: Error) => process.send?.({ id, error: error.message } satisfies Answer<A>),
		);
	});
	process.once('disconnect', () => process.exit());
}
