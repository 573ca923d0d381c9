import t from 'tap'
import { clientNamed } from './catalogue.ts'
import { runDriver } from './support/child.ts'
import { namesOf, type Task, taskOf } from './support/expected.ts'
import { entryOf, versionsOf } from './support/installed.ts'
import {
  checkDetails,
  checkGroupDetails,
  checkMetadataPayload,
  createSnippetFlag,
  type Details,
  type SeenDetails,
  storeGroup,
} from './support/openfeature.ts'
import { checkFeatures } from './support/outcome.ts'
import { runSnippet } from './support/snippet.ts'
import { startWorld } from './support/world.ts'

const client = clientNamed('@openfeature/ofrep-provider')

type Seen = {
  readonly details: SeenDetails & {
    /** Asked with an empty context. */
    readonly nobody: Details
  }
}

t.test('ofrep-provider, every version', async (t) => {
  const world = await startWorld(t)
  for (const version of versionsOf(client)) {
    await t.test(version, async (t) => {
      const names = namesOf(client.name, version)
      await storeGroup(world, names)
      const task = taskOf(world, entryOf(client, version), version, names)
      const program = [process.execPath]
      const { details } = await runDriver<Task, Seen>(program, 'ofrep-provider.mjs', task)
      await checkFeatures(t, client, version, {
        flags: async (t) => {
          checkDetails(t, details)
          t.match(details.nobody, { value: false, errorCode: 'TARGETING_KEY_MISSING' })
          t.match(details.refused, { value: false, errorCode: 'GENERAL' }, 'an unknown key')
        },
        groups: async (t) => checkGroupDetails(t, details),
        payloads: async (t) => checkMetadataPayload(t, details),
      })
    })
  }
  await t.test('its snippet', async (t) => {
    await createSnippetFlag(world)
    const peers = ['@openfeature/server-sdk']
    const snippet = { file: 'ofrep-provider.mjs', client, version: client.newest, world, peers }
    t.equal(await runSnippet(t, snippet), 'the new checkout\n')
  })
})
