/** Starts a Node server of a peer. */
import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { endProcess, type Running, type Settings, untilReady } from '../load/machine/processes.ts'
import type { Session } from './session.ts'

type Start = { readonly script: string; readonly settings: Settings; readonly readyUrl: string }

/**
 * Starts a server of a peer with node and waits until `readyUrl` answers 200.
 * @throws {AppError} `unavailable` with the end of its log when it does not get ready.
 */
export async function startPeer(session: Session, name: string, start: Start): Promise<Running> {
  const running = launchPeer(session, name, start)
  await untilReady(session.clock, running, session.signal)
  return running
}

/** Like the product, the peer sees only the settings named here. It ends with the session. */
export function launchPeer(session: Session, name: string, start: Start): Running {
  const { clock, folder, releasers } = session
  const logFile = join(folder, `${name}.log`)
  const log = openSync(logFile, 'a', 0o600)
  const child = spawn(process.execPath, [start.script], {
    cwd: folder,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', NODE_ENV: 'production', ...start.settings },
    stdio: ['ignore', log, log],
  })
  child.on('error', () => {
    // A child that never ran has no pid, which `untilReady` reports.
  })
  closeSync(log)
  const running = { name, child, logFile, isReady: () => answers(start.readyUrl) }
  releasers.push(name, () => endProcess(clock, running))
  return running
}

async function answers(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) })
    await answer.arrayBuffer()
    return answer.status === 200
  } catch {
    return false // Not listening yet: asked again until the deadline.
  }
}
