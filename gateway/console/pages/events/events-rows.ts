/** Rows on screen: the first page, and those loaded after it. */
import type { Json } from '../../../client/index.ts'
import { type Paged, usePaged } from '../../data/paged.ts'
import { type Asked, askRows, isGrouped, type Rows, rowsQuery } from './events-question.ts'

export type EventRow = {
  /** Undefined for a group of events. */
  readonly id: string | undefined
  readonly cells: readonly Json[]
}

export type FoundRows = {
  readonly paged: Paged<Rows>
  readonly rows: readonly EventRow[]
  /** Types of the columns. */
  readonly types: readonly string[]
  readonly hasMore: boolean
}

export function useRows(project: number, asked: Asked): FoundRows {
  const question = `events ${project} ${JSON.stringify(asked)}`
  const paged = usePaged<Rows>(question, (before, signal) => {
    const offset = before.reduce((sum, { results }) => sum + results.length, 0)
    const query = rowsQuery(asked, { offset, before: before[0]?.pinned_before })
    return askRows(project, query, signal)
  })
  const results = paged.pages.flatMap((page) => page.results)
  const types = paged.first.data?.types ?? []
  const isOfGroups = isGrouped(asked)
  return {
    paged,
    rows: results.map((cells) =>
      isOfGroups ? { id: undefined, cells } : { id: String(cells[0]), cells: cells.slice(1) },
    ),
    types: isOfGroups ? types : types.slice(1),
    hasMore: paged.pages.at(-1)?.hasMore === true,
  }
}
