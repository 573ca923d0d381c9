import t from 'tap'
import { checkAgainstReference } from '../../../support/insights/check.ts'

// More of them in reference.fault.ts.
t.test('answers are those of the reference evaluator', (t) =>
  checkAgainstReference(t, { worlds: 50, questions: 5, seed: 7 }),
)
