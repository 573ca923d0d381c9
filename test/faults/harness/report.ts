/** Prints the figures of a span, and its failed requests. */
import type { Test } from 'tap'
import type { ClusterMember } from '../../support/servers/member-process.ts'
import { type Figures, isSuccess, type Journal, type Span } from './journal.ts'
import { isExcused } from './machine.ts'
import type { World } from './world.ts'

/** Prints figures as comments of the test: promises hold for a given load on an idle machine. */
export function show(t: Test, world: World, span: Span): void {
  t.comment(`from ${round(span.from)} to ${round(span.to)} ms`)
  for (const figures of Object.values(world.figures(span))) {
    if (figures.attempts > 0) t.comment(sentenceOf(figures))
  }
  for (const { from, to } of world.load.journal.standstills) {
    if (to < span.from || from > span.to) continue
    t.comment(`the machine stood still from ${round(from)} to ${round(to)} ms`)
  }
}

function sentenceOf(figures: Figures): string {
  const { kind, attempts, failed, statuses, errorsMs, longestMs, p50Ms, p99Ms } = figures
  const answers = failed === 0 ? '' : ` ${JSON.stringify(statuses)} for ${round(errorsMs)} ms`
  const times = `p50 ${round(p50Ms)} p99 ${round(p99Ms)} longest ${round(longestMs)} ms`
  return `${kind}: ${failed} of ${attempts} failed${answers}, ${times}`
}

export function round(ms: number): number {
  return Math.round(ms)
}

/**
 * Attempts of the span that failed, by kind, gateway and answer: how many, and when the first was.
 * Empty when none did. Not those that the machine, standing still, made fail.
 */
export function failuresIn(journal: Journal, { from, to }: Span): Record<string, string> {
  const failures: Record<string, { readonly first: string; count: number }> = {}
  for (const attempt of journal.attempts) {
    const { kind, status, failure, sentAt, endedAt, gateway } = attempt
    if (sentAt < from || sentAt >= to || isSuccess(status)) continue
    if (isExcused(attempt, journal.standstills)) continue
    const name = `${kind} at ${gateway}: ${failure}`
    const first = `sent ${round(sentAt - from)} ms into it, took ${round(endedAt - sentAt)} ms`
    failures[name] ??= { first, count: 0 }
    failures[name].count += 1
  }
  return Object.fromEntries(
    Object.entries(failures).map(([name, { count, first }]) => [name, `${count}: ${first}`]),
  )
}

/** Failures of these kinds only. */
export function failuresOf(journal: Journal, span: Span, kinds: readonly string[]): object {
  const entries = Object.entries(failuresIn(journal, span))
  return Object.fromEntries(
    entries.filter(([name]) => kinds.some((kind) => name.startsWith(`${kind} `))),
  )
}

export function nth(members: readonly ClusterMember[], index: number): ClusterMember {
  const member = members[index]
  if (member === undefined) throw new Error(`no member ${index}`)
  return member
}
