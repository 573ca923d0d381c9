/**
 * Streams persons as CSV, in pages, as fast as the client reads. The columns of properties are the
 * union over the whole file, so the persons are read twice. The file is no snapshot: persons that
 * arrive meanwhile move the others on, which are not written again.
 */
import type { ListPersonsResponse__Output } from '../../proto/gen/sluice/v1/ListPersonsResponse.ts'
import type { Person__Output } from '../../proto/gen/sluice/v1/Person.ts'
import { AppError } from '../../src/core/code.ts'
import { flattenJson } from '../../src/core/json-text/flat-json.ts'
import { EVENT_EXPORT_LIMIT_MAX } from '../../src/core/limits/limits-query.ts'
import { ColumnSet } from '../../src/wire/column-set.ts'
import { csvLines } from '../../src/wire/csv.ts'
import { tooManyColumnsDetail } from '../../src/wire/details.ts'
import { pageOf } from '../../src/wire/page.ts'
import type { MessageObject } from '../../src/wire/proto/proto.ts'
import { refusal } from './caller.ts'
import { cellModeOf, csvBatches, csvReply } from './csv.ts'
import type { RestCall } from './renderer.ts'

/** Persons of one page. */
const PAGE = 500
const LIMITS = { limit_max: EVENT_EXPORT_LIMIT_MAX, limit_default: EVENT_EXPORT_LIMIT_MAX }

const FIELDS = [
  ...['uuid', 'name', 'distinct_id', 'distinct_id_count', 'is_identified'],
  ...['created_at', 'last_seen_at'],
] as const

/** A failure before the first row is an ordinary error answer; a later one cuts the connection. */
export async function renderPersonsCsv(call: RestCall) {
  const columns = new ColumnSet()
  const isHead = call.request.method === 'HEAD'
  for await (const persons of pagesOf(call, isHead)) {
    for (const { properties } of isHead ? [] : persons) {
      flattenJson(properties, (path) => {
        if (!columns.add(path)) throw refusal('invalid_argument', tooManyColumnsDetail)
      })
    }
  }
  return csvReply(isHead ? '' : linesOf(call, columns.sorted()))
}

async function* linesOf(call: RestCall, names: readonly string[]): AsyncGenerator<Uint8Array> {
  const mode = cellModeOf(call.query)
  const head = [...FIELDS, ...names.map((name) => `properties.${name}`)]
  const places = new Map(names.map((name, at) => [name, FIELDS.length + at]))
  yield Buffer.from(csvLines([head], mode))
  for await (const persons of pagesOf(call, false, { include_last_seen: true })) {
    yield* csvBatches(persons, head.length, (person) => cellsOf(person, places), mode)
  }
}

function cellsOf(person: Person__Output, places: ReadonlyMap<string, number>): string[] {
  const { distinct_ids: ids, last_seen_at: last } = person
  const cells = new Array<string>(FIELDS.length + places.size).fill('')
  const own = { ...person, distinct_id: ids[0] ?? '', last_seen_at: last ?? '' }
  FIELDS.forEach((field, at) => {
    cells[at] = String(own[field])
  })
  flattenJson(person.properties, (path, cell) => {
    const place = places.get(path)
    if (place !== undefined) cells[place] = cell
  })
  return cells
}

/** @param isOne reads one person, which checks the query. */
async function* pagesOf(
  call: RestCall,
  isOne: boolean,
  fields: object = {},
): AsyncGenerator<readonly Person__Output[]> {
  const last = (name: string) => call.query.getAll(name).at(-1)
  const asked = pageOf(LIMITS, { limit: last('limit'), offset: last('offset') })
  const end = asked.offset + (isOne ? 1 : asked.limit)
  let before = new Set<string>()
  let size = PAGE
  for (let offset = asked.offset; offset < end; ) {
    const limit = Math.min(size, end - offset)
    const page = { ...call.message, ...fields, limit, offset }
    const results = await readPage(call, page)
    if (results === 'too_large') {
      size = Math.ceil(limit / 2)
      continue
    }
    const known = before
    before = new Set(results.map(({ uuid }) => uuid))
    yield results.filter(({ uuid }) => !known.has(uuid))
    if (results.length < limit) return
    offset += limit
  }
}

/** @returns `too_large` for persons that are too large together: one alone never is. */
async function readPage(
  call: RestCall,
  page: MessageObject & { readonly limit: number },
): Promise<readonly Person__Output[] | 'too_large'> {
  try {
    // The generated type of this method's answer.
    const { results } = (await call.call(page)) as ListPersonsResponse__Output
    return results
  } catch (error) {
    const isTooLarge = error instanceof AppError && error.detail?.attr === 'limit'
    if (!isTooLarge || page.limit === 1) throw error
    return 'too_large'
  }
}
