import t from 'tap'
import {
  type Phase,
  type Tried,
  verdictOf,
  verdictsTable,
} from '../../../bench/attacks/verdicts.ts'
import { textTable } from '../../../bench/load/report/text-table.ts'

function phase(p99: number, rssMb: number, more: Partial<Phase> = {}): Phase {
  const usage = { rssMb, cpuPercent: 10, longestTurnMs: 30 }
  const latencies = { capture: p99, decide: p99 + 1 }
  const usages = { worker: usage, gateway: usage, postgres: { cpuPercent: 20 } }
  return { p99: latencies, longestDecideMs: 40, sent: 100, accepted: 100, ...usages, ...more }
}

const STRUCK = { strikes: 500, held: 0, seconds: 10, cpuPercent: 5, answers: { 413: 500 } }

function tried(calm: Phase, beside: Phase, ended: readonly string[] = []): Tried {
  return { name: 'an attack', rounds: [{ calm, beside }], struck: [STRUCK], ended }
}

t.test('an attack that harms nobody meets the goals', async (t) => {
  const beside = phase(29, 450, { postgres: { cpuPercent: 50 } })
  const verdict = verdictOf(tried(phase(10, 200), beside))
  t.strictSame(verdict.missed, [])
  t.match(verdict, { success: 1, strikesPerS: 50, rssRiseMb: { worker: 250, gateway: 250 } })
  t.match(verdict.p99, { capture: { calm: 10, beside: 29 }, decide: { calm: 11, beside: 30 } })
  const [, row = ''] = textTable(verdictsTable([verdict]))
  t.match(
    row,
    /an attack +50 +5 +10\.0 -> 29\.0 +11\.0 -> 30\.0 +40 +100 +\+250 +\+250 +30, 30 +0, 0, 300 +met/,
  )
})

t.test('each goal that is missed is named', async (t) => {
  const beside = phase(31, 501, { accepted: 99 })
  t.strictSame(verdictOf(tried(phase(10, 200), beside, ['worker-1'])).missed, [
    'p99 of capture rose by 21 ms',
    'p99 of decide rose by 21 ms',
    '1 % were not served',
    'worker grew by 301 MB',
    'gateway grew by 301 MB',
    'worker-1 ended',
  ])
})

t.test('the median of p99 counts of several rounds, and the worst of all else', async (t) => {
  const rounds = [10, 900, 12].map((p99, index) => ({
    calm: phase(10, 200),
    beside: phase(p99, 200 + 100 * index),
  }))
  const verdict = verdictOf({ name: 'x', rounds, struck: [STRUCK], ended: [] })
  t.equal(verdict.p99.capture.beside, 12)
  t.equal(verdict.rssRiseMb.worker, 200)
})
