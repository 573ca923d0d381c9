import type { Span } from '../harness/journal.ts'
import type { Outcome, World } from '../harness/world.ts'

/** Row of the table: the fault, and its effect on clients. */
export type Row = {
  readonly scenario: string
  readonly cells: readonly string[]
}

const HEADS = [
  'Scenario',
  'capture errors: attempts, span',
  'decide errors: attempts, span',
  'changes: failed attempts, longest wait',
  'p99 capture / decide',
  'oldest decide elsewhere',
  'acked, lost, doubled, ghosts',
  'also',
]

/** The span of the fault itself; checks are of the whole run. */
export function rowOf(
  scenario: string,
  world: World,
  { span, outcome, also }: { span: Span; outcome: Outcome; also: readonly string[] },
): Row {
  const { capture, batch, decide, change } = world.figures(span)
  const events = outcome.events
  const captureErrors = capture.failed + batch.failed
  const captureMs = Math.max(capture.errorsMs, batch.errorsMs)
  const problems = [...outcome.flags.problems, ...outcome.epochs, ...outcome.journal.faults]
  const wrong = problems.length === 0 ? [] : [`${problems.length} problems: ${problems[0]}`]
  const late = outcome.flags.late + outcome.flags.atOnce + outcome.flags.invented
  return {
    scenario,
    cells: [
      `${captureErrors} of ${capture.attempts + batch.attempts}, ${seconds(captureMs)}`,
      `${decide.failed} of ${decide.attempts}, ${seconds(decide.errorsMs)}`,
      `${change.failed} of ${change.attempts}, ${seconds(change.longestMs)}`,
      `${Math.round(capture.p99Ms)} / ${Math.round(decide.p99Ms)} ms`,
      `${seconds(outcome.flags.elsewhereMs)}${late > 0 ? ` (${late} too old)` : ''}`,
      `${events.acked}, ${events.lost}, ${events.doubled}, ${events.ghosts}`,
      [...also, ...wrong].join('; ') || '-',
    ],
  }
}

export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(({ scenario, cells }) => line([scenario, ...cells]))
  return [line(HEADS), line(HEADS.map(() => '---')), ...lines, ''].join('\n')
}

function line(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '/').replaceAll('\n', ' ')).join(' | ')} |`
}

export function seconds(ms: number): string {
  return ms === 0 ? '0' : `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`
}
