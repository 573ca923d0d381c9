import '../../styles/diff.css'
import './flag.css'
import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import {
  type FeatureFlag,
  getFeatureFlag,
  getFlagDependencies,
  listCohorts,
  listFeatureFlags,
  updateFeatureFlag,
} from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { failureOf } from '../../data/failure.ts'
import { isRecord } from '../../data/json.ts'
import { useProject } from '../../data/projects.ts'
import { forgetResources, type Resource, useResource } from '../../data/resource.ts'
import { useQueryState } from '../../data/url.ts'
import { Button } from '../../kit/button.tsx'
import { later } from '../../kit/later.tsx'
import { Loaded } from '../../kit/loaded.tsx'
import { Menu } from '../../kit/menu.tsx'
import { PageHead } from '../../kit/page-head.tsx'
import { Skeleton, TableSkeleton } from '../../kit/skeleton.tsx'
import { Switch } from '../../kit/switch.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { toast } from '../../kit/toasts.tsx'
import { NotFound } from '../not-found.tsx'
import type { PageProps } from '../page-props.ts'
import { Conditions } from './conditions.tsx'
import type { Draft } from './draft.ts'
import { type Propagated, propagationText } from './propagation.ts'
import type { Names } from './sentence.ts'
import { TestBox } from './test-box.tsx'
import { TABS, FLAG_TEXTS as TEXTS } from './texts.ts'
import { usePropagation } from './use-propagation.ts'

const COHORTS_MAX = 200
/** As the list of flags asks, so that both share the answer. */
const FLAGS_MAX = 1000

const SaveDialog = later(async () => (await import('./save-dialog.tsx')).SaveDialog)
const DeleteDialog = later(async () => (await import('./delete-dialog.tsx')).DeleteDialog)
const waiting = () => <Skeleton height={320} />
const Links = later(async () => (await import('./links-panel.tsx')).Links, waiting)
const Usage = later(async () => (await import('./usage-panel.tsx')).Usage, waiting)
const Code = later(async () => (await import('./code-panel.tsx')).Code, waiting)
const History = later(async () => (await import('./history-panel.tsx')).History, waiting)

export default function FlagPage({ params }: PageProps) {
  const { id: project } = useProject()
  const { id = '' } = params
  const flag = useResource(`flag ${project} ${id}`, (signal) =>
    getFeatureFlag(client, { project_id: project, id }, { signal }),
  )
  if (flag.data === undefined && flag.error !== undefined) {
    if (failureOf(flag.error).kind === 'missing') return <NotFound what="flag" />
  }
  return (
    <>
      {flag.data === undefined && <PageHead title={TEXTS.title} />}
      <Loaded of={flag} skeleton={<TableSkeleton rows={6} height={64} />}>
        {(loaded) => <FlagView project={project} flag={loaded} resource={flag} />}
      </Loaded>
    </>
  )
}

type FlagViewProps = {
  readonly project: number
  readonly flag: FeatureFlag
  readonly resource: Resource<FeatureFlag>
}

function FlagView({ project, flag, resource }: FlagViewProps) {
  const [tab] = useQueryState('tab', 'conditions')
  const [draft, setDraft] = useState<Draft>()
  /** Version that the draft is based on: others may change the flag meanwhile. */
  const [base, setBase] = useState(flag)
  const [open, setOpen] = useState<'save' | 'delete'>()
  const [, navigate] = useLocation()
  const list = `/project/${project}/feature_flags`
  const { names, links } = useLinks(project, flag)
  const [propagated, follow] = usePropagation(project)
  const shown = draft ?? flag
  const edit = (change: Partial<Draft>) => {
    if (draft === undefined) setBase(flag)
    const { name, filters, tags } = shown
    setDraft({ name, filters, tags, ...change })
  }
  const changed = (next: FeatureFlag) => {
    resource.set(next)
    follow()
  }
  const taken = (next: FeatureFlag) => {
    changed(next)
    setDraft(undefined)
    setOpen(undefined)
  }
  return (
    <>
      <PageHead title={flag.key} note={<a href={list}>{TEXTS.back}</a>}>
        <FlagSwitch project={project} flag={flag} propagated={propagated} onChanged={changed} />
        {draft !== undefined && (
          <>
            <Button onClick={() => setDraft(undefined)}>{TEXTS.discard}</Button>
            <Button tone="main" onClick={() => setOpen('save')}>
              {TEXTS.save}
            </Button>
          </>
        )}
        <Menu
          label={TEXTS.more}
          icon="more"
          items={[{ label: TEXTS.delete, onSelect: () => setOpen('delete') }]}
        />
      </PageHead>
      {flag.warnings.map((text) => (
        <p key={text} class="flag-warning" role="status">
          {text}
        </p>
      ))}
      <Tabs label={TEXTS.parts} tabs={tabsOf(project, flag.id)} chosen={tab} />
      {tab === 'conditions' && (
        <div class="flag-columns">
          <Conditions project={project} draft={shown} names={names} onEdit={edit} />
          <TestBox project={project} flag={flag} filters={draft?.filters} names={names} />
        </div>
      )}
      {tab === 'links' && <Links project={project} of={links} />}
      {tab === 'usage' && <Usage flagId={flag.id} version={flag.version} />}
      {tab === 'code' && <Code flag={flag} />}
      {tab === 'history' && <History project={project} flag={flag} onRestored={taken} />}
      {open === 'save' && draft !== undefined && (
        <SaveDialog
          project={project}
          base={base}
          draft={draft}
          names={names}
          onClose={() => setOpen(undefined)}
          onSaved={(saved) => {
            taken(saved)
            toast(TEXTS.saved, { undo: () => void undo(project, base, saved, changed) })
          }}
          onTaken={taken}
        />
      )}
      {open === 'delete' && (
        <DeleteDialog
          project={project}
          flag={flag}
          onClose={() => setOpen(undefined)}
          onDeleted={(deleted) => {
            forgetResources()
            navigate(list)
            const back = () => navigate(`${list}/${flag.id}`)
            toast(TEXTS.deleted, { undo: () => void restore(project, deleted, back) })
          }}
        />
      )}
    </>
  )
}

async function undo(
  project: number,
  { name, filters, tags }: FeatureFlag,
  { id, version }: FeatureFlag,
  onChanged: (flag: FeatureFlag) => void,
): Promise<void> {
  if (!isRecord(filters)) return
  try {
    const change = { project_id: project, id, name, filters, tags, version }
    onChanged(await updateFeatureFlag(client, change))
  } catch (error) {
    toast(failureOf(error).detail, { tone: 'bad' })
  }
}

async function restore(
  project: number,
  { id, version }: FeatureFlag,
  onRestored: () => void,
): Promise<void> {
  try {
    await updateFeatureFlag(client, { project_id: project, id, deleted: false, version })
    forgetResources()
    onRestored()
  } catch (error) {
    toast(failureOf(error).detail, { tone: 'bad' })
  }
}

/** @returns the links of the flag, and the names of all objects that conditions may refer to. */
function useLinks(project: number, { id, version }: FeatureFlag) {
  const links = useResource(`flag-links ${project} ${id} ${version}`, (signal) =>
    getFlagDependencies(client, { project_id: project, id }, { signal }),
  )
  const cohorts = useResource(`cohorts ${project}`, (signal) =>
    listCohorts(client, { project_id: project, limit: COHORTS_MAX }, { signal }),
  )
  const flags = useResource(`flags ${project}`, (signal) =>
    listFeatureFlags(client, { project_id: project, limit: FLAGS_MAX }, { signal }),
  )
  const others = flags.data?.results.filter((each) => each.id !== id) ?? []
  const tied = links.data ?? { depends_on: [], cohorts: [] }
  const names: Names = {
    flags: new Map([...others, ...tied.depends_on].map((each) => [String(each.id), each.key])),
    cohorts: new Map(
      [...(cohorts.data?.results ?? []), ...tied.cohorts].map((each) => [
        String(each.id),
        each.name,
      ]),
    ),
  }
  return { links, names }
}

function tabsOf(project: number, id: number) {
  const home = `/project/${project}/feature_flags/${id}`
  return TABS.map(({ id: tab, name }) => ({
    id: tab,
    name,
    href: tab === 'conditions' ? home : `${home}?tab=${tab}`,
  }))
}

type FlagSwitchProps = {
  readonly project: number
  readonly flag: FeatureFlag
  readonly propagated: Propagated | undefined
  readonly onChanged: (flag: FeatureFlag) => void
}

/** Switch of the flag, and the propagation of its newest change. */
function FlagSwitch({ project, flag, propagated, onChanged }: FlagSwitchProps) {
  const [busy, setBusy] = useState(false)
  const change = async (active: boolean) => {
    setBusy(true)
    try {
      const { id, version } = flag
      const changed = await updateFeatureFlag(client, { project_id: project, id, active, version })
      onChanged(changed)
    } catch (error) {
      toast(failureOf(error).detail, { tone: 'bad' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <span class="flag-switch">
      <span role="status" class="flag-took figure">
        {propagationText(propagated) || (flag.active ? 'On' : 'Off')}
      </span>
      <Switch
        label={flag.key}
        checked={flag.active}
        busy={busy}
        onChange={(active) => void change(active)}
      />
    </span>
  )
}
