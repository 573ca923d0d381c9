/** Removes the demo: objects with its tag or mark, and persons with its distinct ids only. */
import {
  createDeletion,
  deleteAlert,
  deleteAnnotation,
  deleteDashboard,
  deletePerson,
  deleteSavedInsight,
  getProject,
  listAlerts,
  listDashboards,
  listFeatureFlags,
  listPersons,
  listSavedInsights,
  updateFeatureFlag,
} from '../../../gateway/client/calls.ts'
import { type Client, type Page, pages } from '../../../gateway/client/runtime.ts'
import type { Person } from '../../../gateway/client/types.ts'
import type { Clock } from '../../core/clock.ts'
import { followDeletion } from '../privacy/deletion.ts'
import { demoAnnotations } from './demo-alarm.ts'
import { removeGoals } from './demo-goals.ts'
import { DEMO_TAG } from './demo-objects.ts'
import { DEMO_MARK, PERSON_PREFIX } from './demo-persons.ts'
import { type DemoServer, patiently } from './demo-server.ts'

export type Removed = {
  readonly project_id: number
  readonly project: string
  readonly events: number
  readonly persons: number
  /** Flags, insights, dashboards, goals, annotations and alerts. */
  readonly objects: number
}

/** Deletions of persons at a time. */
const AT_ONCE = 8
const PERSONS_A_PAGE = 100

/** @throws {AppError} with the server's words, and `cancelled` when the signal aborts. */
export async function removeDemo(
  server: DemoServer & { readonly clock: Clock },
  named: string,
): Promise<Removed> {
  const { client, signal } = server
  const project = await patiently(server, `look at the project at ${server.url}`, () =>
    getProject(client, { id: named }, { signal }),
  )
  const { id } = project
  const marked = (await removeGoals(server, project)) + (await removeAnnotations(server, id))
  const objects = marked + (await removeObjects(server, id))
  const events = await removeEvents(server, id)
  const persons = await removePersons(server, id)
  return { project_id: id, project: project.name, events, persons, objects }
}

async function removeObjects(server: DemoServer, project_id: number): Promise<number> {
  const { client, signal } = server
  const search = DEMO_TAG
  const dashboards = await tagged(server, 'dashboards', () =>
    listDashboards(client, { project_id, search }, { signal }),
  )
  const insights = await tagged(server, 'insights', () =>
    listSavedInsights(client, { project_id, search }, { signal }),
  )
  const flags = await tagged(server, 'flags', () =>
    listFeatureFlags(client, { project_id }, { signal }),
  )
  for (const { id } of dashboards) {
    await patiently(server, 'remove the dashboard', () =>
      deleteDashboard(client, { project_id, id }, { signal }),
    )
  }
  const alerts = await removeAlerts(server, project_id, insights)
  for (const { id } of insights) {
    await patiently(server, 'remove an insight', () =>
      deleteSavedInsight(client, { project_id, id }, { signal }),
    )
  }
  for (const { id } of flags) {
    await patiently(server, 'remove a flag', () =>
      updateFeatureFlag(client, { project_id, id, deleted: true }, { signal }),
    )
  }
  return dashboards.length + alerts + insights.length + flags.length
}

async function removeAlerts(
  server: DemoServer,
  project_id: number,
  insights: readonly { readonly id: number }[],
): Promise<number> {
  const { client, signal } = server
  let removed = 0
  for (const { id: insight_id } of insights) {
    const { results } = await patiently(server, 'list alerts', () =>
      listAlerts(client, { project_id, insight_id }, { signal }),
    )
    for (const { id } of results) {
      await patiently(server, 'remove an alert', () =>
        deleteAlert(client, { project_id, id }, { signal }),
      )
    }
    removed += results.length
  }
  return removed
}

async function removeAnnotations(server: DemoServer, project_id: number): Promise<number> {
  const { client, signal } = server
  const annotations = await demoAnnotations(server, project_id)
  for (const { id } of annotations) {
    await patiently(server, 'remove an annotation', () =>
      deleteAnnotation(client, { project_id, id }, { signal }),
    )
  }
  return annotations.length
}

/** All objects of a list that have the demo's tag. */
async function tagged<Item extends { readonly tags: readonly string[] }>(
  server: DemoServer,
  what: string,
  first: () => Promise<Page<Item>>,
): Promise<readonly Item[]> {
  const { client, signal } = server
  return await patiently(server, `list ${what}`, async () => {
    const found: Item[] = []
    for await (const { results } of pages(client, first(), { signal })) found.push(...results)
    return found.filter(({ tags }) => tags.includes(DEMO_TAG))
  })
}

async function removeEvents(
  server: DemoServer & { readonly clock: Clock },
  project_id: number,
): Promise<number> {
  const { client, clock, signal, report } = server
  const asked = await patiently(server, 'delete the events', () =>
    createDeletion(client, { project_id, properties: filterOf('event') }, { signal }),
  )
  const { deleted } = await followDeletion(
    { clock, client, report: (line) => report(line.trim()) },
    asked,
    String(project_id),
    signal,
  )
  return deleted
}

/** Page by page: those that are gone make room, and those that stay are passed over. */
async function removePersons(server: DemoServer, project_id: number): Promise<number> {
  const { client, signal, report } = server
  let removed = 0
  for (let offset = 0; ; ) {
    const { results } = await patiently(server, 'list persons', () =>
      listPersons(client, askedFor(project_id, offset), { signal }),
    )
    if (results.length === 0) return removed
    const own = results.filter(isOfDemo)
    for (let at = 0; at < own.length; at += AT_ONCE) {
      const some = own.slice(at, at + AT_ONCE)
      await Promise.all(some.map((person) => removePerson(server, client, project_id, person)))
    }
    removed += own.length
    offset += results.length - own.length
    report(`${removed.toLocaleString('en')} persons deleted`)
  }
}

function askedFor(project_id: number, offset: number) {
  return { project_id, properties: filterOf('person'), limit: PERSONS_A_PAGE, offset }
}

/** A person that was merged with a real one has other ids too, and stays. */
function isOfDemo({ distinct_ids, distinct_id_count }: Person): boolean {
  return (
    distinct_ids.every((id) => id.startsWith(PERSON_PREFIX)) &&
    distinct_id_count === distinct_ids.length
  )
}

async function removePerson(
  server: DemoServer,
  client: Client,
  project_id: number,
  { id }: Person,
): Promise<void> {
  await patiently(server, 'delete a person', () =>
    deletePerson(client, { project_id, id, by: 'id' }, { signal: server.signal }),
  )
}

function filterOf(type: 'event' | 'person'): string {
  return JSON.stringify([{ ...DEMO_MARK, operator: 'exact', type }])
}
