import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import type { Person } from '../../../client/index.ts'
import './person.css'
import { failureOf } from '../../data/failure.ts'
import { usePaged } from '../../data/paged.ts'
import { useProject } from '../../data/projects.ts'
import { nameOfActor } from '../../data/questions.ts'
import { forgetResources, type Resource, useResource } from '../../data/resource.ts'
import { useQueryState } from '../../data/url.ts'
import { Button } from '../../kit/button.tsx'
import { quoted } from '../../kit/filters/expression.ts'
import { later } from '../../kit/later.tsx'
import { Loaded } from '../../kit/loaded.tsx'
import { PageHead } from '../../kit/page-head.tsx'
import { TableSkeleton } from '../../kit/skeleton.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { Time } from '../../kit/time.tsx'
import { toast } from '../../kit/toasts.tsx'
import { NotFound } from '../not-found.tsx'
import type { PageProps } from '../page-props.ts'
import { ADMINISTRATOR } from '../settings/levels.ts'
import { CohortsNow } from './cohorts-now.tsx'
import { Ids, Properties } from './facts.tsx'
import { FlagsNow } from './flags-now.tsx'
import { type EventPage, loadEvents, loadPerson } from './person-data.ts'
import { PERSON_TEXTS as TEXTS } from './texts.ts'
import { Timeline } from './timeline.tsx'

const DeleteDialog = later(async () => (await import('./delete-dialog.tsx')).DeleteDialog)
const Sessions = later(async () => (await import('./sessions-panel.tsx')).Sessions)
const MergeDialog = later(async () => (await import('./merge-dialog.tsx')).MergeDialog)

export default function PersonPage({ params }: PageProps) {
  const { id: project } = useProject()
  const { distinct_id: id = '' } = params
  const person = useResource(`person ${project} ${id}`, (signal) => loadPerson(project, id, signal))
  if (person.data === undefined && person.error !== undefined) {
    if (failureOf(person.error).kind === 'missing') {
      return (
        <>
          <NotFound what="person" />
          <p class="person-orphan">
            <a href={eventsWhere(project, `distinct_id = ${quoted(id)}`)}>{TEXTS.eventsOfId(id)}</a>
          </p>
        </>
      )
    }
  }
  return (
    <>
      {person.data === undefined && <PageHead title={TEXTS.title} />}
      <Loaded of={person} skeleton={<TableSkeleton rows={10} />}>
        {(loaded) => <PersonView project={project} id={id} person={loaded} resource={person} />}
      </Loaded>
    </>
  )
}

function eventsWhere(project: number, where: string): string {
  return `/project/${project}/events?where=${encodeURIComponent(where)}`
}

type PersonViewProps = {
  readonly project: number
  /** Distinct id in the address. */
  readonly id: string
  readonly person: Person
  readonly resource: Resource<Person>
}

function PersonView({ project, id, person, resource }: PersonViewProps) {
  const { uuid, distinct_ids, distinct_id_count } = person
  const [tab] = useQueryState('tab', 'events')
  // A merge brings other events.
  const question = `events-of ${project} ${uuid} ${distinct_id_count}`
  const paged = usePaged<EventPage>(question, (before, signal) =>
    loadEvents(project, uuid, before.at(-1), signal),
  )
  const events = paged.pages.flatMap(({ results }) => results)
  const distinctId = distinct_ids.includes(id) ? id : (distinct_ids[0] ?? id)
  return (
    <>
      <PersonHead project={project} id={distinctId} person={person} resource={resource} />
      <div class="person-body">
        <div class="person-main">
          <Tabs label={TEXTS.sections} tabs={tabsOf(project, id)} chosen={tab} />
          {tab === 'sessions' ? (
            <Sessions project={project} uuid={uuid} />
          ) : (
            <Timeline of={paged} events={events} />
          )}
        </div>
        <div class="person-side">
          <Properties properties={person.properties} events={events} />
          <FlagsNow
            key={distinct_id_count}
            project={project}
            distinctId={distinctId}
            ids={distinct_ids}
          />
          <CohortsNow key={`of ${distinct_id_count}`} project={project} uuid={uuid} />
          <Ids person={person} />
        </div>
      </div>
    </>
  )
}

function tabsOf(project: number, id: string) {
  const home = `/project/${project}/person/${encodeURIComponent(id)}`
  return [
    { id: 'events', name: TEXTS.timeline, href: home },
    { id: 'sessions', name: TEXTS.sessions, href: `${home}?tab=sessions` },
  ]
}

function PersonHead({ project, id, person, resource }: PersonViewProps) {
  const [, navigate] = useLocation()
  const { effective_membership_level: level } = useProject()
  const [opened, open] = useState<'merge' | 'delete'>()
  const close = () => open(undefined)
  return (
    <>
      <PageHead
        title={nameOfActor(person)}
        note={
          <>
            {person.is_identified ? TEXTS.identified : TEXTS.anonymous}, {TEXTS.firstSeen}{' '}
            <Time value={person.created_at} />
          </>
        }
        call={{
          verb: 'GET',
          path: `/api/projects/${project}/persons/${encodeURIComponent(id)}/?by=distinct_id`,
        }}
      >
        <a class="button button-plain" href={eventsWhere(project, `person_id = '${person.uuid}'`)}>
          {TEXTS.allEvents}
        </a>
        {(level ?? 0) >= ADMINISTRATOR && (
          <>
            <Button onClick={() => open('merge')}>{TEXTS.merge}</Button>
            <Button tone="danger" onClick={() => open('delete')}>
              {TEXTS.delete}
            </Button>
          </>
        )}
      </PageHead>
      {opened === 'merge' && (
        <MergeDialog
          project={project}
          person={person}
          onClose={close}
          onMerged={(merged) => {
            close()
            // Data that other pages have loaded about either person are outdated.
            forgetResources()
            resource.set(merged)
            toast(TEXTS.merged)
          }}
        />
      )}
      {opened === 'delete' && (
        <DeleteDialog
          project={project}
          person={person}
          id={id}
          onClose={close}
          onDeleted={() => {
            forgetResources()
            navigate(`/project/${project}/persons`)
            toast(TEXTS.deleted)
          }}
        />
      )}
    </>
  )
}
