import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { packageRoot } from '../../src/core/package-root.ts'
import type { Reply } from '../support/http/http-call.ts'
import { testFolder } from '../support/servers/product.ts'
import { clientNamed } from './catalogue.ts'
import { runDriver, runProgram } from './support/child.ts'
import {
  checkAlias,
  checkBatch,
  checkCapture,
  checkFlags,
  checkGroups,
  checkIdentify,
  checkPayload,
  namesOf,
  type SeenFlags,
  type Task,
  taskOf,
} from './support/expected.ts'
import { clientsCache, versionsOf } from './support/installed.ts'
import { type Checks, checkFeatures } from './support/outcome.ts'
import { startProxy } from './support/proxy.ts'
import {
  kindsOf,
  type RecordedRequest,
  readRecording,
  replay,
  startRecorder,
  writeRecording,
} from './support/record.ts'
import { SNIPPET_EVENT, snippetFor } from './support/snippet.ts'
import { FLAG, startWorld, type World } from './support/world.ts'

const client = clientNamed('posthog')
const fixture = join(packageRoot, 'test', 'fixtures', 'posthog-python.json')
const isFullRun = process.env['SLUICE_CLIENTS'] === 'all'
/** `SLUICE_CLIENTS=all SLUICE_RECORD=1` writes the fixture, for a new version or a new task. */
const isRecording = process.env['SLUICE_RECORD'] === '1'

if (!isRecording) t.test('posthog for Python, as recorded', runRecorded)
if (isFullRun) {
  // After the recorded ones, whose outcomes it replaces.
  for (const version of versionsOf(client)) {
    const folder = join(clientsCache, 'python', version)
    // The installer has said when Python or the package cannot be had.
    if (existsSync(folder))
      t.test(`posthog for Python ${version}`, (t) => runLive(t, version, folder))
  }
}

type Seen = {
  readonly errors: readonly string[]
  readonly version: string
  /** Version of Python. */
  readonly python: string
  readonly flags: SeenFlags
  readonly payload: unknown
  readonly snapshotFlags: SeenFlags
  readonly snapshotPayload: unknown
  readonly local: SeenFlags
  readonly remoteConfig: unknown
}

async function runRecorded(t: Test): Promise<void> {
  const { origin, requests } = readRecording(fixture)
  t.match(origin, { library: client.name, version: client.newest }, 'recorded of the newest')
  const pinned = join(packageRoot, 'test', 'clients', 'python', `${client.newest}.txt`)
  t.ok(existsSync(pinned), 'the newest can be installed')
  const world = await startWorld(t)
  const replies = await replay(t, world, requests)
  for (const [index, { status, text }] of replies.entries()) {
    const { method, path } = requests[index] ?? {}
    t.equal(status, 200, `${method} ${path} is answered with 200, which it asks for: ${text}`)
  }
  const answers = answersOf(requests, replies)
  await checkFeatures(t, client, origin.version, {
    ...storedChecks(world, origin.version),
    flags: async (t) => checkFlags(t, answers.flags),
    payloads: async (t) => checkPayload(t, answers.payload),
    'local evaluation': async (t) => {
      const keys = answers.definitions.map(({ key }) => key)
      t.strictSame(keys.sort(), Object.values(FLAG).sort(), 'a definition of every flag')
      checkPayload(t, answers.remoteConfig)
    },
  })
}

async function runLive(t: Test, version: string, folder: string): Promise<void> {
  const world = await startWorld(t)
  const recorder = await startRecorder(t, world.product)
  const names = namesOf(client.name, version)
  const task: Task = { ...taskOf(world, version, version, names), url: recorder.url }
  const settings = { PYTHONPATH: folder }
  const seen = await runDriver<Task, Seen>(['python3'], 'posthog-python.py', task, settings)
  t.strictSame(seen.errors, [], 'the client reports no error')
  t.equal(seen.version, version)
  await checkFeatures(t, client, version, {
    ...storedChecks(world, version),
    flags: async (t) => {
      checkFlags(t, seen.flags)
      checkFlags(t, seen.snapshotFlags)
    },
    payloads: async (t) => {
      checkPayload(t, seen.payload)
      checkPayload(t, seen.snapshotPayload)
    },
    'local evaluation': async (t) => {
      checkFlags(t, seen.local)
      checkPayload(t, seen.remoteConfig)
    },
  })
  if (version === client.newest) {
    if (isRecording) {
      const runtime = `Python ${seen.python}`
      const origin = {
        library: client.name,
        version,
        runtime,
        recordedAt: new Date().toISOString(),
      }
      writeRecording(fixture, { origin, requests: recorder.requests })
    }
    const { requests } = readRecording(fixture)
    t.strictSame(kindsOf(requests), kindsOf(recorder.requests), 'as recorded')
    await checkSnippet(t, world, settings)
    await t.test('when answers are lost', (t) => runLossy(t, world, version, settings))
  }
}

/** The same once more, under other names, with every second acknowledgement cut off. */
async function runLossy(
  t: Test,
  world: World,
  version: string,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  let acknowledged = 0
  const url = await startProxy(t, world.product.url, ({ path, status }) => {
    if (path !== '/batch/' || status !== 200) return 'pass'
    acknowledged += 1
    return acknowledged % 2 === 1 ? 'lose' : 'pass'
  })
  const names = namesOf(client.name, `${version} again`)
  const task: Task = { ...taskOf(world, version, version, names), url }
  const seen = await runDriver<Task, Seen>(['python3'], 'posthog-python.py', task, settings)
  t.ok(acknowledged >= 2, 'answers were lost')
  t.strictSame(seen.errors, [], 'the client reports no error')
  await checkCapture(t, world, names)
  await checkBatch(t, world, names)
  await checkGroups(t, world, names)
  await checkAlias(t, world, names)
}

async function checkSnippet(
  t: Test,
  world: World,
  settings: Record<string, string>,
): Promise<void> {
  const folder = testFolder(t)
  const file = 'posthog-python.py'
  writeFileSync(join(folder, file), snippetFor(world, file))
  t.match(await runProgram(['python3', file], { settings, folder }), 'the old checkout')
  const [event] = await world.waitForEvents(SNIPPET_EVENT, 1)
  t.match(event, { distinct_id: 'user-1', properties: { total: 12.5 } })
}

/** Checks of what the server has kept, however it came there. */
function storedChecks(world: World, version: string): Checks {
  const names = namesOf(client.name, version)
  return {
    capture: async (t) => {
      const { properties } = await checkCapture(t, world, names)
      t.match(properties, { $lib: 'posthog-python', $lib_version: version })
    },
    batch: (t) => checkBatch(t, world, names),
    identify: (t) => checkIdentify(t, world, names),
    alias: (t) => checkAlias(t, world, names),
    groups: (t) => checkGroups(t, world, names),
  }
}

type FlagAnswer = {
  readonly enabled: boolean
  readonly variant?: string
  readonly metadata?: { readonly payload?: string }
}

/** The library's readings of the answers: values of flags, the payload, definitions. */
function answersOf(requests: readonly RecordedRequest[], replies: readonly Reply[]) {
  const repliesTo = (start: string): readonly unknown[] =>
    replies.filter((_, index) => requests[index]?.path.startsWith(start)).map(({ body }) => body)
  const asked = repliesTo('/flags/?v=2') as readonly { flags: Record<string, FlagAnswer> }[]
  const all: Record<string, FlagAnswer> = {}
  for (const { flags } of asked) Object.assign(all, flags)
  const valueAt = (key: string) => all[key]?.variant ?? all[key]?.enabled
  const [definitions] = repliesTo('/flags/definitions') as readonly { flags: { key: string }[] }[]
  const [remoteConfig] = repliesTo('/api/projects/@current/feature_flags/')
  return {
    flags: {
      boolean: valueAt(FLAG.boolean),
      off: valueAt(FLAG.off),
      variant: valueAt(FLAG.variant),
      plan: valueAt(FLAG.plan),
      tier: valueAt(FLAG.tier),
    },
    payload: JSON.parse(all[FLAG.variant]?.metadata?.payload ?? 'null'),
    definitions: definitions?.flags ?? [],
    remoteConfig,
  }
}
