/** Saves a flag over REST, asks about it, reads it, and takes it away. */
import { isDeepStrictEqual } from 'node:util'
import { cleanJson } from '../../../src/core/clean-text.ts'
import { systemClock } from '../../../src/core/clock.ts'
import { DISTINCT_ID_LENGTH_MAX } from '../../../src/core/limits/limits.ts'
import { evaluate } from '../../../src/flags/evaluate.ts'
import { compileSnapshot } from '../../support/conditions/compile-snapshot.ts'
import { PROJECT_KEY } from '../keys.ts'
import type { Server } from '../server.ts'
import { isRecord, type Judge, jsonOf } from '../target.ts'
import { faultOf } from './answers.ts'
import { flagOf, questionOf } from './flags.ts'

const FLAGS = '/api/projects/1/feature_flags/'
/** Fields that depend on other rows of the project, or on the moment. */
const ELSEWHERE = /"(?:type":"(?:cohort|flag|group)|aggregation_group_type_index)|_date_/
const VERSIONS = ['/decide/?v=1', '/decide/?v=2', '/decide/?v=3', '/decide/?v=4', '/flags/?v=2']

type Answer = { readonly status: number; readonly body: unknown; readonly fault?: string }

export function judgeSavedFlags({ product, readerKey }: Server): Judge {
  let made = 0
  const ask = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const response = await fetch(`${product.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${readerKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    const headers = new Map(response.headers)
    const fault = faultOf({ status: response.status, headers, body: bytes })
    const answer = { status: response.status, body: jsonOf(bytes.toString()) }
    return fault === undefined ? answer : { ...answer, fault: `${method} ${path}: ${fault}` }
  }
  return async (input) => {
    const given = jsonOf(input.toString())
    if (!isRecord(given) || !isRecord(given['saved'])) return undefined
    made += 1
    const key = `fuzz-${made}`
    const created = await ask('POST', FLAGS, { ...given['saved'], key })
    if (created.fault !== undefined || created.status !== 201) return created.fault
    const id = isRecord(created.body) ? created.body['id'] : undefined
    try {
      return await faultOfSaved(ask, { path: `${FLAGS}${id}/`, key, ...given })
    } finally {
      // Others of the same target would be asked about it, too.
      await ask('PATCH', `${FLAGS}${id}/`, { deleted: true })
    }
  }
}

type Saved = {
  readonly path: string
  readonly key: string
  readonly saved?: unknown
  readonly question?: unknown
}

async function faultOfSaved(
  ask: (method: string, path: string, body?: unknown) => Promise<Answer>,
  { path, key, saved, question }: Saved,
): Promise<string | undefined> {
  const read = await ask('GET', path)
  if (read.fault !== undefined) return read.fault
  const filters = isRecord(read.body) ? read.body['filters'] : undefined
  const sent = Reflect.get(Object(saved), 'filters')
  if (sent !== undefined && !isDeepStrictEqual(filters, cleaned(sent)))
    return `other filters than were sent: ${JSON.stringify(filters).slice(0, 1_000)}`
  const asked = isRecord(question) ? question : {}
  const outcomes: unknown[] = []
  for (const version of VERSIONS) {
    const answer = await ask('POST', version, { ...asked, token: PROJECT_KEY })
    if (answer.fault !== undefined) return answer.fault
    if (answer.status === 200) outcomes.push(outcomeOf(answer.body, key))
  }
  const [on, ...values] = outcomes
  if (outcomes.length === 0) return undefined
  const [value] = values
  if (values.length !== VERSIONS.length - 1) return 'some versions of decide refuse a question'
  if (values.some((each) => each !== value)) return `versions differ: ${JSON.stringify(outcomes)}`
  if (on !== (value !== false)) return `the first version differs: ${JSON.stringify(outcomes)}`
  return faultOfOutcome(
    value,
    { key, filters, active: Reflect.get(Object(saved), 'active') },
    asked,
  )
}

/** The value of a flag in an answer of any version; false where it has none. */
function outcomeOf(body: unknown, key: string): unknown {
  if (!isRecord(body)) return undefined
  const { featureFlags, flags } = body
  if (Array.isArray(featureFlags)) return featureFlags.includes(key)
  if (isRecord(featureFlags)) return Object.hasOwn(featureFlags, key) ? featureFlags[key] : false
  if (!isRecord(flags)) return undefined
  const flag = Object.hasOwn(flags, key) ? flags[key] : undefined
  return isRecord(flag) ? (flag['variant'] ?? flag['enabled']) : false
}

/** Flags saved and asked over HTTP have the outcome that they have without. */
function faultOfOutcome(
  value: unknown,
  flag: { readonly key: string; readonly filters: unknown; readonly active: unknown },
  asked: Record<string, unknown>,
): string | undefined {
  const text = JSON.stringify(flag.filters) ?? ''
  const { distinct_id: distinctId, person_properties: personProperties } = asked
  if (flag.active === false || ELSEWHERE.test(text) || typeof distinctId !== 'string') return
  const flags = [flagOf(1, flag.key, flag.filters)]
  const snapshot = compileSnapshot({ flags, cohorts: [], groupTypes: new Map(), timezone: 'UTC' })
  // Ids are cut by code points, as those of events are.
  const cut = [...distinctId].slice(0, DISTINCT_ID_LENGTH_MAX).join('')
  const request = questionOf(cleaned({ distinctId: cut, personProperties }))
  const [expected] = evaluate(snapshot, request, {}, systemClock.now()).results
  const wanted = expected?.value ?? false
  return value === wanted
    ? undefined
    : `decide answers ${JSON.stringify(value)}, evaluating ${JSON.stringify(wanted)}`
}

/** As it is stored: without what Postgres refuses, and as JSON has it, without a negative zero. */
function cleaned(value: unknown): unknown {
  return value === undefined ? undefined : cleanJson(JSON.parse(JSON.stringify(value)))
}
