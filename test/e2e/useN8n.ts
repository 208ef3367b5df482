import { useN8n } from './n8n';

/** Before the tests of a file; those in `own` start an n8n of their own. */
if (!/[\\/]own[\\/]/.test(expect.getState().testPath ?? '')) useN8n();
