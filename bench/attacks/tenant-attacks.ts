/** Attacks of a tenant with a small key: its queries, lists and plugins. */
import { systemClock } from '../../src/core/clock.ts'
import { AppError } from '../../src/core/code.ts'
import { callManagement } from '../load/workload/management-api.ts'
import { type Attack, managed, type Target, urlOf } from './attack.ts'
import { createSender } from './http-attacks.ts'

const EVENTS = 2_000
const EVENTS_A_BATCH = 100
const TEXT = 'ab'.repeat(5_000)
const PERSON_BYTES = 500_000
const EVENT_BYTES = 980_000
const LARGE_EVENTS = 12

const expressions: Attack = {
  name: 'expressions that make 65 kB of each event',
  openMax: 64,
  async prepare(target) {
    const { send, end } = createSender(target)
    const { projectId, personalApiKey } = managed(target)
    await store(target, EVENTS, () => ({ distinct_id: 'e', properties: { x: TEXT } }))
    const letters = 'z'.repeat(500)
    const text = `replace(replace(properties.x, 'a', '${letters}'), 'z', '${letters}')`
    const headers = { authorization: `Bearer ${personalApiKey}` }
    const strike = (number: number) => {
      const where = JSON.stringify([`length(${text}) > ${number}`])
      const query = new URLSearchParams({ where, select: '["count()"]' })
      return send({ path: `/api/projects/${projectId}/events/?${query}`, method: 'GET', headers })
    }
    return { strike, end }
  },
}

const listedPersons: Attack = {
  name: 'lists of events of a person of 500 kB',
  openMax: 64,
  async prepare(target) {
    const { send, end } = createSender(target)
    const { projectId, personalApiKey } = managed(target)
    const $set = { name: 'n'.repeat(PERSON_BYTES) }
    await store(target, 1, () => ({ distinct_id: 'named', $set }))
    await store(target, 100, () => ({ distinct_id: 'named' }))
    const headers = { authorization: `Bearer ${personalApiKey}` }
    // 20 of them are within the bound of a page: 10 MB each.
    const paths = [20, 100].map(
      (limit) => `/api/projects/${projectId}/events/?distinct_id=named&limit=${limit}`,
    )
    const strike = (number: number) =>
      send({ path: paths[number % paths.length] ?? '', method: 'GET', headers })
    return { strike, end }
  },
}

/** Pages of the largest size, never the same one twice. */
const largePages: Attack = {
  name: 'lists of 12 events of 1 MB',
  openMax: 64,
  async prepare(target) {
    const { send, end } = createSender(target)
    const { projectId, personalApiKey } = managed(target)
    const properties = { text: 'x'.repeat(EVENT_BYTES) }
    for (let number = 0; number < LARGE_EVENTS; number++) {
      await store(target, 1, () => ({ distinct_id: 'large-events', properties }))
    }
    const headers = { authorization: `Bearer ${personalApiKey}` }
    const path = `/api/projects/${projectId}/events/?distinct_id=large-events`
    return { strike: () => send({ path, method: 'GET', headers }), end }
  },
}

const LOOP = 'export function processEvent() { for (;;); }'
/** A plugin that fails too often is disabled: its owner enables it again. */
const ENABLE_EVERY_MS = 500

const endlessPlugin: Attack = {
  name: 'a plugin that never ends',
  openMax: 200,
  async prepare(target) {
    const { send, end } = createSender(target)
    const project = managed(target)
    const url = urlOf(target)
    const plugins = '/api/organizations/@current/plugins/'
    const made = { plugin_type: 'source', name: 'endless', files: { 'index.ts': LOOP } }
    const { body } = await callManagement(url, project, 'POST', plugins, made)
    const { id: plugin } = Object(body)
    const configs = `/api/projects/${project.projectId}/plugin_configs/`
    const enable = async (enabled: boolean) => {
      await callManagement(url, project, 'POST', configs, { plugin, order: 1, enabled })
    }
    await enable(true)
    const over = new AbortController()
    const enabling = async () => {
      while (!over.signal.aborted) {
        await enable(true)
        await systemClock.sleep(ENABLE_EVERY_MS)
      }
      await enable(false)
    }
    void enabling().catch(() => {
      // The product may end before its attacker does.
    })
    const event = { api_key: target.project.apiKey, event: 'loop', distinct_id: 'a' }
    const looped = JSON.stringify(event)
    return {
      strike: () => send({ path: '/capture/', body: looped }),
      end: () => {
        over.abort()
        end()
      },
    }
  },
}

async function store(target: Target, count: number, event: () => object): Promise<void> {
  const { send, end } = createSender(target)
  for (let left = count; left > 0; left -= EVENTS_A_BATCH) {
    const length = Math.min(left, EVENTS_A_BATCH)
    const batch = Array.from({ length }, () => ({ event: 'stored', ...event() }))
    const body = JSON.stringify({ api_key: target.project.apiKey, batch })
    const answer = await send({ path: '/batch/', body })
    if (answer !== '200') throw new AppError('unavailable', `storing events: ${answer}`)
  }
  end()
}

export const TENANT_ATTACKS: readonly Attack[] = [
  expressions,
  listedPersons,
  largePages,
  endlessPlugin,
]
