import t from 'tap'
import { clientNamed } from './catalogue.ts'
import { runDriver } from './support/child.ts'
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
import { entryOf, versionsOf } from './support/installed.ts'
import { type Checks, checkFeatures } from './support/outcome.ts'
import { checkSnippet } from './support/snippet.ts'
import { startWorld, type World } from './support/world.ts'

const client = clientNamed('posthog-node')

/** They know flags that are on or off, groups from 1.2, and no share of a simple flag. */
const ONE_SHARE = /^1\.[123]\./

type Seen = {
  readonly errors: readonly string[]
  readonly hasGroups: boolean
  readonly hasFlags: boolean
  readonly flags: SeenFlags
  readonly all?: Readonly<Record<string, unknown>>
  readonly hasPayloads: boolean
  readonly payload?: unknown
  readonly hasLocal: boolean
  readonly local: SeenFlags
  readonly hasRemoteConfig: boolean
  readonly remoteConfig?: unknown
}

t.test('posthog-node, every version', async (t) => {
  const world = await startWorld(t)
  for (const version of versionsOf(client)) {
    await t.test(version, async (t) => {
      const names = namesOf(client.name, version)
      const task = taskOf(world, entryOf(client, version), version, names)
      const seen = await runDriver<Task, Seen>([process.execPath], 'posthog-node.mjs', task)
      t.strictSame(seen.errors, [], 'the client reports no error')
      const faults = ONE_SHARE.test(version) ? (['flags'] as const) : []
      await checkFeatures(t, client, version, checksOf(world, version, seen), faults)
    })
  }
  await t.test('its snippet', async (t) => {
    await checkSnippet(t, { file: 'posthog-node.mjs', client, version: client.newest, world })
  })
})

function checksOf(world: World, version: string, seen: Seen): Checks {
  const names = namesOf(client.name, version)
  const checks: Checks = {
    capture: async (t) => {
      const event = await checkCapture(t, world, names)
      t.equal(event.properties['$lib_version'], version)
    },
    batch: (t) => checkBatch(t, world, names),
    identify: (t) => checkIdentify(t, world, names),
    alias: (t) => checkAlias(t, world, names),
  }
  if (seen.hasGroups) checks.groups = (t) => checkGroups(t, world, names)
  if (seen.hasFlags) {
    checks.flags = async (t) => {
      if (!ONE_SHARE.test(version)) return checkFlags(t, seen.flags)
      const { off, ...flags } = seen.flags
      t.equal(off, true, 'takes every share for the whole')
      checkFlags(t, flags, version === '1.1.3' ? ['variant', 'tier'] : ['variant'])
    }
  }
  if (seen.hasPayloads) checks.payloads = async (t) => checkPayload(t, seen.payload)
  if (seen.hasLocal) {
    checks['local evaluation'] = async (t) => {
      checkFlags(t, seen.local)
      if (seen.hasRemoteConfig) checkPayload(t, seen.remoteConfig)
    }
  }
  return checks
}
