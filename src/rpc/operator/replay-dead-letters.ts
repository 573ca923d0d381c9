/** Hands dead letters to the writer again. */
import type { Clock } from '../../core/clock.ts'
import { AppError } from '../../core/code.ts'
import { type ProjectId, projectId } from '../../core/ids.ts'
import {
  type DeadLetterPage,
  type DeadLetterSelection,
  type HeldDeadLetter,
  markUnreadable,
  readDeadLetters,
  removeDeadLetters,
} from '../../event-store/dead-letters/dead-letter-store.ts'
import { keptUuid, parseKeptEvent } from '../../event-store/dead-letters/kept-event.ts'
import { batchOf, type EventSink, type IngestOutcome } from '../../events/event-batch.ts'
import type { Sql } from '../../postgres/connect.ts'
import type { Db } from '../../postgres/db.ts'
import { retryRefused } from '../../replication/retry-refused.ts'
import { unavailableDetail } from '../../wire/details.ts'

/** Time after which a replay answers with its progress; the caller continues from there. */
const DEAD_LETTER_REPLAY_MS = 4_000
/**
 * Events handed to the writer at a time. Each refused one costs a flush, for which the other events
 * of that flush wait: so few at first, and more while none is refused.
 */
const DEAD_LETTER_SUBMIT_MIN = 8
const DEAD_LETTER_SUBMIT_MAX = 64

export type ReplayDeps = {
  readonly sql: Sql
  /** The writer itself, without the spill: a refused event must stay a dead letter. */
  readonly sink: EventSink
  readonly clock: Clock
  /** Receives the outcome of dead letters, for the activity of the project. */
  readonly onHandled: (
    db: Db,
    what: 'replayed' | 'discarded',
    project: ProjectId,
    counts: { readonly [Outcome in Fate]?: number },
  ) => Promise<void>
}

export type Replayed = {
  readonly matched: number
  readonly stored: number
  readonly refused: number
  readonly discarded: number
  /** Start of the next call; 0 at the end. */
  readonly cursor: number
}

/** Outcome of a dead letter; for `refused`, the store has counted the attempt. */
type Fate = 'stored' | 'refused' | 'discarded'
type Counts = Record<Fate, number>

/**
 * Hands the dead letters of a page to the writer again. One that is stored, now or before, is
 * removed after the commit; one that is refused again stays, with one more attempt. An event that
 * only the copy in ClickHouse refused is sent there again. A replay that ends at any moment loses
 * none and doubles none: the next one finds the event stored, and removes the row.
 * @param signal ends it after the events under way.
 * @throws {AppError} `unavailable` or `resource_exhausted` when the writer takes none: events not
 * yet counted are still kept. A retry is safe.
 */
export async function replayDeadLetters(
  deps: ReplayDeps,
  selection: DeadLetterSelection,
  page: DeadLetterPage,
  signal: AbortSignal,
): Promise<Replayed> {
  const { sql, clock } = deps
  const { letters, more } = await readDeadLetters(sql, selection, page)
  const deadline = clock.monotonic() + DEAD_LETTER_REPLAY_MS
  const counts: Counts = { stored: 0, refused: 0, discarded: 0 }
  const handled = new Map<number, Counts>()
  const onFate = ({ projectId: of }: HeldDeadLetter, fate: Fate) => {
    const own = handled.get(of) ?? { stored: 0, refused: 0, discarded: 0 }
    own[fate] += 1
    handled.set(of, own)
    counts[fate] += 1
  }
  let size = DEAD_LETTER_SUBMIT_MIN
  let done = 0
  try {
    while (done < letters.length && clock.monotonic() < deadline) {
      if (signal.aborted) throw new AppError('cancelled', 'the caller has gone')
      const chunk = letters.slice(done, done + size)
      const fates = await submit(deps, chunk, onFate)
      done += chunk.length
      const isClean = !fates.includes('refused')
      size = isClean ? Math.min(size * 2, DEAD_LETTER_SUBMIT_MAX) : DEAD_LETTER_SUBMIT_MIN
    }
  } finally {
    for (const [of, own] of handled) await deps.onHandled(sql, 'replayed', projectId(of), own)
  }
  const isOver = done === letters.length && !more
  const cursor = isOver ? 0 : (letters[done - 1]?.id ?? page.cursor)
  return { matched: done, ...counts, cursor }
}

/** @throws {AppError} after removing those that were stored. */
async function submit(
  deps: ReplayDeps,
  letters: readonly HeldDeadLetter[],
  onFate: (letter: HeldDeadLetter, fate: Fate) => void,
): Promise<readonly Fate[]> {
  const settled = await Promise.all(
    letters.map(async (letter) => ({ letter, fate: await settle(deps, letter) })),
  )
  const over = settled.filter(({ fate }) => fate === 'stored' || fate === 'discarded')
  const stored = over.filter(({ fate }) => fate === 'stored').map(({ letter }) => letter)
  await retryRefused(deps.sql, stored)
  await removeDeadLetters(
    deps.sql,
    over.map(({ letter }) => letter),
  )
  for (const { letter, fate } of settled) if (typeof fate === 'string') onFate(letter, fate)
  return settled.map(({ fate }) => {
    if (typeof fate === 'object') throw failureOf(fate)
    return fate
  })
}

type Undecided = Extract<IngestOutcome, { kind: 'overloaded' | 'unavailable' | 'spilled' }>

const SPILLED_RETRY_S = 5

/** Submits each event in a batch of its own, to learn its own outcome. */
async function settle(
  { sql, sink }: ReplayDeps,
  letter: HeldDeadLetter,
): Promise<Fate | Undecided> {
  if (!letter.hasProject) return 'discarded'
  const parsed = parseKeptEvent(letter.payload)
  const isItsOwn = parsed.ok && keptUuid(parsed.value) === letter.uuid
  if (!parsed.ok || !isItsOwn) {
    // An event with another uuid that is refused again would be kept a second time.
    await markUnreadable(sql, letter, parsed.ok ? 'its uuid is not that of the row' : parsed.error)
    return 'refused'
  }
  const batch = batchOf(projectId(letter.projectId), [parsed.value])
  const outcome = await sink.submit({ ...batch, ackedAtMs: letter.createdAtMs })
  switch (outcome.kind) {
    case 'stored':
      if (outcome.deadLetters > 0) return 'refused'
      // Neither: its person was deleted since.
      return outcome.stored + outcome.duplicates > 0 ? 'stored' : 'discarded'
    case 'no_project':
      return 'discarded'
    case 'overloaded':
    case 'unavailable':
    case 'spilled':
      return outcome
    default:
      return outcome satisfies never
  }
}

/** A spilled event is stored later; the next replay finds it then. */
function failureOf(outcome: Undecided): AppError {
  const retryAfterS = outcome.kind === 'spilled' ? SPILLED_RETRY_S : outcome.retryAfterS
  const options = { detail: { ...unavailableDetail, retryAfterS } }
  if (outcome.kind === 'overloaded') {
    return new AppError('resource_exhausted', 'the writer is full', options)
  }
  const cause = outcome.kind === 'unavailable' ? outcome.cause : undefined
  return new AppError('unavailable', 'the writer cannot store', { ...options, cause })
}
