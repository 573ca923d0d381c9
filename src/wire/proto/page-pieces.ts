/**
 * Large answers travel in pieces: several messages in place of one, which their reader joins. A
 * page of 12 MB as one message holds the event loop of its writer or reader for some 30 ms. Callers
 * ask for pieces, so a client of the plain contract gets one message.
 */

import { PAGE_CHARS_INLINE_MAX } from '../../core/limits/limits.ts'
import { ownTurn } from '../../core/work/turns.ts'
import { type ContractMethod, fieldRules, type MessageObject } from './proto.ts'
import { isRecord } from './rules.ts'

/** Metadata of a caller that joins pieces. */
export const PIECES_METADATA = 'x-sluice-pieces'

/** Rules of a method that say how its pages are made. */
export type PagedMethod = { readonly rules: Pick<ContractMethod['rules'], 'alternatives'> }

/** Whether answers of a method may be read in pieces: pages, and answers that may be one text. */
export function isPaged(method: ContractMethod): boolean {
  return !method.streaming && (method.rules.paginated || wholeTextOf(method) !== undefined)
}

/** The field that may hold the whole body of a method as JSON, in place of all others. */
export function wholeTextOf({ bindings, response, rules }: ContractMethod): string | undefined {
  if (!bindings.some(({ responseBody }) => responseBody === '')) return undefined
  return rules.alternatives.find((name) => {
    const field = response.fields[name]
    return field !== undefined && fieldRules(field).json_text
  })
}

/** Whether the caller joins pieces: an answer may be one text in place of its members. */
export function joinsPieces(metadata: { get(name: string): string | undefined }): boolean {
  return metadata.get(PIECES_METADATA) !== undefined
}

/** The pieces of a page. After each, other work has its turn, other pages too. */
export async function* piecesOf(method: PagedMethod, page: object): AsyncGenerator<object> {
  for (const piece of split(method, { ...page })) {
    yield piece
    await ownTurn()
  }
}

/** The page of which these are the pieces, one at least, in their order. */
export function joinPieces({ rules }: PagedMethod, pieces: readonly object[]): object {
  const [first = {}, ...others] = pieces.map((piece): MessageObject => ({ ...piece }))
  if (others.length === 0) return first
  const page: Record<string, unknown> = { ...first }
  if (Array.isArray(first['results'])) {
    page['results'] = [first, ...others].flatMap(({ results }) => results ?? [])
  }
  for (const name of rules.alternatives) {
    const text = others.map((piece) => textOf(piece[name]) ?? '').join('')
    const begun = textOf(first[name])
    if (begun !== undefined) page[name] = withText(first[name], begun + text)
  }
  return page
}

/** The first piece has all other members of the page. */
function split({ rules }: PagedMethod, page: MessageObject): readonly object[] {
  const { results } = page
  if (Array.isArray(results) && results.length > 1) {
    const [first = [], ...others] = groupsOf(results)
    return [{ ...page, results: first }, ...others.map((group) => ({ results: group }))]
  }
  for (const name of rules.alternatives) {
    const text = textOf(page[name])
    if (text === undefined || text.length <= PAGE_CHARS_INLINE_MAX) continue
    const [first, ...others] = slicesOf(text, PAGE_CHARS_INLINE_MAX)
    const begun = { ...page, [name]: withText(page[name], first) }
    const later = typeof page[name] === 'string' ? '' : {}
    return [begun, ...others.map((slice) => ({ [name]: withText(later, slice) }))]
  }
  return [page]
}

/** Text of a page that holds all its rows as one text, or is one. */
function textOf(page: unknown): string | undefined {
  if (typeof page === 'string') return page
  return isRecord(page) && typeof page['results'] === 'string' ? page['results'] : undefined
}

function withText(page: unknown, text: string | undefined): unknown {
  return typeof page === 'string' ? text : { ...Object(page), results: text }
}

/** Groups rows; a group ends with the row that brings it to the bound of characters. */
function groupsOf(rows: readonly unknown[]): unknown[][] {
  const groups: unknown[][] = []
  let group: unknown[] = []
  let chars = 0
  for (const row of rows) {
    group.push(row)
    chars += charsOfRow(row)
    if (chars < PAGE_CHARS_INLINE_MAX) continue
    groups.push(group)
    group = []
    chars = 0
  }
  return group.length > 0 || groups.length === 0 ? [...groups, group] : groups
}

/** Characters of the texts that a row holds itself: other members are small. */
export function charsOfRow(row: unknown): number {
  let chars = 0
  for (const value of Object.values(Object(row))) {
    if (typeof value === 'string') chars += value.length
  }
  return chars
}

/** Slices of a text of at most `chars` characters and one; none ends within a code point. */
export function slicesOf(text: string, chars: number): string[] {
  const slices: string[] = []
  for (let start = 0; start < text.length; ) {
    const end = start + chars
    const isWithin = (text.codePointAt(end - 1) ?? 0) > 0xffff
    slices.push(text.slice(start, isWithin ? end + 1 : end))
    start = isWithin ? end + 1 : end
  }
  return slices
}
