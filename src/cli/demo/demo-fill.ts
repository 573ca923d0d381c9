/** Fills a project with the demo. Existing objects stay as they are. */
import {
  createDashboard,
  createFeatureFlag,
  createSavedInsight,
  getProject,
  listDashboards,
  listFeatureFlags,
  listSavedInsights,
} from '../../../gateway/client/calls.ts'
import { pages } from '../../../gateway/client/runtime.ts'
import type { SavedInsight } from '../../../gateway/client/types.ts'
import { makeAlert, makeDeployment } from './demo-alarm.ts'
import { type DemoEvent, type DemoSize, demoDays, demoPersons } from './demo-events.ts'
import { DEMO_FLAGS } from './demo-flags.ts'
import { makeGoals } from './demo-goals.ts'
import {
  DASHBOARD_NAME,
  DASHBOARD_TEXT,
  DEMO_INSIGHTS,
  DEMO_TAG,
  WATCHED_INSIGHT,
} from './demo-objects.ts'
import { capture, type DemoServer, patiently } from './demo-server.ts'

export type Filled = {
  readonly project_id: number
  readonly project: string
  readonly events: number
  readonly persons: number
  readonly dashboard_id: number
}

const BATCH = 500

/** @throws {AppError} with the server's words, and `cancelled` when the signal aborts. */
export async function fillDemo(
  server: DemoServer,
  named: string,
  { events, untilMs }: Omit<DemoSize, 'deployment'>,
): Promise<Filled> {
  const { client, signal } = server
  const project = await patiently(server, `look at the project at ${server.url}`, () =>
    getProject(client, { id: named }, { signal }),
  )
  const { id, name, api_token: token } = project
  await makeFlags(server, id)
  const insights = await makeInsights(server, id)
  const shown = insights.map(({ short_id }) => short_id)
  const dashboard_id = await makeDashboard(server, id, shown)
  await makeGoals(server, project)
  const deployment = await makeDeployment(server, id, untilMs)
  let sent = 0
  for (const batch of batches({ events, untilMs, deployment })) {
    await capture(server, token, batch)
    sent += batch.length
    server.report(`${sent.toLocaleString('en')} of ${events.toLocaleString('en')} events`)
  }
  const watched = insights.find(({ name }) => name === WATCHED_INSIGHT)
  if (watched !== undefined) await makeAlert(server, id, watched.id)
  const persons = demoPersons(events)
  return { project_id: id, project: name, events: sent, persons, dashboard_id }
}

function* batches(size: DemoSize): Generator<readonly DemoEvent[]> {
  let waiting: DemoEvent[] = []
  for (const day of demoDays(size)) {
    waiting.push(...day)
    for (; waiting.length >= BATCH; waiting = waiting.slice(BATCH)) yield waiting.slice(0, BATCH)
  }
  if (waiting.length > 0) yield waiting
}

async function makeFlags(server: DemoServer, project_id: number): Promise<void> {
  const { client, signal } = server
  const known = new Set<string>()
  await patiently(server, 'list flags', async () => {
    const first = listFeatureFlags(client, { project_id }, { signal })
    for await (const { results } of pages(client, first, { signal })) {
      for (const { key } of results) known.add(key)
    }
  })
  for (const flag of DEMO_FLAGS) {
    if (known.has(flag.key)) continue
    await patiently(server, `make the flag ${flag.key}`, () =>
      createFeatureFlag(client, { project_id, ...flag, tags: [DEMO_TAG] }, { signal }),
    )
  }
}

/** @returns all of them, in the order of the dashboard. */
async function makeInsights(
  server: DemoServer,
  project_id: number,
): Promise<readonly SavedInsight[]> {
  const { client, signal } = server
  const known = new Map<string, SavedInsight>()
  await patiently(server, 'list insights', async () => {
    const first = listSavedInsights(client, { project_id, search: DEMO_TAG }, { signal })
    for await (const { results } of pages(client, first, { signal })) {
      for (const insight of results) {
        if (insight.tags.includes(DEMO_TAG)) known.set(insight.name, insight)
      }
    }
  })
  const made: SavedInsight[] = []
  for (const insight of DEMO_INSIGHTS) {
    const before = known.get(insight.name)
    if (before !== undefined) made.push(before)
    else {
      const input = { project_id, ...insight, tags: [DEMO_TAG] }
      const created = await patiently(server, `make the insight ${insight.name}`, () =>
        createSavedInsight(client, input, { signal }),
      )
      made.push(created)
    }
  }
  return made
}

async function makeDashboard(
  server: DemoServer,
  project_id: number,
  insights: readonly string[],
): Promise<number> {
  const { client, signal } = server
  const { results } = await patiently(server, 'list dashboards', () =>
    listDashboards(client, { project_id, search: DEMO_TAG }, { signal }),
  )
  const known = results.find(({ name, tags }) => name === DASHBOARD_NAME && tags.includes(DEMO_TAG))
  if (known !== undefined) return known.id
  const tiles = [{ text: { body: DASHBOARD_TEXT } }, ...insights.map((insight) => ({ insight }))]
  const input = { project_id, name: DASHBOARD_NAME, tags: [DEMO_TAG], tiles }
  const { id } = await patiently(server, 'make the dashboard', () =>
    createDashboard(client, input, { signal }),
  )
  return id
}
