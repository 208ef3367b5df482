import { IN_BROWSER, RESTARTING, runFiles } from './e2e/runFiles';

runFiles((name) => !IN_BROWSER.test(name) && !RESTARTING.test(name));
