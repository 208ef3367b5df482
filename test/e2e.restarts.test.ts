import { RESTARTING, runFiles } from './e2e/runFiles';

runFiles((name) => RESTARTING.test(name));
