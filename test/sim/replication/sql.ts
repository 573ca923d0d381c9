/** The connections of one process to the database, in the form that the product's stores use. */
import type { Sql } from '../../../src/postgres/connect.ts'
import type { Network } from '../network.ts'
import type { SimProcess } from '../simulation.ts'
import { StoreLine } from '../store-line.ts'
import type { Sends } from './columns-client.ts'
import type { Outcome } from './described.ts'
import { CodedError, type CopyPostgres, type Session } from './postgres.ts'
import { describe } from './statements.ts'

/** The driver gives up a connection without an answer. */
const ATTEMPT_MS = 15_000
const FAILURES = {
  broken: () => new CodedError('ECONNRESET', 'connection reset'),
  late: () => new CodedError('CONNECTION_CLOSED', 'no answer'),
}

type Send = (text: string, values: readonly unknown[]) => Promise<Outcome>

/** Text of a statement: sent when it is awaited, else a part of another one. */
class Piece implements PromiseLike<unknown> {
  readonly text: string
  readonly values: readonly unknown[]
  readonly #send: Send

  constructor(text: string, values: readonly unknown[], send: Send) {
    this.text = text
    this.values = values
    this.#send = send
  }

  // biome-ignore lint/suspicious/noThenProperty: as the driver's statements do.
  then<A, B>(
    onDone?: ((value: unknown) => A | PromiseLike<A>) | null,
    onFailed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): PromiseLike<A | B> {
    const sent = this.#send(this.text.replace(/\s+/g, ' ').trim(), this.values)
    const rows = sent.then(({ rows: all, count }) => Object.assign([...all], { count }))
    return rows.then(onDone, onFailed)
  }

  catch<B>(onFailed: (reason: unknown) => B | PromiseLike<B>): PromiseLike<unknown> {
    return this.then(undefined, onFailed)
  }
}

function templateOf(send: Send) {
  const template = (strings: TemplateStringsArray | string, ...given: readonly unknown[]) => {
    if (typeof strings === 'string') return new Piece('?', [strings], send)
    let text = strings[0] ?? ''
    const values: unknown[] = []
    for (const [index, value] of given.entries()) {
      const isPiece = value instanceof Piece
      text += `${isPiece ? value.text : '?'}${strings[index + 1] ?? ''}`
      values.push(...(isPiece ? value.values : [value]))
    }
    return new Piece(text, values, send)
  }
  return Object.assign(template, { unsafe: (text: string) => new Piece(text, [], send) })
}

/** @param onStep called before each statement, with what it sends. */
export function createSimSql(
  process: SimProcess,
  store: CopyPostgres,
  network: Network,
  onStep: (sends: Sends) => void,
): Sql {
  const line = new StoreLine(process, store, network)
  const soon = (run: () => void) => store.work(store.sim.random.between(0.1, 2), run)
  const describedOf = (text: string) => {
    try {
      return describe(text)
    } catch (error) {
      store.sim.fail(String(error))
      throw error
    }
  }

  // An event of its own: a process that is frozen at this step has not sent it.
  const step = (text: string): Promise<void> => {
    onStep(/^(?:with held|update event_blocks)/.test(text) && 'block')
    return new Promise((resolve) => process.io(0, resolve))
  }

  const alone: Send = async (text, values) => {
    const described = describedOf(text)
    if (described.idle !== undefined) return described.idle
    await step(text)
    const asked = { described, values }
    return await line.ask<Outcome>(ATTEMPT_MS, FAILURES, (reply) =>
      soon(() => {
        const session = store.begin(process, false)
        store.statement(session, asked, {
          fail: reply.fail,
          ok: (outcome) => store.commit(session, { ok: () => reply.ok(outcome), fail: reply.fail }),
        })
      }),
    )
  }

  async function begin(first: unknown, second?: unknown): Promise<unknown> {
    const work = (second ?? first) as (tx: unknown) => Promise<unknown>
    const isRepeatable = typeof first === 'string'
    const begun: { session?: Session } = {}
    const send: Send = async (text, values) => {
      await step(text)
      const asked = { described: describedOf(text), values }
      return await line.ask<Outcome>(ATTEMPT_MS, FAILURES, (reply) =>
        soon(() => {
          begun.session ??= store.begin(process, isRepeatable)
          store.statement(begun.session, asked, reply)
        }),
      )
    }
    try {
      const result = await work(templateOf(send))
      await step('commit')
      await line.ask<true>(ATTEMPT_MS, FAILURES, (reply) =>
        soon(() => {
          if (begun.session === undefined) reply.ok(true)
          else store.commit(begun.session, reply)
        }),
      )
      return result
    } catch (error) {
      line.tell(() => begun.session !== undefined && store.end(begun.session))
      throw error
    }
  }

  return Object.assign(templateOf(alone), { begin }) as unknown as Sql
}
