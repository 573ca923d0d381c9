import { useState } from 'preact/hooks'
import {
  deleteProject,
  getProject,
  type Project,
  type UpdateProjectInput,
  updateProject,
} from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { formatTime } from '../../data/format.ts'
import { loadProjects, useProject } from '../../data/projects.ts'
import { useResource } from '../../data/resource.ts'
import { Button } from '../../kit/button.tsx'
import { Confirm } from '../../kit/dialogs/asks.ts'
import { Field, Select, TextArea } from '../../kit/field.tsx'
import { later } from '../../kit/later.tsx'
import { Loaded } from '../../kit/loaded.tsx'
import { TableSkeleton } from '../../kit/skeleton.tsx'
import { toast } from '../../kit/toasts.tsx'
import { useAction } from '../../kit/use-action.ts'
import { Choice } from './choice.tsx'
import { ADMINISTRATOR } from './levels.ts'
import { SETTINGS_TEXTS as TEXTS } from './texts.ts'

const RetentionDialog = later(async () => (await import('./retention-dialog.tsx')).RetentionDialog)
const SubscriptionsDrawer = later(
  async () => (await import('../../kit/drawers/subscriptions-drawer.tsx')).SubscriptionsDrawer,
)

export function ProjectTab() {
  const { id } = useProject()
  const project = useResource(`project ${id}`, (signal) => getProject(client, { id }, { signal }))
  return (
    <Loaded of={project} skeleton={<TableSkeleton rows={6} height={64} />}>
      {(loaded) => (
        <div class="settings-stack settings-narrow">
          <ProjectForm key={loaded.updated_at} project={loaded} onSaved={project.set} />
          <Summary project={id} />
          <Removal project={loaded} />
        </div>
      )}
    </Loaded>
  )
}

const WEEK_STARTS = [
  { value: '1', label: TEXTS.monday },
  { value: '0', label: TEXTS.sunday },
]

type FormProps = { readonly project: Project; readonly onSaved: (project: Project) => void }
type Change = Omit<UpdateProjectInput, 'id'>

/** Saves the changes of a form; a shorter retention of events only after confirmation. */
function useSave({ project, onSaved }: FormProps, isAdministrator: boolean) {
  const { busy, failure, run } = useAction(true)
  const [asked, setAsked] = useState<Change>()
  const send = (change: Change) =>
    run(async () => {
      setAsked(undefined)
      onSaved(await updateProject(client, { id: project.id, ...change }))
      toast(TEXTS.saved)
      await loadProjects()
    })
  const save = (form: HTMLFormElement) => {
    const change = changeOf(project, new FormData(form), isAdministrator)
    if (Object.keys(change).length === 0) toast(TEXTS.nothing)
    else if (isShorter(project, change)) setAsked(change)
    else send(change)
  }
  const question = asked !== undefined && (
    <RetentionDialog
      project={project}
      busy={busy}
      days={asked.events_retention_days ?? 0}
      onConfirm={() => send(asked)}
      onClose={() => setAsked(undefined)}
    />
  )
  return { busy, failure, save, question }
}

function ProjectForm({ project, onSaved }: FormProps) {
  const isAdministrator = (project.effective_membership_level ?? 0) >= ADMINISTRATOR
  const { busy, failure, save, question } = useSave({ project, onSaved }, isAdministrator)
  const problemOf = (attr: string) =>
    failure?.attr?.split('.')[0] === attr ? failure.detail : undefined
  return (
    <>
      <form
        class="settings-card settings-form"
        aria-label={TEXTS.general}
        onSubmit={(event) => {
          event.preventDefault()
          save(event.currentTarget)
        }}
      >
        <h2>{TEXTS.general}</h2>
        <Field
          label={TEXTS.name}
          name="name"
          required
          maxLength={200}
          defaultValue={project.name}
          problem={problemOf('name')}
        />
        <Select
          label={TEXTS.zone}
          hint={TEXTS.zoneHint}
          name="timezone"
          options={zonesWith(project.timezone)}
          value={project.timezone}
          problem={problemOf('timezone')}
        />
        <Select
          label={TEXTS.weeks}
          name="week_start_day"
          options={WEEK_STARTS}
          value={String(project.week_start_day)}
          problem={problemOf('week_start_day')}
        />
        <Field
          label={TEXTS.retention}
          name="events_retention_days"
          type="number"
          min={1}
          hint={retentionHint(project, isAdministrator)}
          max={36_525}
          disabled={!isAdministrator}
          problem={problemOf('events_retention_days')}
          defaultValue={project.events_retention_days ?? ''}
        />
        <TextArea
          label={TEXTS.urls}
          hint={TEXTS.urlsHint}
          name="app_urls"
          rows={3}
          defaultValue={linesOf(project.app_urls)}
          problem={problemOf('app_urls')}
        />
        <Field
          label={TEXTS.chat}
          hint={TEXTS.chatHint}
          name="chat_incoming_webhook"
          type="url"
          problem={problemOf('chat_incoming_webhook')}
          defaultValue={project.chat_incoming_webhook ?? ''}
        />
        <Choice name="anonymize_ips" label={TEXTS.addresses} checked={project.anonymize_ips} />
        <Choice
          name="capture_performance_opt_in"
          label={TEXTS.performance}
          checked={project.capture_performance_opt_in ?? false}
        />
        <Choice
          name="access_control"
          label={TEXTS.closed}
          checked={project.access_control}
          disabled={!isAdministrator}
        />
        {failure !== undefined && failure.attr === null && (
          <p class="field-problem" role="alert">
            {failure.detail}
          </p>
        )}
        <Button tone="main" type="submit" busy={busy}>
          {TEXTS.save}
        </Button>
      </form>
      {question}
    </>
  )
}

function retentionHint({ events_retention_from: from, timezone }: Project, mayChange: boolean) {
  if (from !== null) return TEXTS.retentionWaits(formatTime(from, timezone))
  return mayChange ? TEXTS.retentionHint : TEXTS.administrators
}

/** Whether events that are kept now would be deleted. */
function isShorter(project: Project, { events_retention_days: days }: Change): boolean {
  return typeof days === 'number' && days < (project.events_retention_days ?? Infinity)
}

/** Changed fields only, so that users who change different fields do not undo each other. */
function changeOf(project: Project, form: FormData, isAdministrator: boolean): Change {
  const text = (name: string) => String(form.get(name) ?? '').trim()
  const days = text('events_retention_days')
  const wanted = {
    name: text('name'),
    timezone: text('timezone'),
    week_start_day: Number(text('week_start_day')),
    app_urls: text('app_urls').split(/\s+/).filter(Boolean),
    chat_incoming_webhook: text('chat_incoming_webhook') || null,
    anonymize_ips: form.has('anonymize_ips'),
    capture_performance_opt_in: form.has('capture_performance_opt_in'),
    ...(isAdministrator && {
      access_control: form.has('access_control'),
      events_retention_days: days === '' ? null : Number(days),
    }),
  }
  const stored = {
    ...project,
    capture_performance_opt_in: project.capture_performance_opt_in ?? false,
    chat_incoming_webhook: project.chat_incoming_webhook || null,
  }
  const isChanged = ([name, value]: readonly [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(stored[name as keyof Project])
  return Object.fromEntries(Object.entries(wanted).filter(isChanged))
}

function linesOf(urls: Project['app_urls']): string {
  return Array.isArray(urls) ? urls.filter(Boolean).join('\n') : ''
}

function zonesWith(current: string) {
  const zones = new Set(['UTC', current, ...Intl.supportedValuesOf('timeZone')])
  return [...zones].map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))
}

/** Weekly summary: who gets it. */
function Summary({ project }: { readonly project: number }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <section class="settings-card" aria-labelledby="project-summary">
      <h2 id="project-summary">{TEXTS.summary}</h2>
      <p class="settings-note">{TEXTS.summaryText}</p>
      <div class="settings-row">
        <Button onClick={() => setOpen(true)}>{TEXTS.summaryOpen}</Button>
      </div>
      {isOpen && (
        <SubscriptionsDrawer
          project={project}
          to={{ kind: 'summary' }}
          onClose={() => setOpen(false)}
        />
      )}
    </section>
  )
}

/** For administrators: the project with everything in it. */
function Removal({ project }: { readonly project: Project }) {
  const [asks, setAsks] = useState(false)
  const { busy, run } = useAction()
  if ((project.effective_membership_level ?? 0) < ADMINISTRATOR) return null
  const remove = () =>
    run(async () => {
      await deleteProject(client, { id: project.id })
      location.assign('/')
    })
  return (
    <section class="settings-card" aria-labelledby="project-removal">
      <h2 id="project-removal">{TEXTS.removal}</h2>
      <p class="settings-note">{TEXTS.removalText}</p>
      <div class="settings-row">
        <Button tone="danger" onClick={() => setAsks(true)}>
          {TEXTS.removeProject}
        </Button>
      </div>
      {asks && (
        <Confirm
          title={TEXTS.removalTitle}
          action={TEXTS.removeProject}
          busy={busy}
          onConfirm={remove}
          typed={{ label: TEXTS.typeName, word: project.name }}
          onClose={() => setAsks(false)}
        >
          <p>{TEXTS.removalText}</p>
        </Confirm>
      )}
    </section>
  )
}
