/** Every reason for which an event is lost is provoked, and seen by those who may act on it. */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { silentLog as log } from '../../../src/core/log.ts'
import { packageRoot } from '../../../src/core/package-root.ts'
import { findRunningPostgres } from '../../../src/embedded/running.ts'
import {
  WARNING_REASONS,
  type WarningReason,
} from '../../../src/events/warnings/warning-reasons.ts'
import { createSql, type Sql } from '../../../src/postgres/connect.ts'
import { createContractClient } from '../../support/api/contract-client.ts'
import { droppedInMetrics, droppedInStatus, warningsOf } from '../../support/ingest/dropped.ts'
import { startWire, type Wire } from '../../support/ingest/wire.ts'
import { request } from '../../support/servers/product.ts'
import { clearOfMidnight, until } from '../../support/until.ts'

const UUID = '0190a3f0-0000-7000-8000-000000000001'
const LARGE_BYTES = 600_000
const BODY_BYTES = 2_000_000
/** More than the other provocations send. */
const PER_DAY = 4_000

type World = { readonly wire: Wire; readonly sql: Sql; readonly grpc: number }
type Provocation = {
  readonly provoke: (world: World) => Promise<unknown>
  /** No project is known: only the operator sees it. */
  readonly isOfNone?: true
  /** Counted without a sample: no event was read. */
  readonly isCountOnly?: true
}

/** Sends an event of the project, with these fields. */
const capture =
  (fields: object, path = '/capture/', how: 'send' | 'sendOnce' = 'send') =>
  async ({ wire }: World) => {
    const body = { api_key: wire.projectKey, event: 'lost', distinct_id: 'ada', ...fields }
    return (await wire[how](path, JSON.stringify(body))).status
  }

const captureOnce = capture({}, '/capture/', 'sendOnce')

const v1 =
  (fields: object) =>
  async ({ wire }: World) => {
    const item = { event: 'e', uuid: UUID, distinct_id: 'ada', ...fields }
    const body = JSON.stringify({ created_at: '2024-05-01T11:59:00Z', batch: [item] })
    const authorization = `Bearer ${wire.projectKey}`
    return (await wire.send('/i/v1/analytics/events', body, { authorization })).status
  }

/** In this order: the last one uses the quota up. */
const PROVOCATIONS: Readonly<Partial<Record<WarningReason, Provocation>>> = {
  no_name: { provoke: capture({ event: '' }) },
  no_distinct_id: { provoke: capture({ distinct_id: ' ' }) },
  not_analytics: { provoke: capture({ event: '$$heatmap' }) },
  unknown_type: {
    provoke: ({ wire }) =>
      wire.send('/v1/batch', JSON.stringify({ batch: [{ type: 'x', userId: 'ada' }] }), {
        authorization: `Basic ${Buffer.from(`${wire.projectKey}:`).toString('base64')}`,
      }),
  },
  bad_properties: { provoke: v1({ properties: 5 }) },
  not_an_object: {
    provoke: capture({ batch: [null, { event: 'e', distinct_id: 'd' }] }, '/batch/'),
  },
  too_large: {
    provoke: capture({ properties: { text: 'x'.repeat(1_100_000) } }),
    isCountOnly: true,
  },
  unreadable: {
    provoke: ({ wire }) =>
      wire.send('/batch/', JSON.stringify({ api_key: wire.projectKey, batch: [5] })),
    isCountOnly: true,
  },
  request_too_large: {
    provoke: ({ wire }) => wire.send('/capture/', 'x'.repeat(BODY_BYTES + 1)),
    isOfNone: true,
  },
  unknown_key: { provoke: capture({ api_key: 'phc_none' }), isOfNone: true },
  grpc_refused: {
    provoke: async ({ wire, grpc }) => {
      const client = createContractClient(`127.0.0.1:${grpc}`)
      const metadata = { authorization: `Bearer ${wire.projectKey}` }
      const event = 'x'.repeat(1_500_000)
      await client.call('/sluice.v1.IngestService/Capture', { event }, { metadata })
      client.close()
    },
    isOfNone: true,
  },
  bad_timestamp: { provoke: capture({ timestamp: 'yesterday' }) },
  bad_uuid: { provoke: capture({ uuid: 'none' }) },
  cut: { provoke: capture({ distinct_id: 'x'.repeat(300) }) },
  unstorable_text: { provoke: capture({ properties: { distinct_id: 'ada', text: 'a\0b' } }) },
  cannot_merge_with_illegal_distinct_id: {
    provoke: capture({ event: '$identify', properties: { $anon_distinct_id: 'null' } }),
  },
  duplicate: {
    provoke: async (world) => {
      for (let at = 0; at < 2; at++) await capture({ uuid: UUID })(world)
    },
  },
  person_properties_size_violation: {
    provoke: capture({ $set: { bio: 'x'.repeat(LARGE_BYTES) } }),
  },
  group_properties_size_violation: {
    provoke: capture({
      event: '$groupidentify',
      properties: {
        ...{ distinct_id: 'ada', $group_type: 'company', $group_key: 'acme' },
        $group_set: { about: 'x'.repeat(LARGE_BYTES) },
      },
    }),
  },
  dead_letter: {
    provoke: async (world) => {
      const { sql } = world
      await sql`alter table events add constraint odd check (event <> 'odd') not valid`
      await capture({ event: 'odd' })(world)
      await sql`alter table events drop constraint odd`
    },
  },
  plugin_dropped: { provoke: dropByPlugin },
  overloaded: { provoke: fillWithBodies, isOfNone: true },
  removed_project: { provoke: removeBehindItsBack, isOfNone: true },
  unavailable: { provoke: killDatabase },
  over_limit: {
    provoke: async (world) => {
      const batch = Array.from({ length: PER_DAY }, () => ({ event: 'e', distinct_id: 'd' }))
      await capture({ batch }, '/batch/')(world)
      if ((await capture({})(world)) !== 429) throw new Error('not over the limit')
    },
    isCountOnly: true,
  },
}

/** The test that provokes the others. */
const ELSEWHERE = {
  spill_full: 'test/integration/cluster/dropped-cluster.test.ts',
  deleted_person: 'test/integration/cluster/dropped-cluster.test.ts',
  // A client cannot provoke a defect.
  internal_error: 'test/unit/gateway/public/worker-failures.test.ts',
  // Takes five attempts with the database away.
  plugin_capture_lost: 'test/unit/plugins/host/capture.test.ts',
} as const satisfies Partial<Record<WarningReason, string>>

t.test('each reason is provoked by this test, or by one that it names', async (t) => {
  const covered = [...Object.keys(PROVOCATIONS), ...Object.keys(ELSEWHERE)]
  t.same(covered.toSorted(), Object.keys(WARNING_REASONS).toSorted())
  for (const [reason, path] of Object.entries(ELSEWHERE)) {
    t.match(await readFile(join(packageRoot, path), 'utf8'), reason)
  }
})

t.test('each reason is in the status, in the interface and in the figures', async (t) => {
  // The quota is of a day.
  await clearOfMidnight(180_000)
  const wire = await startWire(t, {
    CAPTURE_EVENTS_PER_DAY: String(PER_DAY),
    BODY_BYTES_MAX: String(BODY_BYTES),
  })
  const { product } = wire
  const { grpc, admin } = product.process.ports
  const settings = { DATA_DIR: product.settings['DATA_DIR'] ?? '', GRPC_PORT: String(grpc) }
  const sql = await openDatabase(t, settings.DATA_DIR)
  const world = { wire, sql, grpc }
  await saysSo(t, wire)
  const provoked = Object.entries(PROVOCATIONS)
  for (const [, { provoke }] of provoked) await provoke(world)
  await until('all are in the status', async () => {
    const { rows } = await droppedInStatus(settings)
    return provoked.every(([reason, { isOfNone }]) => hasRow(rows, reason, isOfNone ? 0 : 1))
  })
  const { text } = await droppedInStatus(settings)
  const figures = await droppedInMetrics([admin])
  const { last_hour, results, since } = await warningsOf(product.url, product.personalKey)
  t.match(since, /^\d{4}-\d\d-\d\dT\d\d:\d\d:00Z$/)
  for (const [reason, { isOfNone, isCountOnly }] of provoked) {
    t.ok(text.includes(` ${reason} `), reason)
    const labels = [...figures.keys()].filter((label) => label.startsWith(`${reason} `))
    // A removed project has had its id in the figures; the database does not know it any more.
    const project = reason === 'removed_project' ? /\d/ : new RegExp(isOfNone ? 'none' : '1')
    t.ok(
      labels.some((label) => project.test(label)),
      `${reason} is in the figures`,
    )
    if (isOfNone) continue
    t.match(
      last_hour.find((row) => row.reason === reason),
      { count: Number },
      reason,
    )
    if (isCountOnly) continue
    const sample = results.find(({ type }) => type === reason)
    t.match(sample?.details, { message: String }, `a sample of ${reason}`)
    t.notMatch(JSON.stringify(sample), /x{300}|api_key|phc_/, 'no properties, no keys')
  }
  await survives(t, wire, settings)
})

/** Counts survive a restart, in the interface and in the status. */
async function survives(
  t: Test,
  { product }: Wire,
  settings: { GRPC_PORT: string; DATA_DIR: string },
) {
  const before = await warningsOf(product.url, product.personalKey)
  await product.restart()
  const after = await warningsOf(product.url, product.personalKey)
  for (const { reason, count } of before.last_hour) {
    const now = after.last_hour.find((row) => row.reason === reason)?.count ?? 0
    t.ok(now >= count, `${reason}: ${count}, then ${now}`)
  }
  const { rows } = await droppedInStatus(settings)
  t.ok(hasRow(rows, 'no_name', 1) && hasRow(rows, 'unknown_key', 0))
}

function hasRow(
  rows: readonly { readonly project_id: number; readonly reason: string }[],
  reason: string,
  project: number,
): boolean {
  return rows.some((row) => row.reason === reason && row.project_id === project)
}

/** Whoever sends an event by hand is told with the answer that it is not stored. */
async function saysSo(t: Test, { projectKey, send }: Wire) {
  const event = (fields: object) => ({ event: 'kept', distinct_id: 'ada', ...fields })
  const batch = [
    event({}),
    event({ event: '' }),
    event({ distinct_id: '' }),
    event({ event: null }),
  ]
  const answers = [
    ['/capture/', event({ event: '' }), 'no_name=1'],
    ['/batch/', { batch }, 'no_name=2, no_distinct_id=1'],
    [
      '/batch/',
      { batch: [...batch, event({ text: 'x'.repeat(LARGE_BYTES) })] },
      'no_name=2, no_distinct_id=1',
    ],
    ['/capture/', event({ uuid: 'none' }), undefined],
    ['/capture/', event({}), undefined],
  ] as const
  for (const [path, body, dropped] of answers) {
    const answer = await send(path, JSON.stringify({ api_key: projectKey, ...body }))
    t.strictSame(answer.body, { status: 1 })
    t.equal(answer.headers['sluice-dropped'], dropped, path)
  }
}

async function openDatabase(t: Test, dataDir: string): Promise<Sql> {
  const running = await findRunningPostgres(dataDir)
  if (running === undefined) throw new Error('no Postgres runs')
  const sql = createSql(running.connection, { applicationName: 'test', connectionsMax: 1, log })
  t.teardown(async () => {
    await sql.end()
    await running.release()
  })
  return sql
}

async function dropByPlugin(world: World): Promise<void> {
  const { url, personalKey: key } = world.wire.product
  const source = 'export const processEvent = (event) => (event.event === "gone" ? null : event)'
  const files = { 'index.ts': source, 'plugin.json': '{}' }
  const made = await request(`${url}/api/organizations/@current/plugins/`, {
    ...{ key, body: { plugin_type: 'source', name: 'test', files } },
  })
  const { id: plugin } = made.body as { id: number }
  const configs = `${url}/api/projects/1/plugin_configs/`
  const { body } = await request(configs, { key, body: { plugin, order: 1, enabled: true } })
  const { admin } = world.wire.product.process.ports
  // An event waits for its plugin for five seconds, in which a busy machine may not have loaded it.
  await until('the plugin drops it', async () => {
    await capture({ event: 'gone' })(world)
    return ((await droppedInMetrics([admin])).get('plugin_dropped 1') ?? 0) > 0
  })
  const { id } = body as { id: number }
  await request(`${configs}${id}/`, { key, method: 'DELETE' })
}

/** Bodies that are announced and do not come take the room of another one. */
async function fillWithBodies(world: World): Promise<void> {
  const { wire } = world
  const port = Number(new URL(wire.product.url).port)
  const head = `POST /capture/ HTTP/1.1\r\nHost: x\r\nContent-Length: ${BODY_BYTES - 1}\r\n\r\n`
  const announce = async () => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {
      // The server cuts what is slow; it has had its effect by then.
    })
    await once(socket, 'connect')
    await new Promise((written) => socket.write(`${head}x`, written))
    return socket
  }
  const large = JSON.stringify({ api_key: wire.projectKey, text: 'x'.repeat(1_900_000) })
  await until('a body is refused', async () => {
    const sockets = await Promise.all(Array.from({ length: 100 }, announce))
    const { status } = await wire.sendOnce('/capture/', large)
    for (const socket of sockets) socket.destroy()
    return status === 503
  })
}

/** The gateway knows the key, and nobody tells it. */
async function removeBehindItsBack(world: World): Promise<void> {
  const { url, personalKey: key } = world.wire.product
  const made = await request(`${url}/api/projects/`, { key, body: { name: 'short' } })
  if (made.status !== 201) throw new Error(JSON.stringify(made))
  const { id, api_token: api_key } = made.body as { id: number; api_token: string }
  await capture({ api_key })(world)
  await world.sql`delete from projects where id = ${id}`
  await capture({ api_key })(world)
}

async function killDatabase(world: World): Promise<void> {
  const file = join(world.wire.product.settings['DATA_DIR'] ?? '', 'postgres', 'postmaster.pid')
  let isRefused = false
  const refused = until('a capture is refused', async () => {
    isRefused = (await captureOnce(world)) === 503
    return isRefused
  })
  // It is started again at once, and a capture waits for it for a moment: it is killed each time.
  const killed = until('it need not be killed again', async () => {
    if (!isRefused) await killPostmaster(file)
    return isRefused
  })
  await Promise.all([refused, killed])
  await until('the database is back', async () => (await captureOnce(world)) === 200)
}

/** Nothing where none runs at this moment. */
async function killPostmaster(file: string): Promise<void> {
  const text = await readFile(file, 'utf8').catch(() => '') // There is no file between two of them.
  const pid = Number(text.split('\n')[0])
  if (!Number.isInteger(pid) || pid < 2) return
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}
