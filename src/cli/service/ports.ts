/**
 * Ports of a process. They are claimed before anything is made that a failed start would leave
 * behind, such as the keys of a first start.
 */
import { createServer } from 'node:net'
import { AppError } from '../../core/code.ts'
import { findPortHolder } from './port-holder.ts'

export type PortSetting = 'PORT' | 'GRPC_PORT' | 'ADMIN_PORT'

/** A place to listen, with the setting that names its port. */
export type PortPlace = {
  readonly setting: PortSetting
  readonly host: string
  readonly port: number
}

/** Ports that this process holds and does not serve yet. */
export type ClaimedPorts = {
  /** Frees the port for the server that is about to listen there. Does nothing for others. */
  free(setting: PortSetting): Promise<void>
  freeAll(): Promise<void>
}

/**
 * Holds all ports but 0. Connections are closed at once, as if nothing listened.
 * @throws {AppError} `failed_precondition` for a port that is taken; none is held then.
 */
export async function claimPorts(places: readonly PortPlace[]): Promise<ClaimedPorts> {
  const held = new Map<PortSetting, () => Promise<void>>()
  const free = async (setting: PortSetting) => {
    await held.get(setting)?.()
    held.delete(setting)
  }
  const freeAll = async () => {
    for (const setting of [...held.keys()]) await free(setting)
  }
  for (const place of places) {
    if (place.port === 0) continue
    try {
      held.set(place.setting, await listenOn(place, () => hold(place)))
    } catch (error) {
      await freeAll()
      throw error
    }
  }
  return { free, freeAll }
}

function hold({ host, port }: PortPlace): Promise<() => Promise<void>> {
  const server = createServer((socket) => socket.resetAndDestroy())
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port, exclusive: true }, () => {
      resolve(() => new Promise((closed) => server.close(() => closed())))
    })
  })
}

/**
 * Starts a listener, and explains its failure.
 * @throws {AppError} `failed_precondition` that names the setting, and the process that has the
 * port where it can be known.
 */
export async function listenOn<T>(place: PortPlace, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen()
  } catch (error) {
    throw await explainPort(error, place)
  }
}

const OPTIONS: Readonly<Record<PortSetting, string>> = {
  PORT: '--port',
  GRPC_PORT: '--grpc-port',
  ADMIN_PORT: '--admin-port',
}

const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not listen there',
  EADDRNOTAVAIL: 'no address of this machine',
  ENOTFOUND: 'no such host',
}

async function explainPort(error: unknown, place: PortPlace): Promise<unknown> {
  const code = codeOf(error)
  if (code === undefined) return error
  const { setting, host, port } = place
  const at = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
  const option = OPTIONS[setting]
  if (code !== 'EADDRINUSE') {
    const message = `cannot listen on ${at} (${setting}): ${WORDS[code] ?? code}`
    return new AppError('failed_precondition', message, { cause: error })
  }
  const holder = await findPortHolder(port)
  const by = holder === undefined ? 'by another process' : `by ${holder.program}, pid ${holder.pid}`
  const advice = `end it, or choose another port with ${setting} or ${option}`
  return new AppError('failed_precondition', `${setting}: ${at} is taken ${by}; ${advice}`)
}

const CODES = /\b(?:EADDRINUSE|EADDRNOTAVAIL|EACCES|EPERM|ENOTFOUND|EAI_AGAIN)\b/

/** The system's code, which servers of other rooms have in their message or in the cause. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  return CODES.exec(error.message)?.[0] ?? codeOf(error.cause)
}
