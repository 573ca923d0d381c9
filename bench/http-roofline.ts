/**
 * How many small POSTs a second does each HTTP server answer on one core, with nothing behind it?
 *
 *     node --import tsx bench/http-roofline.ts [seconds] [connections]
 *
 * The load comes from a child process over raw sockets, one request in flight per connection, so
 * that parsing answers costs the generator little. Both share this machine's cores.
 */
import { fork } from 'node:child_process'
import { connect } from 'node:net'
import { arch, cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { build } from 'hdr-histogram-js'
import { createHttpServer } from '../gateway/http/create-http-server.ts'
import type { HttpServer } from '../gateway/http/http-server.ts'
import { systemClock } from '../src/core/clock.ts'
import { createLog } from '../src/core/log.ts'

type Figures = { requests: number; p50Us: number; p99Us: number; maxUs: number }
/** `serverUs`: processor time of the server per request; 1e6 / `serverUs` is what one core holds. */
type Measured = Figures & { serverUs: number }

const WARM_UP_S = 1
const BODY = JSON.stringify({
  api_key: 'phc_0123456789012345678901234567890123456789012',
  event: '$pageview',
  distinct_id: 'a-distinct-id-of-usual-length',
  properties: { $current_url: 'https://example.com/pricing' },
}).padEnd(200)
const REQUEST = Buffer.from(
  'POST /capture/ HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: bench\r\nAccept: */*\r\n' +
    `Content-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
)
const REPLY = {
  status: 200,
  headers: [['Content-Type', 'application/json']],
  body: '{"status":1}',
} as const

// A reader such as `head -1` may leave early; the status is that of a program that SIGPIPE ended.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  process.exit(code === 'EPIPE' ? 141 : 1)
})
process.on('disconnect', () => process.exit())
const [, , role, ...rest] = process.argv
if (role === 'load') await generateLoad(Number(rest[0]), Number(rest[1]), Number(rest[2]))
else await compare(Number(role ?? 5), Number(rest[0] ?? 64))

async function compare(seconds: number, connections: number): Promise<void> {
  const results: Record<string, unknown> = {}
  for (const handling of ['same tick', 'promise'] as const) {
    for (const kind of ['uws', 'node'] as const) {
      const figures = await measure(kind, handling, seconds, connections)
      const perS = Math.round(figures.requests / seconds)
      results[`${kind}, ${handling}`] = { perS, ...figures }
      const latency = `p50 ${figures.p50Us} us, p99 ${figures.p99Us} us, max ${figures.maxUs} us`
      const cost = `${figures.serverUs} us of server a request`
      process.stdout.write(`${kind} (${handling}): ${perS} req/s, ${latency}, ${cost}\n`)
    }
  }
  const machine = { node: process.version, arch: arch(), cpus: cpus().length }
  process.stdout.write(`${JSON.stringify({ machine, seconds, connections, results })}\n`)
}

async function measure(
  kind: HttpServer['kind'],
  handling: 'same tick' | 'promise',
  seconds: number,
  connections: number,
): Promise<Measured> {
  const log = createLog({ level: 'warn' })
  let served = 0
  const handler = () => {
    served++
    return REPLY
  }
  const options = {
    handler: handling === 'promise' ? async () => handler() : handler,
    refuse: () => ({ status: 500, body: '' }),
    exclusivePort: true,
  }
  const server = createHttpServer({ clock: systemClock, log }, options, kind)
  const { port } = await server.listen('127.0.0.1', 0)
  const args = ['load', String(port), String(seconds), String(connections)]
  const child = fork(fileURLToPath(import.meta.url), args, { execArgv: process.execArgv })
  let answered = 0
  let spentUs = 0
  const figures = await new Promise<Figures>((resolve, reject) => {
    child.on('message', (message: Figures | 'start') => {
      if (message !== 'start') resolve(message)
      const { user, system } = process.cpuUsage()
      spentUs = user + system - spentUs
      answered = served - answered
    })
    child.once('exit', (code) => reject(new Error(`the load generator ended with ${code}`)))
  })
  await server.close(1_000)
  return { ...figures, serverUs: Math.round((10 * spentUs) / answered) / 10 }
}

async function generateLoad(port: number, seconds: number, connections: number): Promise<void> {
  const histogram = build({ lowestDiscernibleValue: 1, highestTrackableValue: 60_000_000 })
  const state = { measuring: false, ended: false }
  const runs = Array.from({ length: connections }, () => runConnection(port, state, histogram))
  await sleep(WARM_UP_S * 1_000)
  state.measuring = true
  process.send?.('start')
  await sleep(seconds * 1_000)
  state.ended = true
  process.send?.({
    requests: histogram.totalCount,
    p50Us: histogram.getValueAtPercentile(50),
    p99Us: histogram.getValueAtPercentile(99),
    maxUs: histogram.maxValue,
  })
  await Promise.all(runs)
}

/** All answers are small and equally long: each is one segment as long as the first. */
function runConnection(
  port: number,
  state: { readonly measuring: boolean; readonly ended: boolean },
  histogram: { recordValue(value: number): void },
): Promise<void> {
  return new Promise((resolve, reject) => {
    let sentAt = 0n
    let pending = 0
    let replyBytes = 0
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const send = () => {
      pending = replyBytes
      sentAt = process.hrtime.bigint()
      socket.write(REQUEST)
    }
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('close', () => resolve())
    socket.on('data', (chunk) => {
      if (replyBytes === 0) replyBytes = pending = chunk.length
      pending -= chunk.length
      if (pending > 0) return
      const elapsedUs = Number((process.hrtime.bigint() - sentAt) / 1_000n)
      if (state.measuring && !state.ended) histogram.recordValue(elapsedUs)
      if (state.ended) socket.destroy()
      else send()
    })
  })
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
