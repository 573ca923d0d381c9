/** What the list says of each flag, and its switch. */
import { useState } from 'preact/hooks'
import {
  type FeatureFlag,
  listCohorts,
  type listFeatureFlags,
  updateFeatureFlag,
} from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { failureOf } from '../../data/failure.ts'
import { ask } from '../../data/questions.ts'
import { type Resource, useResource } from '../../data/resource.ts'
import { now } from '../../data/timers.ts'
import { Switch } from '../../kit/switch.tsx'
import type { Column } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { toast } from '../../kit/toasts.tsx'
import { type Names, shortText } from '../flag/sentence.ts'
import { FLAGS_TEXTS as TEXTS } from './texts.ts'
import { statusOf, USAGES_QUERY, type UsageRow, type Usages, usagesOf } from './usage.ts'

const COHORTS_MAX = 200

export type Flags = Awaited<ReturnType<typeof listFeatureFlags>>

type Known = {
  readonly names: Names
  /** Undefined: not known yet, or not to be known. */
  readonly usages: Usages | undefined
}

/** What the list says of flags beside what they are. It does not wait for it. */
export function useKnown(project: number, flags: readonly FeatureFlag[]): Known {
  const cohorts = useResource(`cohorts ${project}`, (signal) =>
    listCohorts(client, { project_id: project, limit: COHORTS_MAX }, { signal }),
  )
  const usages = useResource(`flag-usages ${project}`, async (signal) => {
    const { results } = await ask<UsageRow>(project, USAGES_QUERY, signal)
    return usagesOf(results)
  })
  const names: Names = {
    flags: new Map(flags.map(({ id, key }) => [String(id), key])),
    cohorts: new Map(cohorts.data?.results.map(({ id, name }) => [String(id), name])),
  }
  return { names, usages: usages.data }
}

/** How far the newest change in the list has come, and of which flag it was. */
export type Changed = { readonly id: number; readonly text: string }

export function columnsOf(
  project: number,
  resource: Resource<Flags>,
  { names, usages }: Known,
  { changed, onChanged }: { changed?: Changed | undefined; onChanged: (id: number) => void },
): readonly Column<FeatureFlag>[] {
  const nowMs = now()
  return [
    {
      ...{ key: 'state', title: TEXTS.state },
      cell: (flag) => <FlagSwitch {...{ project, flag, resource, onChanged }} />,
    },
    {
      ...{ key: 'key', title: TEXTS.key },
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
    { key: 'who', title: TEXTS.who, cell: ({ filters }) => shortText(filters, names) },
    {
      ...{ key: 'status', title: TEXTS.status },
      cell: (flag) => {
        const { name, text, reason } = statusOf(flag, usages, nowMs)
        return (
          <>
            <span class={`flags-status flags-${name}`} title={reason}>
              {text}
            </span>
            {name === 'stale' && <span class="flags-name">{reason}</span>}
          </>
        )
      },
    },
    {
      ...{ key: 'last', title: TEXTS.lastCall, align: 'end' },
      cell: ({ key }) => {
        const last = usages?.get(key)?.last
        return last === undefined ? TEXTS.never : <Time value={last} as="ago" />
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
        ...{ project_id: project, id: flag.id, active, version: flag.version },
      })
      onChanged(flag.id)
      const { data } = resource
      if (data === undefined) return
      const results = data.results.map((each) => (each.id === changed.id ? changed : each))
      resource.set({ ...data, results })
    } catch (error) {
      toast(failureOf(error).detail, { tone: 'bad' })
      resource.reload()
    } finally {
      setBusy(false)
    }
  }
  return (
    <Switch
      {...{ label: flag.key, checked: flag.active, busy }}
      onChange={(active) => void change(active)}
    />
  )
}
