/** Starts the Moleculer peer: NATS, an actor and a gateway. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../src/core/code.ts'
import { isObject } from '../../src/core/json.ts'
import { type ProcessGroup, treeGroup } from '../load/machine/process-usage.ts'
import { endProcess, freePort, startServer, untilReady } from '../load/machine/processes.ts'
import { launchPeer } from './peer-process.ts'
import { PEERS_FOLDER, type Session } from './session.ts'

export type Moleculer = { readonly url: string; readonly groups: readonly ProcessGroup[] }

/** Starts a NATS of its own, an actor, and a gateway that calls it over NATS. */
export async function startMoleculer(session: Session): Promise<Moleculer> {
  const { clock, folder: parent, releasers, signal } = session
  const folder = join(parent, 'moleculer')
  mkdirSync(folder)
  const natsPort = await freePort()
  const natsArgs = ['-a', '127.0.0.1', '-p', String(natsPort)]
  const nats = startServer(folder, 'nats-server', natsArgs, natsPort)
  releasers.push('nats of moleculer', () => endProcess(clock, nats))
  await untilReady(clock, nats, signal)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const settings = { NATS_URL: `nats://127.0.0.1:${natsPort}`, PORT: String(port) }
  const launch = (name: string) => {
    const script = join(PEERS_FOLDER, `moleculer-${name}-server.mjs`)
    return launchPeer(session, name, { script, settings, readyUrl: `${url}/counted` })
  }
  const actor = launch('actor')
  const gateway = launch('gateway')
  // The gateway's answer comes from the actor, so both are ready.
  await untilReady(clock, gateway, signal)
  return {
    url,
    groups: [nats, actor, gateway].map(({ name, child }) => treeGroup(name, () => child.pid)),
  }
}

/** Events that reached the actor. @throws {AppError} when the gateway does not say. */
export async function countedEvents({ url }: Moleculer): Promise<number> {
  const answer = await fetch(`${url}/counted`, { signal: AbortSignal.timeout(15_000) })
  const body: unknown = await answer.json()
  const counted = isObject(body) ? body['counted'] : undefined
  if (typeof counted !== 'number') {
    throw new AppError('unavailable', `the gateway of moleculer answered ${answer.status}`)
  }
  return counted
}
