import type * as Clock from './clock';

/** For the tests on an engine. Another test that needs the clock has its own. */
if (/[\\/](engine|versions|reliances)[\\/.]/.test(expect.getState().testPath ?? '')) {
	jest.requireActual<typeof Clock>('./clock').useClock();
}
