/** Goals of the demo for the page of web analytics. They count events of the demo alone. */
import { updateProject } from '../../../gateway/client/calls.ts'
import type { Project } from '../../../gateway/client/types.ts'
import { isList, isObject, type Json, type JsonObject } from '../../core/json.ts'
import { DEMO_MARK } from './demo-persons.ts'
import { type DemoServer, patiently } from './demo-server.ts'

type Goals = Pick<Project, 'id' | 'web_goals'>

const GOALS_MAX = 20
const MARK: JsonObject = { ...DEMO_MARK, operator: 'exact', type: 'event' }
const DEMO_GOALS: readonly JsonObject[] = [
  { name: 'Order', event: 'order placed', properties: [MARK] },
  { name: 'Checkout', event: 'checkout started', properties: [MARK] },
  { name: 'Sign-up', event: 'signed up', properties: [MARK] },
  {
    name: 'Read the blog',
    event: '$pageview',
    properties: [{ key: '$pathname', value: '/blog/', operator: 'icontains', type: 'event' }, MARK],
  },
]

/** Adds goals to those of the project; a name that it has already stays as it is. */
export async function makeGoals(server: DemoServer, project: Goals): Promise<void> {
  const before = goalsOf(project)
  const names = new Set(before.map(({ name }) => name))
  const added = DEMO_GOALS.filter(({ name }) => !names.has(name))
  const room = GOALS_MAX - before.length
  await writeGoals(server, project.id, before, [...before, ...added.slice(0, room)])
}

/** @returns how many are gone. */
export async function removeGoals(server: DemoServer, project: Goals): Promise<number> {
  const before = goalsOf(project)
  const kept = before.filter(({ properties }) => !isOfDemo(properties))
  await writeGoals(server, project.id, before, kept)
  return before.length - kept.length
}

async function writeGoals(
  server: DemoServer,
  id: number,
  before: readonly JsonObject[],
  web_goals: readonly JsonObject[],
): Promise<void> {
  if (web_goals.length === before.length) return
  const { client, signal } = server
  await patiently(server, 'write the goals of the project', () =>
    updateProject(client, { id, web_goals }, { signal }),
  )
}

function goalsOf({ web_goals: goals }: Goals): readonly JsonObject[] {
  return isList(goals) ? goals.filter(isObject) : []
}

function isOfDemo(properties: Json | undefined): boolean {
  return isList(properties) && properties.some((one) => isObject(one) && one['key'] === MARK['key'])
}
