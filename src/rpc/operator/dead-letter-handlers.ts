/** Handlers of the operator's calls for dead letters. `admin-handlers.ts` checks the caller. */
import type { DeadLetterFilter__Output } from '../../../proto/gen/sluice/v1/DeadLetterFilter.ts'
import { AppError } from '../../core/code.ts'
import { projectId } from '../../core/ids.ts'
import { DEAD_LETTERS_PAGE } from '../../core/limits/limits.ts'
import {
  countSelected,
  type DeadLetterPage,
  type DeadLetterSelection,
  discardDeadLetters,
  findDeadLetter,
  type ListedDeadLetter,
  listDeadLetters,
} from '../../event-store/dead-letters/dead-letter-store.ts'
import { formatInstant } from '../../events/time/instant.ts'
import { parseIsoTime } from '../../events/time/iso-time.ts'
import { validationError } from '../../wire/details.ts'
import type { DeadLetterHandlers } from './admin-handlers.ts'
import { type ReplayDeps, replayDeadLetters } from './replay-dead-letters.ts'

/** Dead letters of one answer. */
const DEAD_LETTERS_PAGE_MAX = 1_000
/** Ids of one filter. */
export const DEAD_LETTER_IDS_MAX = 1_000
/** Characters of the reason of a filter. */
const DEAD_LETTER_REASON_LENGTH_MAX = 1_000

export function createDeadLetterHandlers(deps: ReplayDeps): DeadLetterHandlers {
  const { sql } = deps
  return {
    async ListDeadLetters(request) {
      const selection = toSelection(request)
      const page = toPage(request)
      const letters = await listDeadLetters(sql, selection, page)
      return {
        results: letters.map(toMessage),
        count: await countSelected(sql, selection),
        cursor: letters.length < page.rows ? 0 : (letters.at(-1)?.id ?? 0),
      }
    },

    async GetDeadLetter({ id }) {
      const letter = await findDeadLetter(sql, whole(id, 'id'))
      if (letter === undefined) throw refused('not_found', `There is no dead letter ${id}.`)
      if (letter.payload === null) {
        throw refused('failed_precondition', 'Its event is too large to be shown: query the table.')
      }
      return { ...toMessage(letter), payload: letter.payload }
    },

    async ReplayDeadLetters(request, { signal }) {
      const selection = toSelection(request)
      const page = toPage(request)
      if (request.dry_run) return await counted(selection, page)
      return await replayDeadLetters(deps, selection, page, signal)
    },

    async DiscardDeadLetters(request) {
      const selection = toSelection(request)
      const page = toPage(request)
      if (request.dry_run) return await counted(selection, page)
      const { matched, discarded, last } = await sql.begin(async (tx) => {
        const done = await discardDeadLetters(tx, selection, page)
        for (const [project, events] of Object.entries(done.projects)) {
          await deps.onHandled(tx, 'discarded', projectId(Number(project)), { discarded: events })
        }
        return done
      })
      return { matched, discarded, cursor: matched < page.rows ? 0 : last }
    },
  }

  /** A dry run counts all that are left at once. */
  async function counted(selection: DeadLetterSelection, { cursor }: DeadLetterPage) {
    return { matched: await countSelected(sql, selection, cursor), cursor: 0 }
  }
}

function toMessage(letter: ListedDeadLetter) {
  return {
    id: letter.id,
    project_id: letter.projectId,
    uuid: letter.uuid,
    event: letter.event,
    distinct_id: letter.distinctId,
    sqlstate: letter.sqlstate,
    error: letter.error,
    attempts: letter.attempts,
    created_at: letter.createdAt,
  }
}

/** @throws {AppError} `invalid_argument` naming the field. */
function toSelection(filter: DeadLetterFilter__Output): DeadLetterSelection {
  const { ids, project_id, reason } = filter
  if (ids.length > DEAD_LETTER_IDS_MAX) throw invalid('ids', `More than ${DEAD_LETTER_IDS_MAX}.`)
  if (reason.length > DEAD_LETTER_REASON_LENGTH_MAX) {
    throw invalid('reason', `Longer than ${DEAD_LETTER_REASON_LENGTH_MAX} characters.`)
  }
  return {
    ids: ids.map((id) => whole(id, 'ids')),
    projectId: project_id,
    since: toTime(filter.since, 'since'),
    until: toTime(filter.until, 'until'),
    reason: reason === '' ? undefined : reason,
  }
}

function toPage({ cursor, limit }: DeadLetterFilter__Output): DeadLetterPage {
  if (limit < 0) throw invalid('limit', 'Below 0.')
  const rows = limit === 0 ? DEAD_LETTERS_PAGE : Math.min(limit, DEAD_LETTERS_PAGE_MAX)
  return { cursor: whole(cursor, 'cursor'), rows }
}

/** Postgres has no year 0. */
const TIME_MIN = '0001-01-01T00:00:00.000000Z'

function toTime(text: string, field: string): string | undefined {
  if (text === '') return undefined
  const instant = parseIsoTime(text.trim())
  if (instant === undefined) throw invalid(field, 'Not a time in ISO 8601.')
  const time = formatInstant(instant.ms, instant.us)
  return time < TIME_MIN ? TIME_MIN : time
}

function whole(value: number, field: string): number {
  if (Number.isSafeInteger(value) && value >= 0) return value
  throw invalid(field, 'Not a number of a dead letter.')
}

function refused(code: 'not_found' | 'failed_precondition', detail: string): AppError {
  return new AppError(code, detail, {
    detail: { type: 'invalid_request', code, detail, attr: null },
  })
}

function invalid(field: string, detail: string): AppError {
  return validationError('invalid_input', detail, field)
}
