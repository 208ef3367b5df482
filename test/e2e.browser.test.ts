import { IN_BROWSER, runFiles } from './e2e/runFiles';

runFiles((name) => IN_BROWSER.test(name));
