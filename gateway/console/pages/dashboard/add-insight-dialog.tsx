import { useState } from 'preact/hooks'
import { listSavedInsights, type SavedInsight } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { useResource } from '../../data/resource.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { Field } from '../../kit/field.tsx'
import { Loaded } from '../../kit/loaded.tsx'
import { TableSkeleton } from '../../kit/skeleton.tsx'
import { DIALOG_TEXTS as TEXTS } from './dialog-texts.ts'

type AddInsightProps = {
  readonly project: number
  readonly onAdd: (insight: SavedInsight) => void
  readonly onClose: () => void
}

const SHOWN = 20

/** Chooses one of the insights that were saved. */
export function AddInsight({ project, onAdd, onClose }: AddInsightProps) {
  const [search, setSearch] = useState('')
  const found = useResource(`insights-to-add ${project} ${search}`, (signal) => {
    const page = { project_id: project, limit: SHOWN, ...(search && { search }) }
    return listSavedInsights(client, page, { signal })
  })
  return (
    <Dialog title={TEXTS.addTitle} onClose={onClose}>
      <Field
        label={TEXTS.search}
        type="search"
        value={search}
        autofocus
        onInput={({ currentTarget: { value } }) => setSearch(value)}
      />
      <Loaded
        of={found}
        skeleton={<TableSkeleton rows={5} />}
        isEmpty={({ results }) => results.length === 0}
        empty={<p>{TEXTS.nothing}</p>}
      >
        {({ results }) => (
          <ul class="dashboard-choices">
            {results.map((insight) => (
              <li key={insight.short_id}>
                <button type="button" onClick={() => onAdd(insight)}>
                  {insight.name || insight.short_id}
                </button>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <p>
        <a href={`/project/${project}/insights/new`}>{TEXTS.newInsight}</a>
      </p>
    </Dialog>
  )
}
