import t from 'tap'
import { checkAgainstReference, checkPages } from '../../../support/insights/check.ts'

// More of them in reference.fault.ts.
t.test('answers are those of the reference evaluator', (t) =>
  checkAgainstReference(t, { worlds: 50, questions: 5, seed: 7 }),
)

t.test('questions of a page are answered as each of them is alone', (t) =>
  checkPages(t, { worlds: 25, seed: 7 }),
)
