import { withDeadline } from '../../nodes/shared/time/clock';
import { advance, settle, until, useClock } from '../support/clock';

useClock();

it('work that fails after its time leaves no unhandled rejection', async () => {
	const unhandled = jest.fn();
	process.on('unhandledRejection', unhandled);
	const late = new Promise((_resolve, reject) => setTimeout(reject, 30, new Error('late')));
	const otherwise = (reason: string) => {
		throw new Error(reason);
	};
	await expect(until(withDeadline(5, undefined, late, otherwise))).rejects.toThrow('timedOut');
	await advance(60);
	await settle();
	process.off('unhandledRejection', unhandled);
	expect(unhandled).not.toHaveBeenCalled();
});
