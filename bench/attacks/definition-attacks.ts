/** Attacks of a tenant by stored definitions: small requests that name large cohorts and flags. */
import { AppError } from '../../src/core/code.ts'
import { listOf, objectOf, own } from '../../src/core/json.ts'
import { callManagement } from '../load/workload/management-api.ts'
import { type Attack, managed, type Target, urlOf } from './attack.ts'
import { createSender, type Sent } from './http-attacks.ts'

const COHORT = 'patterns'
const COHORT_PATTERNS = 800
const NAMINGS = 90
const SERIES = 10
const QUESTIONS = 4
const FLAG_CONDITIONS = 900
const FLAGS = 50

type Made = {
  readonly api: (path: string, body?: unknown) => Sent
  /** A filter that names the cohort. */
  readonly named: object
  /** Ignores refusals by the project's limits: it is full already. */
  readonly fill: (path: string, body: unknown) => Promise<void>
}

/** An attack by one request a strike, once there is a cohort of many patterns. */
function namingAttack(
  name: string,
  requestOf: (made: Made) => Promise<(number: number) => Sent>,
): Attack {
  return {
    name,
    openMax: 8,
    async prepare(target) {
      const made = await madeFor(target)
      const strikeOf = await requestOf(made)
      const { send, end } = createSender(target)
      return { strike: (number) => send(strikeOf(number)), end }
    },
  }
}

async function madeFor(target: Target): Promise<Made> {
  const project = managed(target)
  const base = `/api/projects/${project.projectId}`
  const call = async (path: string, body?: unknown) => {
    const method = body === undefined ? 'GET' : 'POST'
    return await callManagement(urlOf(target), project, method, `${base}${path}`, body)
  }
  const headers = { authorization: `Bearer ${project.personalApiKey}` }
  return {
    api: (path, body) =>
      body === undefined
        ? { path: `${base}${path}`, method: 'GET', headers }
        : { path: `${base}${path}`, headers, body: JSON.stringify(body) },
    named: { type: 'cohort', key: 'id', value: await cohortOf(call) },
    async fill(path, body) {
      const { status } = await call(path, body)
      if (status !== 201 && status !== 400) throw new AppError('unavailable', `${path}: ${status}`)
    },
  }
}

/** The id of the cohort that all of these attacks share. */
async function cohortOf(
  call: (path: string, body?: unknown) => Promise<{ readonly body: unknown }>,
): Promise<unknown> {
  const { body: listed } = await call('/cohorts/?basic=true')
  const found = listOf(own(objectOf(listed), 'results')).map(objectOf)
  const known = found.find((cohort) => own(cohort, 'name') === COHORT)
  if (known !== undefined) return own(known, 'id')
  const values = Array.from({ length: COHORT_PATTERNS }, (_, number) => {
    const value = `^attack-${number}-[a-z]+@(one|other)[.]example$`
    return { type: 'person', key: 'email', operator: 'regex', value }
  })
  const filters = { properties: { type: 'OR', values } }
  const { body } = await call('/cohorts/', { name: COHORT, filters })
  const id = own(objectOf(body), 'id')
  if (id === undefined) throw new AppError('unavailable', 'the cohort was not made')
  return id
}

function times<T>(length: number, item: T): T[] {
  return Array.from({ length }, () => item)
}

/** Filters that differ, so that each is stored. */
function apart(named: object, length: number): object {
  const values = Array.from({ length }, (_, number) => {
    return { type: 'AND', values: [named, { key: 'x', value: String(number) }] }
  })
  return { type: 'OR', values }
}

/** Trends over ranges that differ from strike to strike, so that no cached answer fits. */
function trends(properties: object, number: number, more: object = {}): object {
  const series = times(SERIES, { kind: 'EventsNode', event: 'stored', properties })
  return {
    kind: 'TrendsQuery',
    series,
    dateRange: { date_from: `-${1 + (number % 300)}d` },
    ...more,
  }
}

export const DEFINITION_ATTACKS: readonly Attack[] = [
  namingAttack('questions that name a cohort of 800 patterns 3,600 times', async (made) => {
    const filters = times(NAMINGS, made.named)
    return (number) => made.api('/query/', { query: times(QUESTIONS, trends(filters, number)) })
  }),
  namingAttack('questions that name it in 500 groups', async (made) => {
    const filters = apart(made.named, 50)
    return (number) => made.api('/query/', { query: trends(filters, number) })
  }),
  namingAttack('lists of events that name it 40 times', async (made) => {
    const filters = encodeURIComponent(JSON.stringify(times(40, made.named)))
    return () => made.api(`/events/?properties=${filters}`)
  }),
  namingAttack('drafts of flags that name it 200 times', async (made) => {
    const filters = { groups: [{ properties: times(200, made.named) }] }
    const body = { distinct_id: 'draft', flags: [{ key: 'draft', active: true, filters }] }
    return () => made.api('/feature_flags/evaluate/', body)
  }),
  namingAttack('flags that name it 100 times', async (made) => {
    const filters = { groups: [{ properties: times(100, made.named) }] }
    return (number) => made.api('/feature_flags/', { key: `attack-${number}`, filters })
  }),
  namingAttack('definitions of 45,000 conditions for local evaluation', async (made) => {
    for (let number = 0; number < FLAGS; number++) {
      const properties = Array.from({ length: FLAG_CONDITIONS }, (_, place) => {
        return { type: 'person', key: `p${place % 50}`, operator: 'icontains', value: `v${place}` }
      })
      await made.fill('/feature_flags/', {
        key: `large-${number}`,
        filters: { groups: [{ properties }] },
      })
    }
    return () => made.api('/feature_flags/local_evaluation/?send_cohorts')
  }),
]
