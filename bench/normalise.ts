/**
 * How long does one event take from body bytes to an `IngestEvent`? Prints one
 * line for each case: microseconds an event, best and median of the rounds.
 * Run: `npx tsx bench/normalise.ts`.
 */
import { cpus } from 'node:os'
import { gzipSync } from 'node:zlib'
import { type OpenMeta, openInline } from '../gateway/body/body-open.ts'
import { type IngestContext, parseEvents } from '../src/events/parse-event.ts'
import { createUuidV7 } from '../src/events/uuid.ts'
import { NEW_FROM, RETURNING } from './load/workload/parsed-events.ts'
import { createCaptureSource } from './load/workload/payload.ts'

const ROUNDS = 15
const EVENTS_PER_ROUND = 50_000
const PAGE_VIEWS = 1_000
const HEAD_END = '\r\n\r\n'
const EMPTY = Buffer.alloc(0)
const META: OpenMeta = {
  method: 'POST',
  contentType: 'application/json',
  contentEncoding: '',
  query: '',
  authorization: '',
  thirdParty: 'never',
}
const CONTEXT: IngestContext = {
  projectId: 1,
  dialect: { kind: 'posthog' },
  receivedAtMs: Date.now(),
  sentAt: [],
  ip: '127.0.0.1',
  anonymizeIps: false,
}
const timestamp = new Date(CONTEXT.receivedAtMs - 1_000).toISOString()
const newUuid = createUuidV7(() => CONTEXT.receivedAtMs)

const plain = (at: number) => ({
  event: 'bench event',
  properties: { distinct_id: `user-${at % 1_000}`, a: at, b: 'some text' },
  timestamp,
})
const browser = (at: number) => {
  const extra = Object.fromEntries(Array.from({ length: 25 }, (_, key) => [`prop_${key}`, key]))
  const properties = {
    distinct_id: `user-${at}`,
    token: 'phc_bench',
    $browser: 'Firefox',
    $os: 'Linux',
    $current_url: 'https://example.com/a/b?c=d',
    $pathname: '/a/b',
    $referrer: '$direct',
    $referring_domain: '$direct',
    ...extra,
  }
  return { event: '$pageview', properties, timestamp, uuid: '0190a5f2-0000-7000-8000-000000000001' }
}

/** Page views as the load generator sends them, one in three with `$set_once`. */
function pageViews(): Buffer[] {
  const shape = {
    apiKeys: ['phc_bench'],
    eventName: '$pageview',
    batch: 1,
    shape: 'pages',
  } as const
  const ids = { distinctIds: RETURNING, newFrom: NEW_FROM, zipfExponent: undefined } as const
  const rest = { properties: 0, valueBytes: 0, gzipShare: 0, seed: 1, uuidVersion: 7 } as const
  const target = { host: 'bench', path: '/capture/' }
  const source = createCaptureSource({ ...shape, ...ids, ...rest }, target)
  return Array.from({ length: PAGE_VIEWS }, () => {
    const request = Buffer.alloc(source.bytesMax)
    const whole = request.subarray(0, source.fill(request))
    return whole.subarray(whole.indexOf(HEAD_END) + HEAD_END.length)
  })
}

/** Parsed payloads are changed in place: each run parses its own. */
function run(
  name: string,
  bodies: Buffer | readonly Buffer[],
  events: number,
  isNormalised: boolean,
): void {
  const list = Buffer.isBuffer(bodies) ? [bodies] : bodies
  const count = Math.ceil(EVENTS_PER_ROUND / events)
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now()
    for (let at = 0; at < count; at++) {
      const opened = openInline(list[at % list.length] ?? EMPTY, META)
      if (opened === undefined || !opened.ok) throw new Error('the body must open inline')
      if (!isNormalised) continue
      const parsed = parseEvents(opened.value.payload, CONTEXT, newUuid)
      if (!parsed.ok || parsed.value.events.length !== events) throw new Error('events are missing')
    }
    times.push(((performance.now() - start) * 1_000) / (count * events))
  }
  times.sort((a, b) => a - b)
  const [best = 0] = times
  const median = times[ROUNDS >> 1] ?? 0
  console.log(`${name.padEnd(44)} best ${best.toFixed(2)} us  median ${median.toFixed(2)} us`)
}

const single = Buffer.from(JSON.stringify({ api_key: 'phc_bench', ...plain(1) }))
const batch = Buffer.from(
  JSON.stringify({
    api_key: 'phc_bench',
    batch: Array.from({ length: 100 }, (_, at) => plain(at)),
  }),
)
const page = Buffer.from(JSON.stringify(browser(1)))
const pages = pageViews()
console.log(`${cpus()[0]?.model} x ${cpus().length}, node ${process.version}`)
for (const isNormalised of [false, true]) {
  const what = isNormalised ? 'open and normalise' : 'open'
  run(`${what}: one plain event`, single, 1, isNormalised)
  run(`${what}: batch of 100 plain events`, batch, 100, isNormalised)
  run(`${what}: one browser event`, page, 1, isNormalised)
  run(`${what}: one page view`, pages, 1, isNormalised)
  run(`${what}: one browser event, gzip`, gzipSync(page), 1, isNormalised)
}
