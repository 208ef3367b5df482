import { useClock } from './clock';

/** For an engine test that runs by itself: `engine.test.ts` does it for all. */
if (expect.getState().testPath?.includes('engine')) useClock();
