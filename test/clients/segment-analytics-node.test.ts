import t from 'tap'
import { clientNamed } from './catalogue.ts'
import { checkSegmentClient } from './support/segment.ts'
import { checkSnippet } from './support/snippet.ts'
import { startWorld } from './support/world.ts'

const client = clientNamed('@segment/analytics-node')

t.test('segment-analytics-node, every version', async (t) => {
  const world = await startWorld(t)
  await checkSegmentClient(t, world, client)
  await t.test('its snippet', async (t) => {
    const version = client.newest
    await checkSnippet(t, { file: 'segment-analytics-node.mjs', client, version, world })
  })
})
