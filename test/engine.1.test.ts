/*
 * The files of `engine` in two, this one and `engine.2.test.ts`: loading n8n-core takes longer than the tests of most
 * of them, and two keep two cores busy. By their names, so that jest knows which tests belong to a change. To run one
 * of them: npx jest engine/<its name>
 */
describe('addItems', () => void jest.requireActual('./engine/addItems.test'));
describe('batching', () => void jest.requireActual('./engine/batching.test'));
describe('blacklistDropdown', () => void jest.requireActual('./engine/blacklistDropdown.test'));
describe('busyN8n', () => void jest.requireActual('./engine/busyN8n.test'));
describe('connection', () => void jest.requireActual('./engine/connection.test'));
describe('credential', () => void jest.requireActual('./engine/credential.test'));
describe('credentialPerItem', () => void jest.requireActual('./engine/credentialPerItem.test'));
describe('doneIsDone', () => void jest.requireActual('./engine/doneIsDone.test'));
describe('dryRun', () => void jest.requireActual('./engine/dryRun.test'));
describe('ending', () => void jest.requireActual('./engine/ending.test'));
describe('everyOperation', () => void jest.requireActual('./engine/everyOperation.test'));
describe('failures', () => void jest.requireActual('./engine/failures.test'));
describe('fields', () => void jest.requireActual('./engine/fields.test'));
describe('gaps', () => void jest.requireActual('./engine/gaps.test'));
describe('hints', () => void jest.requireActual('./engine/hints.test'));
describe('keyLeaks', () => void jest.requireActual('./engine/keyLeaks.test'));
describe('lanes', () => void jest.requireActual('./engine/lanes.test'));
describe('lostExecution', () => void jest.requireActual('./engine/lostExecution.test'));
describe('maxJobs', () => void jest.requireActual('./engine/maxJobs.test'));
describe('minRemaining', () => void jest.requireActual('./engine/minRemaining.test'));
