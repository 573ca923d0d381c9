import { labelOf } from '../../../src/core/charts/label.ts'
import type { Json } from '../../client/index.ts'
import { isRecord } from '../data/json.ts'
import { useProject } from '../data/projects.ts'
import type { Answer } from '../data/questions.ts'
import { Name } from '../kit/names/name.tsx'
import { Table } from '../kit/table.tsx'
import { Time } from '../kit/time.tsx'
import type { ResultProps } from './answer.ts'
import { RESULT_TEXTS as TEXTS } from './texts.ts'

type Cells = Answer<Json> & { readonly columns?: readonly string[] }
type CellProps = { readonly column: string; readonly value: Json }

/** Columns of an event that is shown whole. */
const OF_WHOLE = ['timestamp', 'event', 'distinct_id', 'properties']

const OF_PROPERTY = /^(?:person\.)?properties\./

/** Rows of events, or of groups of them. */
export function TableResult({ answer }: ResultProps) {
  const { results, columns: named, hasMore } = answer as Cells
  const isWhole = results.some(isRecord)
  const columns = isWhole || named === undefined ? OF_WHOLE : named
  const cellAt = (row: Json, at: number): Json =>
    (isRecord(row) ? row[columns[at] ?? ''] : (row as readonly Json[])[at]) ?? null
  if (results.length === 0) return <p class="result-note">{TEXTS.nothing}</p>
  return (
    <>
      <Table
        caption={TEXTS.rows}
        columns={columns.map((column, at) => ({
          key: `${at}`,
          title: labelOf(column.replace(OF_PROPERTY, '')),
          cell: (index: number) => (
            <Cell column={column} value={cellAt(results[index] ?? null, at)} />
          ),
        }))}
        rows={results.map((_, index) => index)}
        keyOf={(index) => index}
      />
      {hasMore === true && <p class="result-note">{TEXTS.moreRows}</p>}
    </>
  )
}

function Cell({ column, value }: CellProps) {
  const { id } = useProject()
  if (value === null) return <>–</>
  if (column === 'timestamp' && typeof value === 'string') return <Time value={value} />
  if (column === 'event') return <Name of={String(value)} />
  if (column === 'distinct_id') {
    const href = `/project/${id}/person/${encodeURIComponent(String(value))}`
    return <a href={href}>{String(value)}</a>
  }
  if (typeof value === 'object') return <code class="result-json">{JSON.stringify(value)}</code>
  return <span class={typeof value === 'number' ? 'figure' : undefined}>{String(value)}</span>
}
