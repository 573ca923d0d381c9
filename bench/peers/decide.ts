/**
 * How many users a second get their flags from the product, compared with Unleash 7.5.1? Both have
 * 20 flags of the same kinds and run on one machine in alternating rounds. The README in this
 * folder tells which figures can be compared.
 *
 *   npx tsx bench/peers/decide.ts [--seconds 10] [--rounds 3] [--json FILE]
 *       [--server-cpus 0 --generator-cpus 1]
 *
 * After `npm run build`. Installs the peers' packages when they are missing.
 */
import { AppError } from '../../src/core/code.ts'
import type { Product } from '../load/machine/product.ts'
import { ensureFlags, isManaged } from '../load/workload/management-api.ts'
import { createDecideSource, type DecideShape } from '../load/workload/payload.ts'
import { createFixedSource, getRequest, isTogglesAnswer, userId } from './fixed-source.ts'
import { wrongFlags } from './flag-check.ts'
import { createSide, measureInTurn, prime, type Side, targetOf } from './measure.ts'
import {
  installedVersion,
  installPeers,
  moveGenerator,
  type Outcome,
  print,
  printEnvironment,
  readOptions,
  runSession,
  type Session,
  startOurs,
} from './session.ts'
import { problemsOf, renderTable, summarise } from './table.ts'
import {
  enabledToggles,
  FRONTEND_TOKEN,
  frontendPath,
  makeToggles,
  startUnleash,
  type Unleash,
} from './unleash.ts'

const FLAGS = 20
/** Users whose flags are read in full before the measurement. */
const CHECKED_USERS = 64
/** A change of flags reaches every gateway within a second. */
const FLAGS_SETTLE_MS = 1_500

const NAMES: Readonly<Record<DecideShape['ids'], string>> = {
  prime: 'Sluice, priming',
  hot: 'Sluice, each id asked before',
  cold: 'Sluice, ids never asked',
}

await runSession(readOptions('decide'), compare)

async function compare(session: Session): Promise<Outcome> {
  const { clock, options, signal } = session
  installPeers()
  printEnvironment(options)
  const product = await startOurs(session)
  const unleash = await startUnleash(session)
  moveGenerator(options)
  await makeFlags(product, unleash)
  await clock.sleep(FLAGS_SETTLE_MS, signal)
  await checkFlags(product, unleash)
  await prime(session, ours(product, 'prime', options.distinctIds), options.distinctIds)
  const sides = [
    ours(product, 'hot', options.distinctIds),
    ours(product, 'cold', options.distinctIds),
    theirs(unleash, options.distinctIds),
  ]
  const rounds = await measureInTurn(session, sides)
  const summary = summarise(rounds)
  print(renderTable(summary))
  return {
    report: { bench: 'decide', flags: FLAGS, summary, rounds },
    problems: problemsOf(rounds),
  }
}

function ours(product: Product, ids: DecideShape['ids'], distinctIds: number): Side {
  const shape: DecideShape = {
    apiKeys: product.projects.map(({ apiKey }) => apiKey),
    distinctIds,
    zipfExponent: undefined,
    seed: 1,
    idPrefix: ids === 'cold' ? 'cold-' : 'user-',
    ids,
  }
  const source = createDecideSource(shape, { host: hostOf(product.url), path: '/decide/?v=2' })
  return createSide(NAMES[ids], { target: targetOf(product.url), source, groups: product.groups })
}

function theirs({ url, groups }: Unleash, distinctIds: number): Side {
  const requests = Array.from({ length: distinctIds }, (_, index) =>
    getRequest({ host: hostOf(url), path: frontendPath(userId(index)) }, FRONTEND_TOKEN),
  )
  const name = `Unleash ${installedVersion('unleash-server')}, frontend API`
  const source = createFixedSource(requests, isTogglesAnswer)
  return createSide(name, { target: targetOf(url), source, groups })
}

function hostOf(url: string): string {
  return new URL(url).host
}

async function makeFlags(product: Product, unleash: Unleash): Promise<void> {
  const project = product.projects.find(isManaged)
  if (project === undefined) throw new AppError('internal', 'the product has no project')
  const active = await ensureFlags(product.url, project, FLAGS)
  if (active !== FLAGS) throw new AppError('internal', `${active} flags are active, not ${FLAGS}`)
  await makeToggles(unleash, FLAGS)
}

/** Checks that both servers give correct answers: otherwise their rates mean nothing. */
async function checkFlags(product: Product, unleash: Unleash): Promise<void> {
  const users = Array.from({ length: CHECKED_USERS }, (_, index) => userId(index))
  const apiKey = product.projects[0]?.apiKey ?? ''
  const checks = [
    ['Sluice', await Promise.all(users.map((user) => enabledFlags(product.url, apiKey, user)))],
    ['Unleash', await Promise.all(users.map((user) => enabledToggles(unleash, user)))],
  ] as const
  for (const [name, flags] of checks) {
    const wrong = wrongFlags(flags, FLAGS)
    if (wrong !== undefined) throw new AppError('internal', `${name}: ${wrong}`)
  }
}

async function enabledFlags(url: string, apiKey: string, user: string): Promise<Set<string>> {
  const answer = await fetch(`${url}/decide/?v=2`, {
    method: 'POST',
    body: JSON.stringify({ api_key: apiKey, distinct_id: user }),
    signal: AbortSignal.timeout(15_000),
  })
  const { featureFlags }: { featureFlags: Record<string, unknown> } = JSON.parse(
    await answer.text(),
  )
  return new Set(Object.keys(featureFlags).filter((key) => featureFlags[key] !== false))
}
