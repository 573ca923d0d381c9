/** Columns of the list of flags, and the switch of a flag. */
import { useState } from 'preact/hooks'
import {
  type FeatureFlag,
  type FlagUsageStatus,
  listCohorts,
  type listFeatureFlags,
  listFlagUsage,
  updateFeatureFlag,
} from '../../../client/index.ts'
import { Spark } from '../../charts/spark.tsx'
import { client } from '../../data/client.ts'
import { failureOf } from '../../data/failure.ts'
import { formatNumber } from '../../data/format.ts'
import { ask } from '../../data/questions.ts'
import { type Resource, useResource } from '../../data/resource.ts'
import { Switch } from '../../kit/switch.tsx'
import type { Column } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { toast } from '../../kit/toasts.tsx'
import { type Names, shortText } from '../flag/sentence.ts'
import { FLAGS_TEXTS as TEXTS } from './texts.ts'

const COHORTS_MAX = 200
/** As many as the interface lists at once. */
const USAGES_OF_PAGE = 1000

/** Calls by day of the flags that are called most. */
const CALLS = {
  kind: 'TrendsQuery',
  series: [{ kind: 'EventsNode', event: '$feature_flag_called' }],
  breakdownFilter: {
    breakdown: '$feature_flag',
    breakdown_type: 'event',
    breakdown_limit: 200,
  },
  dateRange: { date_from: '-29d' },
  interval: 'day',
}

export type Flags = Awaited<ReturnType<typeof listFeatureFlags>>

type Known = {
  readonly names: Names
  /** Undefined while unknown, or when they cannot be loaded. */
  readonly usages: Usages | undefined
  /** Calls of each of the last 30 days, by the key of the flag. */
  readonly calls: ReadonlyMap<string, readonly number[]> | undefined
}

/**
 * Loads facts that the list shows beside the flags themselves; the list does not wait for them.
 * @param isPart some flags are still loading: those that arrive do not invalidate the usages.
 */
export function useKnown(project: number, flags: readonly FeatureFlag[], isPart: boolean): Known {
  const cohorts = useResource(`cohorts ${project}`, (signal) =>
    listCohorts(client, { project_id: project, limit: COHORTS_MAX }, { signal }),
  )
  // Switching a flag changes its version, and so invalidates the usages.
  const versions = isPart ? 'part' : flags.reduce((sum, { version }) => sum + version, 0)
  const usages = useResource(`flag-usages ${project} ${versions}`, async (signal) => {
    const all: FlagUsageStatus[] = []
    for (;;) {
      const page = { project_id: project, limit: USAGES_OF_PAGE, offset: all.length }
      const { results, next } = await listFlagUsage(client, page, { signal })
      all.push(...results)
      if (next === null || results.length === 0) return usagesOf(all)
    }
  })
  const names: Names = {
    flags: new Map(flags.map(({ id, key }) => [String(id), key])),
    cohorts: new Map(cohorts.data?.results.map(({ id, name }) => [String(id), name])),
  }
  const calls = useResource(`flag-calls ${project}`, async (signal) => {
    const { results } = await ask(project, CALLS, signal)
    return new Map(results.map(({ breakdown_value: key, data }) => [String(key), data]))
  })
  return { names, usages: usages.data, calls: calls.data }
}

/** Propagation of the newest change in the list, and its flag. */
export type Changed = { readonly id: number; readonly text: string }

export function columnsOf(
  project: number,
  resource: Resource<Flags>,
  { names, usages, calls }: Known,
  { changed, onChanged }: { changed?: Changed | undefined; onChanged: (id: number) => void },
): readonly Column<FeatureFlag>[] {
  return [
    {
      key: 'state',
      title: TEXTS.state,
      cell: (flag) => (
        <FlagSwitch project={project} flag={flag} resource={resource} onChanged={onChanged} />
      ),
    },
    {
      key: 'key',
      title: TEXTS.key,
      cell: ({ id, key, name, tags }) => (
        <>
          <a class="flags-key" href={`/project/${project}/feature_flags/${id}`}>
            {key}
          </a>
          {changed?.id === id && <span class="flags-held figure">{changed.text}</span>}
          {name !== '' && <span class="flags-name">{name}</span>}
          {tags.map((tag) => (
            <span key={tag} class="flags-tag">
              {tag}
            </span>
          ))}
        </>
      ),
    },
    {
      key: 'who',
      isWide: true,
      title: TEXTS.who,
      cell: ({ filters }) => <span class="flags-who">{shortText(filters, names)}</span>,
    },
    {
      key: 'status',
      title: TEXTS.status,
      cell: (flag) => {
        const usage = usages?.get(flag.id)
        if (usage === undefined) return ''
        const { status, reason } = usage
        return (
          <>
            <span class={`flags-status flags-${status}`} title={reasonText(usage)}>
              {statusText(usage)}
            </span>
            {status === 'stale' && <span class="flags-name">{reason}</span>}
          </>
        )
      },
    },
    {
      key: 'calls',
      isWide: true,
      title: TEXTS.calls,
      cell: ({ key }) => {
        const days = calls?.get(key)
        if (days === undefined) return TEXTS.never
        const sum = days.reduce((total, each) => total + each, 0)
        return <Spark label={`${formatNumber(sum)} ${TEXTS.callsReported}`} values={days} />
      },
    },
    {
      key: 'last',
      isWide: true,
      title: TEXTS.lastCall,
      align: 'end',
      cell: ({ id }) => {
        const last = usages?.get(id)?.last_called_at
        return last == null ? TEXTS.never : <Time value={last} as="ago" />
      },
    },
  ]
}

type FlagSwitchProps = {
  readonly project: number
  readonly flag: FeatureFlag
  readonly resource: Resource<Flags>
  readonly onChanged: (id: number) => void
}

function FlagSwitch({ project, flag, resource, onChanged }: FlagSwitchProps) {
  const [busy, setBusy] = useState(false)
  const change = async (active: boolean) => {
    setBusy(true)
    try {
      const changed = await updateFeatureFlag(client, {
        project_id: project,
        id: flag.id,
        active,
        version: flag.version,
      })
      onChanged(flag.id)
      resource.set((before) => ({
        ...before,
        results: before.results.map((each) => (each.id === changed.id ? changed : each)),
      }))
    } catch (error) {
      toast(failureOf(error).detail, { tone: 'bad' })
      resource.reload()
    } finally {
      setBusy(false)
    }
  }
  return (
    <Switch
      label={flag.key}
      checked={flag.active}
      busy={busy}
      onChange={(active) => void change(active)}
    />
  )
}

/** By the id of the flag. */
type Usages = ReadonlyMap<number, FlagUsageStatus>

function usagesOf(results: readonly FlagUsageStatus[]): Usages {
  return new Map(results.map((each) => [each.id, each]))
}

/** Name of a status; the status itself when a newer server sent an unknown one. */
function statusText({ status }: FlagUsageStatus): string {
  return STATUSES.get(status) ?? status
}

/** Reason of the status, and the number of calls. */
function reasonText({ reason, count }: FlagUsageStatus): string {
  return count === 0 ? reason : `${reason} ${formatNumber(count)} ${TEXTS.callsReported}`
}

const STATUSES: ReadonlyMap<string, string> = new Map([
  ['active', TEXTS.statusActive],
  ['off', TEXTS.statusOff],
  ['new', TEXTS.statusNew],
  ['stale', TEXTS.statusStale],
  ['unknown', TEXTS.statusUnknown],
])
