/** Loads beside captures: questions, viewers of a shared site, a process that only computes. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Clock } from '../../src/core/clock.ts'
import { AppError } from '../../src/core/code.ts'
import { isList, isObject } from '../../src/core/json.ts'
import { yieldProcessorOf } from '../../src/core/yield-processor.ts'
import { callManagement, isManaged } from '../load/workload/management-api.ts'
import { type AskedServer, ask } from './measure.ts'
import type { BenchQuestion } from './questions.ts'

export type Answers = { readonly answered: number; readonly failed: number }

/** A load that runs until it is stopped. */
export type BesideLoad = { stop(): Promise<Answers> }

/** Asks one question after the other, cold. */
export function startAsking(server: AskedServer, questions: readonly BenchQuestion[]): BesideLoad {
  let isOver = false
  let answered = 0
  let failed = 0
  const asking = async () => {
    for (let nth = 0; !isOver; nth++) {
      try {
        await ask(server, questions[nth % questions.length]?.query, 'force_blocking')
        answered++
      } catch {
        failed++
      }
    }
  }
  const ended = asking()
  return {
    stop: async () => {
      isOver = true
      await ended
      return { answered, failed }
    },
  }
}

/** Ends with this process, whose end closes its standard input. */
const SPIN = `process.stdin.on('end', () => process.exit()).resume()
const turn = () => { for (let sums = 0; sums < 1e6; sums++); setImmediate(turn) }
turn()`

/** Computes with the priority that a process of Postgres has for questions: a control. */
export async function startSpin(clock: Clock): Promise<BesideLoad> {
  // A session of its own, as processes of Postgres have.
  const stdio: ['pipe', 'ignore', 'inherit'] = ['pipe', 'ignore', 'inherit']
  const child = spawn(process.execPath, ['-e', SPIN], { detached: true, stdio })
  const ended = once(child, 'exit')
  await once(child, 'spawn')
  if (child.pid !== undefined) await yieldProcessorOf(child.pid, clock)
  return {
    stop: async () => {
      child.kill('SIGKILL')
      await ended
      return { answered: 0, failed: 0 }
    },
  }
}

const VIEWERS_PER_S = 200
/** Addresses of the loopback network that viewers come from: each may ask 50 times a second. */
const NETWORKS = 50
/** One more viewer is not sent, and counts as failed. */
const WAITING_MAX = 2_000
const ANSWER_MS_MAX = 30_000

/** Questions of the shared page, over the link's own range. */
const QUESTIONS = [
  { kind: 'WebOverviewQuery' },
  { kind: 'WebTrendsQuery', metrics: ['visitors'] },
  { current: true },
  { kind: 'WebGoalsQuery' },
  ...['InitialChannelType', 'Page', 'Country', 'DeviceType'].map((breakdownBy) => ({
    kind: 'WebStatsTableQuery',
    breakdownBy,
  })),
]

/** Makes a link and opens it once, so that its answers are kept from then on. */
export async function startViewers(clock: Clock, server: AskedServer): Promise<BesideLoad> {
  const url = new URL(`/api/shared/${await makeLink(server)}/`, server.url)
  const agents = Array.from(
    { length: NETWORKS },
    (_, nth) => new Agent({ keepAlive: true, localAddress: `127.0.1.${nth + 1}` }),
  )
  const asked = JSON.stringify({ query: QUESTIONS })
  let known = ''
  const view = async (agent: Agent | undefined) => {
    await post(url, agent, '{}')
    const answer = await post(url, agent, asked)
    if (answer !== known) requireAnswers(answer)
    known = answer
  }
  await view(agents[0])
  let isOver = false
  let answered = 0
  let failed = 0
  const waiting = new Set<Promise<void>>()
  const send = (nth: number) => {
    if (waiting.size >= WAITING_MAX) {
      failed++
      return
    }
    const viewer = view(agents[nth % NETWORKS])
      .then(
        () => answered++,
        () => failed++,
      )
      .then(() => {
        waiting.delete(viewer)
      })
    waiting.add(viewer)
  }
  const sending = async () => {
    const from = clock.monotonic()
    for (let nth = 0; !isOver; nth++) {
      const at = from + (nth * 1_000) / VIEWERS_PER_S
      await clock.sleep(Math.max(0, at - clock.monotonic()))
      send(nth)
    }
  }
  const ended = sending()
  return {
    stop: async () => {
      isOver = true
      await ended
      await Promise.all(waiting)
      for (const agent of agents) agent.destroy()
      return { answered, failed }
    },
  }
}

/** @returns the token of a new link to the site. */
async function makeLink({ url, project }: AskedServer): Promise<string> {
  if (!isManaged(project)) throw new AppError('invalid_argument', 'a link needs a personal key')
  const link = { kind: 'web', filters: { date_from: '-90d' } }
  const path = `/api/projects/${project.projectId}/sharing/`
  const { status, body } = await callManagement(url, project, 'POST', path, link)
  const token = isObject(body) ? body['access_token'] : undefined
  if (typeof token !== 'string') throw new AppError('unavailable', `a link answered ${status}`)
  return token
}

async function post(url: URL, agent: Agent | undefined, body: string): Promise<string> {
  const sent = request(url, {
    method: 'POST',
    agent,
    headers: { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) },
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
  })
  sent.end(body)
  const [response] = await once(sent, 'response')
  const answer = await text(response)
  if (response.statusCode !== 200) {
    throw new AppError('unavailable', `a link answered ${response.statusCode}: ${answer}`)
  }
  return answer
}

/** @throws {AppError} `unavailable` unless each question has its answer. */
function requireAnswers(answer: string): void {
  const read: unknown = JSON.parse(answer)
  const results = isObject(read) ? read['results'] : undefined
  const isWhole =
    isList(results) &&
    results.length === QUESTIONS.length &&
    results.every((each) => isObject(each) && !('error' in each))
  if (!isWhole) throw new AppError('unavailable', `a link answered ${answer}`)
}
