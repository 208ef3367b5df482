import { useClock } from './clock';

/** For an engine test that runs by itself. A unit test that needs the clock beside it has its own. */
if (!/[\\/]unit[\\/]/.test(expect.getState().testPath ?? '')) useClock();
