/**
 * The long form of reference.test.ts. Always the same worlds, so that a failure comes from the change;
 * `SEED=n` tries others, `WORLDS=n` more.
 */
import t from 'tap'
import { checkAgainstReference } from '../../../support/insights/check.ts'

const seed = Number(process.env['SEED'] ?? 11)

t.test('answers are those of the reference evaluator, of many questions', (t) =>
  checkAgainstReference(t, {
    worlds: Number(process.env['WORLDS'] ?? 1_500),
    questions: 6,
    seed,
  }),
)
