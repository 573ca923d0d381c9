/**
 * How many captures a second does the product take, compared with a gateway and an actor built with
 * Moleculer over NATS? Both run on one machine in alternating rounds. The comparison favours the
 * peer on purpose: the product answers when the event is committed to Postgres, the peer when it is
 * counted in memory.
 *
 *   npx tsx bench/peers/capture.ts [--seconds 10] [--rounds 3] [--json FILE]
 *       [--server-cpus 0 --generator-cpus 1] [--plain]
 *
 * After `npm run build`. Needs nats-server and redis-server; installs the peers' packages when they
 * are missing.
 */
import { randomBytes } from 'node:crypto'
import { AppError } from '../../src/core/code.ts'
import { type Conservation, conservationOf, settledCount } from '../load/conservation.ts'
import type { ProcessGroup } from '../load/machine/process-usage.ts'
import type { Product } from '../load/machine/product.ts'
import { countEvents, isManaged } from '../load/workload/management-api.ts'
import { type CaptureShape, createCaptureSource } from '../load/workload/payload.ts'
import { createSide, measureInTurn, type Side, targetOf } from './measure.ts'
import { countedEvents, type Moleculer, startMoleculer } from './moleculer.ts'
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
  untilAborted,
} from './session.ts'
import { problemsOf, renderTable, summarise } from './table.ts'

/** Longest wait for accepted events to be stored, after the last round. */
const DRAIN_MS = 60_000

await runSession(readOptions('capture'), compare)

async function compare(session: Session): Promise<Outcome> {
  const { options, signal } = session
  installPeers()
  printEnvironment(options)
  const product = await startOurs(session)
  const moleculer = await startMoleculer(session)
  moveGenerator(options)
  const eventName = `sluice_peers_${randomBytes(6).toString('hex')}`
  const side = (name: string, server: { url: string; groups: readonly ProcessGroup[] }) =>
    captureSide(name, server, {
      apiKeys: product.projects.map(({ apiKey }) => apiKey),
      eventName,
      distinctIds: options.distinctIds,
      shape: options.plain ? 'plain' : 'pages',
    })
  const ours = side('Sluice, committed to Postgres', product)
  const theirs = side(`Moleculer ${installedVersion('moleculer')}, counted in memory`, moleculer)
  const rounds = await measureInTurn(session, [ours, theirs])
  const summary = summarise(rounds)
  print(renderTable(summary))
  const checks = [
    await untilAborted(signal, stored(session, ours, product, eventName)),
    await counted(theirs, moleculer),
  ]
  for (const [index, { verdict, detail }] of checks.entries()) {
    print(`${index === 0 ? ours.name : theirs.name}: ${verdict}: ${detail}`)
  }
  const broken = checks.filter(({ verdict }) => verdict !== 'holds').map(({ detail }) => detail)
  const report = { bench: 'capture', summary, conservation: checks, rounds }
  return { report, problems: [...problemsOf(rounds), ...broken] }
}

function captureSide(
  name: string,
  { url, groups }: { url: string; groups: readonly ProcessGroup[] },
  events: Pick<CaptureShape, 'apiKeys' | 'eventName' | 'distinctIds' | 'shape'>,
): Side {
  const shape = {
    ...events,
    batch: 1,
    zipfExponent: undefined,
    properties: 10,
    valueBytes: 16,
    gzipShare: 0,
    seed: 1,
    uuidVersion: 7,
  } as const
  const source = createCaptureSource(shape, { host: new URL(url).host, path: '/capture/' })
  return createSide(name, { target: targetOf(url), source, groups })
}

async function stored(
  { clock }: Session,
  side: Side,
  product: Product,
  eventName: string,
): Promise<Conservation> {
  const project = product.projects.find(isManaged)
  if (project === undefined) throw new AppError('internal', 'the product has no project')
  const readBack = () => countEvents(product.url, project, eventName)
  const options = { accepted: side.total.accepted, deadlineMs: DRAIN_MS }
  return conservationOf(side.total, 1, await settledCount({ clock, readBack }, options))
}

async function counted(side: Side, moleculer: Moleculer): Promise<Conservation> {
  return conservationOf(side.total, 1, await countedEvents(moleculer))
}
