import t from 'tap'
import { checkBySession } from '../../../support/insights/by-session.ts'

t.test('questions about properties of sessions are answered as the reference evaluator does', (t) =>
  checkBySession(t, {
    worlds: Number(process.env['WORLDS'] ?? 60),
    questions: 6,
    seed: Number(process.env['SEED'] ?? 7),
  }),
)
