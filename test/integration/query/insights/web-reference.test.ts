import t from 'tap'
import { checkBlocks, checkWeb } from '../../../support/insights/check-web.ts'

t.test('questions about sites are answered as the reference evaluator answers them', (t) =>
  checkWeb(t, {
    worlds: Number(process.env['WORLDS'] ?? 60),
    questions: 5,
    seed: Number(process.env['SEED'] ?? 7),
  }),
)

t.test('blocks of ended days answer as their events do', (t) =>
  checkBlocks(t, {
    worlds: Number(process.env['WORLDS'] ?? 30),
    questions: 1,
    seed: Number(process.env['SEED'] ?? 7),
  }),
)
