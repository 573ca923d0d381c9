/** Starts Unleash with a Postgres of its own. */
import { join } from 'node:path'
import { AppError } from '../../src/core/code.ts'
import { silentLog } from '../../src/core/log.ts'
import { startEmbeddedPostgres } from '../../src/embedded/embedded-postgres.ts'
import { type ProcessGroup, treeGroup } from '../load/machine/process-usage.ts'
import { freePort } from '../load/machine/processes.ts'
import { startPeer } from './peer-process.ts'
import { PEERS_FOLDER, type Session } from './session.ts'

/** Public tokens are fine here: the server listens on loopback only. */
const ADMIN_TOKEN = '*:*.bench-admin'
export const FRONTEND_TOKEN = 'default:development.bench-frontend'

export type Unleash = { readonly url: string; readonly groups: readonly ProcessGroup[] }

/**
 * Starts Unleash as its package comes, with its defaults, on a Postgres of its own with the
 * product's settings. Version checks and telemetry are off.
 */
export async function startUnleash(session: Session): Promise<Unleash> {
  const { clock, folder, releasers, signal } = session
  const dataDir = join(folder, 'unleash-postgres')
  const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog, clock })
  releasers.push('postgres of unleash', () => postgres.stop())
  signal.throwIfAborted()
  const { host, port: databasePort, user, database } = postgres.connection
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const { child } = await startPeer(session, 'unleash', {
    script: join(PEERS_FOLDER, 'node_modules', 'unleash-server', 'dist', 'server.js'),
    readyUrl: `${url}/health`,
    settings: {
      HTTP_HOST: '127.0.0.1',
      HTTP_PORT: String(port),
      DATABASE_HOST: String(host),
      DATABASE_PORT: String(databasePort),
      DATABASE_USERNAME: String(user),
      DATABASE_NAME: String(database),
      DATABASE_SSL: 'false',
      INIT_ADMIN_API_TOKENS: ADMIN_TOKEN,
      INIT_FRONTEND_API_TOKENS: FRONTEND_TOKEN,
      CHECK_VERSION: 'false',
      SEND_TELEMETRY: 'false',
      LOG_LEVEL: 'error',
    },
  })
  return {
    url,
    groups: [treeGroup('unleash', () => child.pid), treeGroup('postgres', () => postgres.pid())],
  }
}

type Strategy = { name: string; parameters: object; constraints: object[]; variants?: object[] }
export type Toggle = { readonly name: string; readonly strategies: readonly Strategy[] }

/**
 * The flag of the same number as the product's bench makes it (`load/workload/management-api.ts`):
 * roll-outs, tests of the person and variants, in Unleash's terms.
 */
function toggleLike(number: number): Toggle {
  const name = `bench-flag-${number}`
  const rollout = (percent: number, constraints: object[] = []): Strategy => ({
    name: 'flexibleRollout',
    parameters: { rollout: String(percent), stickiness: 'userId', groupId: name },
    constraints,
  })
  const test = { weight: 500, weightType: 'variable', stickiness: 'userId' }
  const plan = { contextName: 'plan', operator: 'IN', values: ['pro', 'team'] }
  const email = { contextName: 'email', operator: 'STR_CONTAINS', values: ['@example.com'] }
  switch (number % 5) {
    case 0: {
      const variants = ['control', 'test'].map((variant) => ({ name: variant, ...test }))
      return { name, strategies: [{ ...rollout(100), variants }] }
    }
    case 1:
      return { name, strategies: [rollout(50)] }
    case 2:
      return { name, strategies: [rollout(100, [plan])] }
    case 3:
      return { name, strategies: [rollout(100, [email]), rollout(100)] }
    default:
      return { name, strategies: [rollout(100)] }
  }
}

/** Makes the toggles and switches them on. @throws {AppError} when one cannot be made. */
export async function makeToggles({ url }: Unleash, count: number): Promise<void> {
  const features = `${url}/api/admin/projects/default/features`
  for (let number = 1; number <= count; number++) {
    const { name, strategies } = toggleLike(number)
    await post(features, { name, type: 'release' })
    const environment = `${features}/${name}/environments/development`
    for (const strategy of strategies) await post(`${environment}/strategies`, strategy)
    await post(`${environment}/on`, {})
  }
}

async function post(url: string, body: object): Promise<void> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { Authorization: ADMIN_TOKEN, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(15_000),
  })
  const text = await answer.text()
  if (!answer.ok) throw new AppError('unavailable', `${url} answered ${answer.status}: ${text}`)
}

/** The names of the flags that are on for one user. */
export async function enabledToggles({ url }: Unleash, user: string): Promise<Set<string>> {
  const answer = await fetch(`${url}${frontendPath(user)}`, {
    headers: { Authorization: FRONTEND_TOKEN },
    signal: AbortSignal.timeout(15_000),
  })
  const { toggles }: { toggles: { name: string; enabled: boolean }[] } = JSON.parse(
    await answer.text(),
  )
  return new Set(toggles.filter(({ enabled }) => enabled).map(({ name }) => name))
}

export function frontendPath(user: string): string {
  return `/api/frontend?userId=${user}`
}
