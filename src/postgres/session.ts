/**
 * One connection to the server, through its own instance of postgres.js, which is discarded with
 * it. The driver (3.4.9) carries state of a lost connection over to the next one: an error for the
 * wrong statement, messages of the dead session, a slot that never connects again
 * (porsager/postgres issues 1133, 1186, 1208, 1216, 1223). So no instance has a second connection:
 *
 *   open -> lost
 *
 *   open   statements go to the driver, which answers them in order
 *   lost   the socket has failed or closed; we have rejected all waiting statements, whatever the
 *          driver does with them, and send no statement any more, nor any twice
 *
 * It is lost, too, when the driver no longer knows which answer belongs to which statement.
 */
import type { Socket } from 'node:net'
import postgres from 'postgres'
import { ARRAY_TYPES } from './array-types.ts'
import { lastWordsOf } from './last-words.ts'

export type Driver = postgres.Sql<{ bigint: bigint }>

export type Work<T> = {
  /** Makes a statement of the driver, which is sent when it is waited for. */
  build(driver: Driver): PromiseLike<T>
  /** Error whose stack shows the place of the statement in the source. */
  readonly origin?: Error | undefined
}

export type Answer<T> = { resolve(value: T): void; reject(reason: unknown): void }

export type SessionSettings = {
  /** Used in messages of errors. */
  readonly host: string
  readonly user: string
  readonly database: string
  readonly password: string
  readonly connectTimeoutS: number
  /** Settings of the session on the server. */
  readonly parameters: Readonly<Record<string, string | number>>
  readonly onNotice: (notice: postgres.Notice) => void
}

/** The connection is gone, and with it the answer: what it carried may have been done. */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError'
  /** SQLSTATE: the server's last, or 08006 when it said none. */
  readonly code: string

  constructor(code: string, message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

const CONNECTION_FAILURE = '08006'

export class Session {
  /** A transaction runs on it: it takes no statement of others. */
  isReserved = false
  /** Takes no more statements, and ends when all are answered. */
  isSpent = false
  /** Monotonic time. */
  expiresAt = Number.POSITIVE_INFINITY
  readonly #driver: Driver
  readonly #socket: Socket
  readonly #waiting = new Set<{ reject(reason: unknown): void }>()
  readonly #onSettled: (session: Session) => void
  #hasAnswered = false
  #lastChunk: Buffer | undefined
  #lost: ConnectionLostError | undefined

  /** `onSettled` is called after each statement, and when the session is lost. */
  constructor(socket: Socket, settings: SessionSettings, onSettled: (session: Session) => void) {
    this.#socket = socket
    this.#onSettled = onSettled
    socket.on('data', (chunk: Buffer) => {
      this.#lastChunk = chunk
    })
    socket.on('error', (error) => this.#lose(error))
    socket.on('close', () => this.#lose())
    this.#driver = openDriver(settings, () => {
      if (this.#lost !== undefined) throw this.#lost
      return socket
    })
  }

  /** Why the connection is gone, once it is. */
  get lost(): ConnectionLostError | undefined {
    return this.#lost
  }

  /** The server has taken us in and answered. */
  get hasAnswered(): boolean {
    return this.#hasAnswered
  }

  /** Statements that wait for their answer. */
  get waiting(): number {
    return this.#waiting.size
  }

  send<T>(work: Work<T>, answer: Answer<T>): void {
    if (this.#lost !== undefined) {
      answer.reject(this.#lost)
      return
    }
    let sent: PromiseLike<T>
    try {
      sent = work.build(this.#driver)
    } catch (error) {
      answer.reject(error)
      return
    }
    this.#waiting.add(answer)
    sent.then(
      (value) => {
        if (!this.#waiting.delete(answer)) return
        this.#hasAnswered = true
        this.#onSettled(this)
        answer.resolve(value)
      },
      (error: unknown) => {
        if (!this.#waiting.has(answer)) return
        if (this.#waiting.size > 1 && !isAnswered(error)) {
          this.#lose(error)
          return
        }
        this.#waiting.delete(answer)
        if (isFatal(error) || this.#socket.destroyed) this.#lose(error)
        else this.#onSettled(this)
        answer.reject(withOrigin(error, work))
      },
    )
  }

  query<T>(work: Work<T>): Promise<T> {
    return new Promise((resolve, reject) => this.send(work, { resolve, reject }))
  }

  /** Ends the session. Call only when no work is waiting. */
  async end(): Promise<void> {
    await this.#driver.end()
    this.#socket.destroy()
  }

  /** Ends at once: waiting work rejects, its outcome unknown. */
  destroy(reason: string): void {
    this.#lose(new Error(reason))
  }

  #lose(cause?: unknown): void {
    if (this.#lost !== undefined) return
    const said = lastWordsOf(this.#lastChunk)
    this.#lastChunk = undefined
    const reason = said?.message ?? messageOf(cause) ?? 'the server closed the connection'
    const lost = new ConnectionLostError(
      said?.code ?? CONNECTION_FAILURE,
      `connection lost: ${reason}`,
      cause,
    )
    this.#lost = lost
    this.#socket.destroy()
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const { reject } of waiting) reject(lost)
    this.#onSettled(this)
  }
}

/**
 * True for an answer of the server. Any other error means that the driver failed to write a
 * statement, for a value that it cannot turn into text. The driver gives that error to the
 * statement that is answered next, and the statement at fault gets the rows of another.
 */
function isAnswered(error: unknown): boolean {
  return error instanceof postgres.PostgresError
}

/** The server refuses the session, or ends it. */
function isFatal(error: unknown): boolean {
  return error instanceof postgres.PostgresError && /^(?:FATAL|PANIC)$/.test(error.severity)
}

function messageOf(error: unknown): string | undefined {
  return error instanceof Error ? error.message : undefined
}

/** The stack of the driver's error leads to its socket, and the cause then to the statement. */
function withOrigin(error: unknown, { origin }: Work<unknown>): unknown {
  const isOurs = error instanceof Error && error.cause === undefined
  if (isOurs && origin !== undefined) error.cause = origin
  return error
}

function openDriver(settings: SessionSettings, socket: () => Socket): Driver {
  // Missing in the driver's types: https://github.com/porsager/postgres#connecting-over-ssh
  const ours: object = { socket }
  return postgres({
    host: settings.host,
    port: 0,
    user: settings.user,
    database: settings.database,
    pass: settings.password,
    ssl: false,
    max: 1,
    max_lifetime: null,
    connect_timeout: settings.connectTimeoutS,
    // The driver catches no failure of its question for them, and the process would end.
    fetch_types: false,
    types: { bigint: postgres.BigInt, ...ARRAY_TYPES },
    connection: settings.parameters,
    onnotice: settings.onNotice,
    ...ours,
  })
}
