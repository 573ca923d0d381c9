/** Sends numbers that no double holds, and asks for them in every way. Texts, since tests parse doubles too. */
import type { Product } from '../servers/product.ts'
import { until } from '../until.ts'

const PROJECT = '/api/projects/1'
export const LONG = '9007199254740993'
/** The double next to it. */
export const NEAR = '9007199254740992'
export const DECIMAL = '0.1234567890123456789'
export const HUGE = '7'.repeat(400)
export const ALL = [LONG, NEAR, `-${LONG}`, DECIMAL, HUGE, '1000000000000000000000'] as const

type Site = Pick<Product, 'url' | 'projectKey' | 'personalKey'>

/** Requests with and answers of JSON text. */
export function textCalls({ url, projectKey, personalKey }: Site) {
  const ask = async (path: string, body?: string, method = body === undefined ? 'GET' : 'POST') => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${personalKey}` }
    const response = await fetch(`${url}${path}`, { method, headers, ...(body && { body }) })
    const text = await response.text()
    if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text
  }
  const capture = async (events: readonly string[]) => {
    await ask('/batch/', `{"api_key":"${projectKey}","batch":[${events.join()}]}`)
  }
  const filters = (key: string, value: string, type = 'event', operator = 'exact') =>
    `[{"key":"${key}","value":${value},"operator":"${operator}","type":"${type}"}]`
  return {
    ask,
    capture,
    filters,
    events: async (properties: string, event = 'bought') =>
      await ask(`${PROJECT}/events/?event=${event}&properties=${encodeURIComponent(properties)}`),
    persons: async (properties: string) =>
      await ask(`${PROJECT}/persons/?properties=${encodeURIComponent(properties)}`),
    query: async (query: string) =>
      await ask(`${PROJECT}/query/`, `{"query":${query},"refresh":"force_blocking"}`),
    flags: async (fields: string) =>
      await ask('/flags/?v=2', `{"api_key":"${projectKey}",${fields}}`),
  }
}

/** Events `bought` with each number, as `order`, of a person with it, until the lists have them. */
export async function buyAll(site: Site): Promise<void> {
  const { ask, capture } = textCalls(site)
  await capture(
    ALL.map((number, place) => {
      const set = `"$set":{"order":${number}},"$set_once":{"first":[${number}]}`
      const groups = `"$groups":{"shop":${number}}`
      const properties = `"order":${number},"in":{"list":[${number},"${number}"]},${set},${groups}`
      return `{"event":"bought","distinct_id":"buyer-${place}","properties":{${properties}}}`
    }),
  )
  await until('the persons are there', async () => {
    return (await ask(`${PROJECT}/persons/?limit=1`)).includes(`"count":${ALL.length}`)
  })
}

/** The distinct ids of an answer, in order. */
export function buyersIn(answer: string): readonly string[] {
  return [...new Set(answer.match(/buyer-\d/g) ?? [])].sort()
}

export function isHeld(answer: string, number: string): boolean {
  return new RegExp(`[^0-9.-]${number}[^0-9.]`).test(answer)
}

export function breakdownQuestion(event = 'bought'): string {
  const series = `"series":[{"kind":"EventsNode","event":"${event}"}]`
  const breakdown = '"breakdownFilter":{"breakdown":"order","breakdown_type":"event"}'
  return `{"kind":"TrendsQuery",${series},${breakdown},"dateRange":{"date_from":"-1d"}}`
}

export function countQuestion(properties: string): string {
  const series = `"series":[{"kind":"EventsNode","event":"bought","properties":${properties}}]`
  return `{"kind":"TrendsQuery",${series},"dateRange":{"date_from":"-1d"}}`
}
