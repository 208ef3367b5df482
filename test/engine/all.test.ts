import { runFolder } from '../support/runFolder';

runFolder(__dirname);
