import { Name } from '../../kit/names/name.tsx'
import { meaningOf } from '../../kit/picker/known-names.ts'
import type { SampledProperty } from '../../kit/picker/sampled.ts'
import { type Column, Table } from '../../kit/table.tsx'
import { DEFINITIONS_TEXTS as TEXTS } from './texts.ts'

export type PropertyRow = SampledProperty & {
  readonly kind: 'event' | 'person'
  /** Number of events or persons in the sample. */
  readonly read: number
}

type PropertyTableProps = { readonly rows: readonly PropertyRow[]; readonly isMixed?: boolean }

/** Properties with their values in the newest events or persons. */
export function PropertyTable({ rows, isMixed = false }: PropertyTableProps) {
  const columns: readonly Column<PropertyRow>[] = [
    {
      key: 'name',
      title: TEXTS.name,
      cell: ({ name }) => (
        <>
          <span class="definitions-name">
            <Name of={name} />
          </span>
          <span class="definitions-about">{meaningOf(name)}</span>
        </>
      ),
    },
    ...(isMixed
      ? [
          {
            key: 'kind',
            isWide: true,
            title: TEXTS.kind,
            cell: ({ kind }: PropertyRow) => TEXTS.kinds[kind],
          },
        ]
      : []),
    {
      key: 'count',
      isWide: true,
      title: TEXTS.seenIn,
      align: 'end',
      cell: ({ count, read, kind }) => (
        <span class="figure">{TEXTS.ofNewest(count, read, kind)}</span>
      ),
    },
    {
      key: 'values',
      title: TEXTS.values,
      cell: ({ samples }) => <span class="definitions-values">{samples.join(', ')}</span>,
    },
  ]
  return (
    <Table
      caption={TEXTS.properties}
      columns={columns}
      rows={rows}
      keyOf={({ kind, name }) => `${kind} ${name}`}
    />
  )
}
