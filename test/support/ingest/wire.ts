/** Requests as bytes, and the events that the product made of them. */
import type { Test } from 'tap'
import { callUntilTaken, createHttpClient, type HttpClient, type Reply } from '../http/http-call.ts'
import {
  answered,
  type Product,
  request,
  type Settings,
  startStandalone,
} from '../servers/product.ts'

export const FORM_TYPE = 'application/x-www-form-urlencoded'

export type Stored = {
  readonly id: string
  readonly event: string
  readonly distinctId: string
  /** ISO 8601 with microseconds. */
  readonly timestamp: string
  readonly properties: Readonly<Record<string, unknown>>
  readonly person: {
    readonly is_identified: boolean
    /** The first one only. */
    readonly distinct_ids: readonly string[]
    /** Properties that name a person: email, name, username. */
    readonly properties: Readonly<Record<string, unknown>>
  }
  readonly elementsChain: string
}

export type Wire = {
  readonly product: Product
  readonly projectKey: string
  /**
   * Sends exactly this; the method is POST when there is a body. Again while the answer is 503, as
   * clients do: a machine that is busy may be late.
   */
  send(path: string, body?: string | Buffer, headers?: Record<string, string>): Promise<Reply>
  /** The same, whatever the answer is. */
  sendOnce: Wire['send']
  /** Events of one distinct id, in the order of their times. */
  stored(distinctId: string): Promise<Stored[]>
  storedNamed(event: string): Promise<Stored[]>
  /** The person of each of the ids, asked for by an event of its own. */
  personsOf(distinctIds: readonly string[]): Promise<Stored['person'][]>
}

/** A product of its own for the test, and one connection to it. */
export async function startWire(t: Test, more: Settings = {}): Promise<Wire> {
  const product = await startStandalone(t, more)
  const client: HttpClient = createHttpClient(product.url)
  t.teardown(() => client.close())
  const callOf = (...[path, body, headers = {}]: Parameters<Wire['send']>) => {
    return { verb: body === undefined ? 'GET' : 'POST', path, headers, body }
  }
  const list = async (query: string) => {
    const url = `${product.url}/api/projects/1/events/?${query}`
    const { body } = await request(url, { key: product.personalKey })
    return (body as { results: Row[] }).results.map(toStored).reverse()
  }
  const stored = (distinctId: string) => list(`distinct_id=${encodeURIComponent(distinctId)}`)
  return {
    product,
    projectKey: product.projectKey,
    send: (...call) => callUntilTaken(client, callOf(...call)),
    sendOnce: (...call) => client.call(callOf(...call)),
    stored,
    storedNamed: (event) => list(`event=${encodeURIComponent(event)}`),
    async personsOf(distinctIds) {
      const batch = distinctIds.map((distinct_id) => ({ event: 'who', distinct_id }))
      const body = { api_key: product.projectKey, batch }
      await answered(`${product.url}/batch/`, { body })
      const events = await Promise.all(distinctIds.map(stored))
      return events.flatMap((each) => each.find(({ event }) => event === 'who')?.person ?? [])
    },
  }
}

type Row = {
  readonly id: string
  readonly event: string
  readonly distinct_id: string
  readonly timestamp: string
  readonly properties: string
  readonly person: string
  readonly elements_chain: string
}

function toStored({ properties, person, distinct_id, elements_chain, ...row }: Row): Stored {
  return {
    ...row,
    distinctId: distinct_id,
    properties: JSON.parse(properties),
    person: JSON.parse(person),
    elementsChain: elements_chain,
  }
}

export function base64(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64')
}

/** A form as browsers escape it: every character that base64 and JSON use beside letters. */
export function formOf(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
}

export function basicOf(user: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${user}:`).toString('base64')}` }
}
