/** The product under the fuzzer: a standalone in a process of its own, and what is held against it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { heldReader, probeSettings } from '../support/held-loop.ts'
import { type Product, request, startStandalone } from '../support/servers/product.ts'
import { HELD_MS_MAX, MEMORY_BYTES_MAX, memoryOf } from './held.ts'
import { OWNER_KEY, PROJECT_KEY } from './keys.ts'
import { isRecord } from './target.ts'

export type Server = {
  readonly product: Product
  /** Reads of all kinds, and writes of flags and events; it can take nothing away. */
  readonly readerKey: string
  /** Fault of the process since the last look; a good request is sent to it, too. */
  look(): Promise<string | undefined>
  close(): Promise<void>
}

/** Far beyond what a good request takes on a machine that is busy. */
const PATIENT_MS = 60_000
const SCOPES = [
  'feature_flag',
  'event_definition',
  'plugin',
  'project',
  'organization',
  'user',
  'query',
]

/** Starts the product, with some events in it. It is as an operator has it, but for its heap. */
export async function startServer(): Promise<Server> {
  const ends: (() => unknown)[] = []
  const close = async () => {
    for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end()
  }
  const folder = mkdtempSync(join(tmpdir(), 'sluice-fuzz-'))
  ends.push(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'probe')
  const product = await startStandalone(
    { teardown: (end) => ends.push(end) },
    {
      BOOTSTRAP_PROJECT_API_KEY: PROJECT_KEY,
      BOOTSTRAP_PERSONAL_API_KEY: OWNER_KEY,
      ...probeSettings(file),
    },
  )
  await prepare(product)
  const readerKey = await makeReader(product)
  let ended: number | string | undefined
  void product.process.ended.then((how) => {
    ended = how
  })
  const held = heldReader(file, product.process.pid)
  held() // Reads the memory that the start has taken.
  let seen = product.process.lines.length
  const look = async () => {
    if (ended !== undefined) return `the process ended with ${ended}`
    const good = await goodRequest(product)
    if (good !== undefined) return good
    const news = product.process.lines.slice(seen)
    seen += news.length
    const error = news.find(({ level }) => level === 'error')
    if (error !== undefined) return `it logged ${JSON.stringify(error).slice(0, 2_000)}`
    const heldMs = held()
    if (heldMs > HELD_MS_MAX) return `the event loop was held for ${Math.round(heldMs)} ms of work`
    const memory = memoryOf(product.process.pid)
    if (memory > MEMORY_BYTES_MAX) return `the process has ${memory} bytes of memory`
    return undefined
  }
  return { product, readerKey, look, close }
}

async function prepare({ url }: Product): Promise<void> {
  const values = [
    1,
    'text',
    null,
    { deep: [1, { x: '2' }] },
    [1, 'a'],
    true,
    1e300,
    '2024-01-01',
    '',
  ]
  const batch = values.map((a, index) => ({
    event: index % 2 === 0 ? 'even' : '$pageview',
    distinct_id: `p${index}`,
    properties: { a, $browser: 'x', nested: a, list: [a, a], $set: { age: index, a } },
  }))
  const send = () => request(`${url}/batch/`, { body: { api_key: PROJECT_KEY, batch } })
  let answer = await send()
  for (let left = 20; answer.status === 503 && left > 0; left -= 1) answer = await send()
  if (answer.status !== 200) throw new Error(`no events were stored: ${answer.status}`)
}

async function makeReader({ url }: Product): Promise<string> {
  const scopes = SCOPES.map((name) => `${name}:${name === 'feature_flag' ? 'write' : 'read'}`)
  const body = { label: 'reader', scopes }
  const answer = await request(`${url}/api/personal_api_keys/`, { key: OWNER_KEY, body })
  const value = isRecord(answer.body) ? answer.body['value'] : undefined
  if (typeof value !== 'string') throw new Error(`no key: ${JSON.stringify(answer)}`)
  return value
}

async function goodRequest({ url }: Product): Promise<string | undefined> {
  const asked: readonly (readonly [string, object])[] = [
    ['/capture/', { api_key: PROJECT_KEY, event: 'good', distinct_id: 'good' }],
    ['/decide/?v=2', { api_key: PROJECT_KEY, distinct_id: 'good' }],
  ]
  for (const [path, body] of asked) {
    try {
      const response = await fetch(`${url}${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(PATIENT_MS),
      })
      await response.arrayBuffer()
      if (response.status !== 200) return `a good ${path} beside it got ${response.status}`
    } catch (error) {
      return `a good ${path} beside it got no answer: ${String(error)}`
    }
  }
  return undefined
}
