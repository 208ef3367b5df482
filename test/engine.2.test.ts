/* The other half of `engine.1.test.ts`. */
describe('oddAnswers', () => void jest.requireActual('./engine/oddAnswers.test'));
describe('operations', () => void jest.requireActual('./engine/operations.test'));
describe('ownOutput', () => void jest.requireActual('./engine/ownOutput.test'));
describe('paidAgain', () => void jest.requireActual('./engine/paidAgain.test'));
describe('pasted', () => void jest.requireActual('./engine/pasted.test'));
describe('polls', () => void jest.requireActual('./engine/polls.test'));
describe('refusals', () => void jest.requireActual('./engine/refusals.test'));
describe('requestOptions', () => void jest.requireActual('./engine/requestOptions.test'));
describe('retries', () => void jest.requireActual('./engine/retries.test'));
describe('runs', () => void jest.requireActual('./engine/runs.test'));
describe('sideBySide', () => void jest.requireActual('./engine/sideBySide.test'));
describe('slowServices', () => void jest.requireActual('./engine/slowServices.test'));
describe('stalledBody', () => void jest.requireActual('./engine/stalledBody.test'));
describe('stopping', () => void jest.requireActual('./engine/stopping.test'));
describe('trigger', () => void jest.requireActual('./engine/trigger.test'));
describe('trouble', () => void jest.requireActual('./engine/trouble.test'));
describe('withoutExecution', () => void jest.requireActual('./engine/withoutExecution.test'));
