/** A TCP proxy that delays, holds, loses or resets what passes through it. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { createServer, type Server, Socket } from 'node:net'
import type { Test } from 'tap'
import { freePort } from './free-port.ts'

/** `up`: from the client to the target. */
export type Direction = 'up' | 'down'

export type Target = { readonly port: number } | { readonly path: string }

/** Faults hold for connections that are open and for new ones, until `restore` or the next fault. */
export type TcpProxy = {
  readonly port: number
  /** Sets the target of new connections. */
  aim(target: Target): void
  /** Resets every connection and refuses new ones; of one process only, new ones are reset. */
  cut(from?: Process): Promise<void>
  /**
   * A partition that heals: bytes arrive after `restore`, however late. Connections are accepted
   * meanwhile, so that only silence tells.
   */
  hold(ways?: readonly Direction[], from?: Process): void
  /** Bytes vanish; `restore` resets the connections that have lost some. */
  lose(ways?: readonly Direction[], from?: Process): void
  delay(ms: number): void
  slow(bytesPerS: number): void
  restore(): Promise<void>
  /** Connections that are open now. */
  count(): number
  /** Bytes that were held or lost so far: tells whether the fault had any effect. */
  hit(): number
}

/** A process of this machine, whose connections alone have the fault. */
export type Process = { readonly pid: number }

type Fault =
  | { readonly kind: 'none' }
  | { readonly kind: 'cut'; readonly from?: Process | undefined }
  | { readonly kind: 'hold' | 'lose'; readonly ways: readonly Direction[]; from?: Process }
  | { readonly kind: 'pace'; readonly delayMs: number; readonly bytesPerS: number }

type Meter = { bytes: number }

/** Ports of a connection, as its client sees them. */
type Ports = { readonly local: number; readonly remote: number }

type Passing = { readonly kind: 'none' | 'hold' | 'lose' } | Extract<Fault, { kind: 'pace' }>

const NONE = { kind: 'none' } as const
const BOTH: readonly Direction[] = ['up', 'down']
/** Bytes that wait in a pipe before its source is paused. */
const PIPE_BYTES_MAX = 262_144

/** A TCP server of 127.0.0.1 in front of `target`; ended after the test. */
export async function startTcpProxy(t: Test, target: Target): Promise<TcpProxy> {
  const links = new Set<Link>()
  const meter = { bytes: 0 }
  let aimed = target
  let fault: Fault = NONE
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const link = new Link(
      client,
      () => aimed,
      () => links.delete(link),
      meter,
    )
    links.add(link)
    link.apply(fault)
  })
  const port = await freePort()
  await listen(server, port)
  const set = (next: Fault) => {
    fault = next
    for (const link of links) link.apply(next)
  }
  const stopListening = async () => {
    if (!server.listening) return
    const closed = new Promise((resolve) => server.close(resolve))
    for (const link of links) link.reset()
    await closed
  }
  const startListening = async () => {
    if (!server.listening) await listen(server, port)
  }
  t.teardown(stopListening)
  return {
    port,
    aim: (to) => {
      aimed = to
    },
    cut: async (from) => {
      set({ kind: 'cut', from })
      await (from === undefined ? stopListening() : startListening())
    },
    hold: (ways = BOTH, from) => set({ kind: 'hold', ways, ...(from && { from }) }),
    lose: (ways = BOTH, from) => set({ kind: 'lose', ways, ...(from && { from }) }),
    delay: (delayMs) => set({ kind: 'pace', delayMs, bytesPerS: Number.POSITIVE_INFINITY }),
    slow: (bytesPerS) => set({ kind: 'pace', delayMs: 0, bytesPerS }),
    restore: async () => {
      set(NONE)
      await startListening()
    },
    count: () => links.size,
    hit: () => meter.bytes,
  }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** One connection: a pipe each way. The target is dialled as soon as bytes may go up. */
class Link {
  readonly #client: Socket
  readonly #ports: Ports
  readonly #server = new Socket({ allowHalfOpen: true })
  readonly #target: () => Target
  readonly #up: Pipe
  readonly #down: Pipe
  #dialled = false

  constructor(client: Socket, target: () => Target, gone: () => void, meter: Meter) {
    this.#client = client
    this.#ports = { local: client.remotePort ?? 0, remote: client.localPort ?? 0 }
    this.#target = target
    this.#up = new Pipe(client, this.#server, meter)
    this.#down = new Pipe(this.#server, client, meter)
    const ended = () => {
      if (client.destroyed && (!this.#dialled || this.#server.destroyed)) gone()
    }
    client.on('close', ended)
    this.#server.on('close', ended)
  }

  apply(fault: Fault): void {
    const isHit = !('from' in fault) || isFrom(this.#ports, fault.from)
    const ways = isHit ? fault : NONE
    if (ways.kind === 'cut' || (ways.kind === 'none' && (this.#up.lost || this.#down.lost))) {
      this.reset()
      return
    }
    this.#up.passing = passing(ways, 'up')
    this.#down.passing = passing(ways, 'down')
    if (isMoving(this.#up.passing)) this.#dial()
    this.#up.pump()
    this.#down.pump()
  }

  reset(): void {
    resetSocket(this.#client)
    resetSocket(this.#server)
  }

  #dial(): void {
    if (this.#dialled) return
    this.#dialled = true
    this.#server.connect({ host: '127.0.0.1', noDelay: true, ...this.#target() })
  }
}

/** One direction: bytes in order, then the end of its source, each when the fault lets it through. */
class Pipe {
  passing: Passing = NONE
  lost = false
  readonly #meter: Meter
  readonly #source: Socket
  readonly #sink: Socket
  readonly #queue: { readonly chunk: Buffer; readonly dueAt: number }[] = []
  #bytes = 0
  #end: 'none' | 'end' | 'reset' = 'none'
  #timer: NodeJS.Timeout | undefined

  constructor(source: Socket, sink: Socket, meter: Meter) {
    this.#meter = meter
    this.#source = source
    this.#sink = sink
    source.on('data', (chunk) => this.#take(chunk))
    source.on('end', () => this.#ended('end'))
    source.on('close', (hadError) => this.#ended(hadError ? 'reset' : 'end'))
    // `close` follows, and is told to the other side.
    source.on('error', () => {})
    sink.on('drain', () => this.pump())
  }

  pump(): void {
    clearTimeout(this.#timer)
    if (!isMoving(this.passing)) return
    for (let next = this.#queue[0]; next !== undefined; next = this.#queue[0]) {
      const waitMs = next.dueAt - performance.now()
      if (waitMs > 0) {
        this.#timer = setTimeout(() => this.pump(), waitMs)
        return
      }
      if (this.#sink.writableNeedDrain) return
      this.#queue.shift()
      this.#bytes -= next.chunk.length
      if (!this.#sink.destroyed) this.#sink.write(next.chunk)
    }
    this.#source.resume()
    if (this.#end === 'end') this.#sink.end()
    if (this.#end === 'reset') resetSocket(this.#sink)
  }

  #take(chunk: Buffer): void {
    if (!isMoving(this.passing)) this.#meter.bytes += chunk.length
    if (this.passing.kind === 'lose') {
      this.lost = true
      return
    }
    this.#queue.push({ chunk, dueAt: this.#dueAt(chunk.length) })
    this.#bytes += chunk.length
    if (this.#bytes > PIPE_BYTES_MAX || this.passing.kind === 'hold') this.#source.pause()
    this.pump()
  }

  /** Time at which bytes are due; keeps their order when the pace changes. */
  #dueAt(bytes: number): number {
    const now = performance.now()
    const last = this.#queue.at(-1)?.dueAt ?? now
    if (this.passing.kind !== 'pace') return Math.min(last, now)
    const { delayMs, bytesPerS } = this.passing
    return Math.max(now + delayMs, last + (bytes * 1_000) / bytesPerS)
  }

  #ended(how: 'end' | 'reset'): void {
    if (this.#end !== 'none' && how === 'end') return
    this.#end = how
    this.pump()
  }
}

/**
 * A socket of a file has no reset, and one that was not dialled nobody to tell. One that is being
 * shut down must not be reset either: its request is lost, and Node waits for it for ever at its end.
 */
function resetSocket(socket: Socket): void {
  if (socket.destroyed) return
  if (socket.remoteAddress === undefined || socket.writableEnded) socket.destroy()
  else socket.resetAndDestroy()
}

function passing(fault: Fault, way: Direction): Passing {
  if (fault.kind === 'pace') return fault
  if (fault.kind === 'hold' || fault.kind === 'lose') {
    return fault.ways.includes(way) ? { kind: fault.kind } : NONE
  }
  return NONE
}

function isMoving({ kind }: Passing): boolean {
  return kind === 'none' || kind === 'pace'
}

/** Whether the process holds the client's end of a connection from this port of 127.0.0.1. */
function isFrom(ports: Ports, from: Process | undefined): boolean {
  if (from === undefined) return true
  const inode = inodeOf(ports)
  const folder = `/proc/${from.pid}/fd`
  try {
    return readdirSync(folder).some((fd) => linkOf(`${folder}/${fd}`) === `socket:[${inode}]`)
  } catch {
    return false // The process is gone.
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return '' // Closed meanwhile.
  }
}

/** Several connections may have one local port, to other places. */
function inodeOf({ local, remote }: Ports): string {
  const from = addressOf(local)
  const to = addressOf(remote)
  for (const line of readFileSync('/proc/net/tcp', 'utf8').split('\n')) {
    const fields = line.trim().split(/\s+/)
    if (fields[1] === from && fields[2] === to && fields[3] === ESTABLISHED) return fields[9] ?? ''
  }
  return ''
}

/** As /proc/net/tcp writes it. */
function addressOf(port: number): string {
  return `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`
}

/** State of a socket there. */
const ESTABLISHED = '01'
