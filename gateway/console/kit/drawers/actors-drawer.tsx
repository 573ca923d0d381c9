import { useState } from 'preact/hooks'
import type { JsonObject } from '../../../client/index.ts'
import { formatNumber } from '../../data/format.ts'
import { useProject } from '../../data/projects.ts'
import { type Actor, type ActorRow, ask, nameOfActor } from '../../data/questions.ts'
import { useResource } from '../../data/resource.ts'
import { Button } from '../button.tsx'
import { Drawer } from '../dialog.tsx'
import { Empty } from '../empty.tsx'
import { later } from '../later.tsx'
import { Loaded } from '../loaded.tsx'
import { TableSkeleton } from '../skeleton.tsx'
import { Time } from '../time.tsx'

type ActorsDrawerProps = {
  /** Name of the data point: "Persons, 2 March". */
  readonly title: string
  /** An `InsightActorsQuery`: the question, and what names the number in its answer. */
  readonly source: JsonObject
  readonly onClose: () => void
}

const PAGE = 100

const SaveCohortDialog = later(
  async () => (await import('./save-cohort-dialog.tsx')).SaveCohortDialog,
)

/** Lists the persons or groups of a data point. */
export function ActorsDrawer({ title, source, onClose }: ActorsDrawerProps) {
  const { id } = useProject()
  const [offset, setOffset] = useState(0)
  const [isSaving, setSaving] = useState(false)
  const query = { kind: 'ActorsQuery', source, limit: PAGE, offset }
  const actors = useResource(`actors ${id} ${JSON.stringify(query)}`, (signal) =>
    ask<ActorRow>(id, query, signal),
  )
  return (
    <Drawer title={title} onClose={onClose}>
      <Loaded
        of={actors}
        skeleton={<TableSkeleton rows={10} />}
        isEmpty={({ results }) => results.length === 0}
        empty={<Empty title="No persons">No persons are in this data point.</Empty>}
      >
        {({ results, hasMore }) => (
          <>
            {results.some(([actor]) => isPerson(actor)) && (
              <p>
                <Button onClick={() => setSaving(true)}>Save as cohort</Button>
              </p>
            )}
            <ol class="actors" start={offset + 1}>
              {results.map(([actor]) => (
                <li key={`${actor.group_type_index} ${actor.group_key ?? actor.distinct_ids[0]}`}>
                  <ActorName project={id} actor={actor} />
                  {actor.created_at !== null && <Time value={actor.created_at} />}
                </li>
              ))}
            </ol>
            <Pages offset={offset} count={results.length} hasMore={hasMore} onMove={setOffset} />
          </>
        )}
      </Loaded>
      {isSaving && (
        <SaveCohortDialog
          project={id}
          onClose={() => setSaving(false)}
          load={async (page, signal) => {
            const all = { kind: 'ActorsQuery', source, ...page }
            const { results, hasMore = false } = await ask<ActorRow>(id, all, signal)
            return { persons: results.map(([actor]) => actor).filter(isPerson), hasMore }
          }}
        />
      )}
    </Drawer>
  )
}

const isPerson = ({ group_key }: Actor) => group_key === undefined

/** Persons have a page, groups have none. */
function ActorName({ project, actor }: { readonly project: number; readonly actor: Actor }) {
  const { group_key: key, distinct_ids: ids } = actor
  if (key !== undefined) return <span>{nameOfActor({ ...actor, distinct_ids: [key] })}</span>
  const href = `/project/${project}/person/${encodeURIComponent(ids[0] ?? '')}`
  return <a href={href}>{nameOfActor(actor)}</a>
}

type PagesProps = {
  readonly offset: number
  readonly count: number
  readonly hasMore: boolean | undefined
  readonly onMove: (offset: number) => void
}

function Pages({ offset, count, hasMore = false, onMove }: PagesProps) {
  if (offset === 0 && !hasMore) return null
  return (
    <div class="pages">
      <Button disabled={offset === 0} onClick={() => onMove(Math.max(0, offset - PAGE))}>
        Earlier ones
      </Button>
      <span>
        {formatNumber(offset + 1)} to {formatNumber(offset + count)}
      </span>
      <Button disabled={!hasMore} onClick={() => onMove(offset + PAGE)}>
        More
      </Button>
    </div>
  )
}
