/** Marks and the alarm of the deployment that goes wrong: annotations and an alert. */
import {
  createAlert,
  createAnnotation,
  listAlerts,
  listAnnotations,
} from '../../../gateway/client/calls.ts'
import type { Annotation } from '../../../gateway/client/types.ts'
import { type Deployment, deploymentAt, deploymentBefore } from './demo-deployment.ts'
import { DEMO_TAG } from './demo-objects.ts'
import { type DemoServer, patiently } from './demo-server.ts'

export const DEMO_SENSITIVITY = 'high'
/** An annotation has no tags, so that its text ends with a mark. */
const MARK = `(${DEMO_TAG})`
const BEGIN_TEXT = `Deployed 2.4: a new checkout, on every page ${MARK}`
const END_TEXT = `Back to 2.3: the checkout opens again ${MARK}`

/**
 * Makes its annotations. One that was made before says when the deployment was: what was sent of
 * that day stays.
 */
export async function makeDeployment(
  server: DemoServer,
  project_id: number,
  untilMs: number,
): Promise<Deployment> {
  const { client, signal } = server
  const known = await demoAnnotations(server, project_id)
  const begun = known.find(({ content }) => content === BEGIN_TEXT)
  const deployment =
    begun === undefined ? deploymentBefore(untilMs) : deploymentAt(Date.parse(begun.date_marker))
  const wanted = [
    { content: BEGIN_TEXT, atMs: deployment.beginMs },
    { content: END_TEXT, atMs: deployment.endMs },
  ]
  for (const { content, atMs } of wanted) {
    if (known.some((annotation) => annotation.content === content)) continue
    const date_marker = new Date(atMs).toISOString()
    const input = { project_id, content, date_marker, creation_type: 'GIT' } as const
    await patiently(server, 'make an annotation', () => createAnnotation(client, input, { signal }))
  }
  return deployment
}

export async function demoAnnotations(
  server: DemoServer,
  project_id: number,
): Promise<readonly Annotation[]> {
  const { client, signal } = server
  const { results } = await patiently(server, 'list annotations', () =>
    listAnnotations(client, { project_id, search: DEMO_TAG }, { signal }),
  )
  return results.filter(({ content }) => content.endsWith(MARK))
}

/** Makes the alert that notices it. It is checked at once, so that the events must be there. */
export async function makeAlert(
  server: DemoServer,
  project_id: number,
  insight: number,
): Promise<void> {
  const { client, signal } = server
  const { results } = await patiently(server, 'list alerts', () =>
    listAlerts(client, { project_id, insight_id: insight }, { signal }),
  )
  if (results.length > 0) return
  const condition = { type: 'anomaly', sensitivity: DEMO_SENSITIVITY }
  const input = { project_id, insight, name: 'Unusual checkouts', condition }
  await patiently(server, 'make the alert', () => createAlert(client, input, { signal }))
}
