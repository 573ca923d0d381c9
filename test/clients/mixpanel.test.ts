import t from 'tap'
import { clientNamed } from './catalogue.ts'
import { runDriver } from './support/child.ts'
import {
  checkAlias,
  checkBatch,
  checkCapture,
  checkGroups,
  checkIdentify,
  namesOf,
  type Task,
  taskOf,
} from './support/expected.ts'
import { entryOf, versionsOf } from './support/installed.ts'
import { type Checks, checkFeatures } from './support/outcome.ts'
import { checkSnippet } from './support/snippet.ts'
import { startWorld, TIER, type World } from './support/world.ts'

const client = clientNamed('mixpanel')

type MixpanelNames = ReturnType<typeof namesOf> & {
  /** An event of a client that is not told to be verbose. */
  readonly quiet: string
}
type Seen = {
  readonly errors: readonly string[]
  readonly hasGroups: boolean
  readonly quietError: string
}

t.test('mixpanel, every version', async (t) => {
  const world = await startWorld(t)
  for (const version of versionsOf(client)) {
    await t.test(version, async (t) => {
      const own = namesOf(client.name, version)
      const names = { ...own, quiet: `${own.captured} quietly` }
      // The library lets nothing pass that is older than five days; some versions send seconds.
      const atMs = Math.floor(Date.now() / 1_000 - 3_600) * 1_000
      const task = taskOf(world, entryOf(client, version), version, names)
      const program = [process.execPath]
      const seen = await runDriver<Task & { atMs: number }, Seen>(program, 'mixpanel.mjs', {
        ...task,
        atMs,
      })
      t.strictSame(seen.errors, [], 'the client reports no error')
      await checkFeatures(t, client, version, checksOf(world, names, seen, atMs))
      await t.test(
        'a client that is not verbose stores, and takes the answer for an error',
        async (t) => {
          await world.waitForEvents(names.quiet, 1)
          t.equal(seen.quietError, 'Error: Mixpanel Server Error: {"status":1}')
        },
      )
    })
  }
  await t.test('its snippet', async (t) => {
    await checkSnippet(t, { file: 'mixpanel.mjs', client, version: client.newest, world })
  })
})

function checksOf(world: World, names: MixpanelNames, seen: Seen, atMs: number): Checks {
  const checks: Checks = {
    capture: async (t) => {
      const event = await checkCapture(t, world, names)
      t.equal(event.properties['mp_lib'], 'node')
      t.equal(Date.parse(event.timestamp), atMs, 'at the time of its client')
    },
    batch: (t) => checkBatch(t, world, names),
    identify: (t) => checkIdentify(t, world, names),
    alias: (t) => checkAlias(t, world, names),
  }
  if (seen.hasGroups) {
    checks.groups = async (t) => {
      await checkGroups(t, world, names)
      const filter = { key: '$group_key', value: names.group, operator: 'exact', type: 'event' }
      const properties = JSON.stringify([filter])
      const [change] = await world.events('$groupidentify', { properties })
      t.match(change?.properties, { $group_set: { tier: TIER } })
    }
  }
  return checks
}
