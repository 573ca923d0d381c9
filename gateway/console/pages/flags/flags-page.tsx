import { useState } from 'preact/hooks'
import type { FeatureFlag } from '../../../client/index.ts'
import { formatNumber } from '../../data/format.ts'
import { useProject } from '../../data/projects.ts'
import type { Resource } from '../../data/resource.ts'
import { useQueryState } from '../../data/url.ts'
import { Button } from '../../kit/button.tsx'
import { Empty } from '../../kit/empty.tsx'
import { FailureNote } from '../../kit/failure.tsx'
import { Field } from '../../kit/field.tsx'
import { Loaded } from '../../kit/loaded.tsx'
import { PageHead } from '../../kit/page-head.tsx'
import { TableSkeleton } from '../../kit/skeleton.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { propagationText } from '../flag/propagation.ts'
import { usePropagation } from '../flag/use-propagation.ts'
import { useAllFlags } from './all-flags.ts'
import { BulkBar } from './bulk-bar.tsx'
import { columnsOf, type Flags, useKnown } from './columns.tsx'
import './flags.css'
import { NewFlag } from './new-flag.tsx'
import { FLAGS_TEXTS as TEXTS } from './texts.ts'

const SHOWN = 100

export default function FlagsPage() {
  const { id } = useProject()
  const [search, setSearch] = useQueryState('search', '')
  const [making, setMaking] = useState(false)
  const { flags, isPart, error, goOn } = useAllFlags(id)
  const make = (
    <Button tone="main" icon="plus" onClick={() => setMaking(true)}>
      {TEXTS.make}
    </Button>
  )
  return (
    <>
      <PageHead title={TEXTS.title}>{make}</PageHead>
      <Loaded
        of={flags}
        skeleton={<TableSkeleton rows={8} />}
        isEmpty={({ results }) => results.length === 0}
        empty={
          <Empty title={TEXTS.emptyTitle} action={make}>
            {TEXTS.empty}
          </Empty>
        }
      >
        {({ results, count }) => (
          <>
            {error !== undefined && <FailureNote error={error} onRetry={goOn} />}
            <div class="flags-filter">
              <Field
                label={TEXTS.filter}
                type="search"
                value={search}
                onInput={(event) => setSearch(event.currentTarget.value, { replace: true })}
              />
              {isPart && (
                <p class="flags-part">
                  {TEXTS.part(formatNumber(results.length), formatNumber(count))}
                </p>
              )}
            </div>
            <FlagList project={id} flags={matching(results, search)} resource={flags} />
          </>
        )}
      </Loaded>
      {making && <NewFlag project={id} onClose={() => setMaking(false)} />}
    </>
  )
}

function matching(flags: readonly FeatureFlag[], search: string): readonly FeatureFlag[] {
  const text = search.trim().toLowerCase()
  return flags.filter(({ key, name, tags }) =>
    [key, name, ...tags].some((each) => each.toLowerCase().includes(text)),
  )
}

/** Propagation of the newest change made here; without an id it was of several flags. */
function useChanges(project: number) {
  const [propagated, follow] = usePropagation(project)
  const [id, setId] = useState<number>()
  return {
    id,
    text: propagationText(propagated),
    follow(changed: number | undefined) {
      setId(changed)
      follow()
    },
  }
}

type ChangedProps = { readonly text: string; readonly flag: FeatureFlag | undefined }

/** Progress of a change: announced only, for a flag in the list, which shows it beside the key. */
function Changed({ text, flag }: ChangedProps) {
  return (
    <p role="status" class={flag === undefined ? 'flags-changed' : 'unseen'}>
      {text === '' || flag === undefined ? text : `${flag.key}: ${text}`}
    </p>
  )
}

type FlagListProps = {
  readonly project: number
  readonly flags: readonly FeatureFlag[]
  readonly resource: Resource<Flags>
}

function FlagList({ project, flags, resource }: FlagListProps) {
  const [shown, setShown] = useState(SHOWN)
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const choose = (ids: readonly number[], isChosen: boolean) => {
    const next = new Set(chosen)
    for (const id of ids) {
      if (isChosen) next.add(id)
      else next.delete(id)
    }
    setChosen(next)
  }
  const { results = [], count = 0 } = resource.data ?? {}
  const known = useKnown(project, results, results.length < count)
  const changes = useChanges(project)
  const rows = flags.slice(0, shown)
  if (rows.length === 0) return <p class="flags-none">{TEXTS.nothing}</p>
  const choice: Column<FeatureFlag> = {
    key: 'choice',
    isWide: true,
    title: TEXTS.choice,
    cell: ({ id, key }) => (
      <input
        type="checkbox"
        class="flags-check"
        aria-label={`Select ${key}`}
        checked={chosen.has(id)}
        onChange={(event) => choose([id], event.currentTarget.checked)}
      />
    ),
  }
  return (
    <>
      <Changed text={changes.text} flag={flags.find(({ id }) => id === changes.id)} />
      <BulkBar
        project={project}
        chosen={flags.filter(({ id }) => chosen.has(id))}
        onAll={() =>
          choose(
            flags.map(({ id }) => id),
            true,
          )
        }
        onDone={() => {
          setChosen(new Set())
          changes.follow(undefined)
          resource.reload()
        }}
      />
      <Table
        caption={TEXTS.caption}
        columns={[
          choice,
          ...columnsOf(project, resource, known, {
            changed: changes.id === undefined ? undefined : { id: changes.id, text: changes.text },
            onChanged: changes.follow,
          }),
        ]}
        rows={rows}
        keyOf={({ id }) => id}
      />
      {flags.length > shown && (
        <p class="flags-more">
          <Button onClick={() => setShown(shown + SHOWN)}>{TEXTS.more}</Button>
        </p>
      )}
    </>
  )
}
