/** Clients that set a property of a person, then ask any gateway for its effect. */
import { randomUUID } from 'node:crypto'
import { pause } from '../../support/until.ts'
import { isSuccess, noteAll } from './journal.ts'
import { decideOf, fieldOf, type LoadContext, note, type Switch } from './load.ts'

const TURN_MS = 300
const IDLE_MS = 20

/** Filters of a flag that persons with an even `turn` have. */
export const EVEN = {
  groups: [
    {
      properties: [{ key: 'parity', value: 'even', operator: 'exact', type: 'person' }],
      rollout_percentage: 100,
    },
  ],
}

/** Resolves when the load has stopped and every client has ended its last turn. */
export async function runPersons(
  context: LoadContext,
  clients: number,
  gate: Switch,
): Promise<void> {
  const run = async (index: number) => {
    for (let turn = 1; !context.isStopped(); turn += 1) {
      while (!gate.isOn && !context.isStopped()) await pause(IDLE_MS)
      if (context.isStopped()) return
      gate.busy += 1
      await takeTurn(context, index, turn)
      gate.busy -= 1
      await pause(TURN_MS * (0.5 + Math.random()))
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, index) => run(index)))
}

async function takeTurn(context: LoadContext, index: number, turn: number): Promise<void> {
  const { client, journal, next, giveUpMs } = context
  const project = context.projects[index % context.projects.length]
  if (project === undefined) return
  const distinctId = `person ${index}`
  const uuid = randomUUID()
  const parity = turn % 2 === 0 ? 'even' : 'odd'
  const event = { event: '$set', distinct_id: distinctId, uuid, $set: { parity } }
  const body = JSON.stringify({ api_key: project.projectKey, ...event })
  noteAll(journal.attempted, project.id, [uuid])
  const startedAt = performance.now()
  const sent = { kind: 'person', verb: 'POST', path: '/capture/', body } as const
  const set = await client.persist(sent, next, startedAt + giveUpMs)
  note(journal, 'person', project.id, startedAt, set)
  if (!isSuccess(set.status)) return
  noteAll(journal.acked, project.id, [uuid])
  const asked = await client.persist(decideOf(project, distinctId), next, startedAt + giveUpMs)
  if (!isSuccess(asked.status)) return
  // The answer reports incomplete data: the database has gone meanwhile.
  if (fieldOf(asked.body, 'errorsWhileComputingFlags') === true) return
  const has = fieldOf(fieldOf(asked.body, 'featureFlags'), 'even') === true
  if (has === (parity === 'even') || (await context.spills())) return
  journal.faults.push(
    `$set ${turn} of ${distinctId} acked at ${set.gateway} is not seen at ${asked.gateway}`,
  )
}
