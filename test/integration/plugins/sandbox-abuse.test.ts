import t from 'tap'
import type { PluginLoader, ProcessAnswer } from '../../../src/plugins/ports.ts'
import { definition, recordedHost } from '../../support/plugins/plugin-host.ts'
import { loadPlugin, plainLoader, processOne } from '../../support/plugins/sandbox.ts'
import { ABUSES, type Abuse, type Outcome } from '../../support/plugins/sandbox-abuses.ts'
import { BOMBS } from '../../support/plugins/sandbox-bombs.ts'

/** For what takes all the time that it has, each an endless loop: nothing else is called with it. */
const ENDLESS_MS = 150

const GOOD = `exports.processEvent = (event) => {
  event.properties = { plain: ({}).polluted === undefined, more: event.properties.more }
  return event
}`

function outcomeOf(answer: ProcessAnswer): string {
  if (answer.kind !== 'failed') return answer.kind
  return answer.error.isTimeout ? 'timeout' : 'failed'
}

async function tryOut(loader: PluginLoader, { code }: Abuse): Promise<[string, unknown]> {
  const host = recordedHost()
  const loaded = await loader.load(definition(code, { configId: 8 }), host)
  if (!loaded.ok) return [loaded.error.isTimeout ? 'refused late' : 'refused', loaded.error.message]
  const answer = await processOne(loaded.instance)
  await loaded.instance.teardown()
  const said = answer.kind === 'failed' ? answer.error.message : undefined
  return [outcomeOf(answer), answer.kind === 'kept' ? answer.event : said]
}

t.test('whatever a plugin tries, its call ends and others go on', async (t) => {
  const loader = plainLoader()
  const brief = plainLoader({ processMs: ENDLESS_MS, graceMs: ENDLESS_MS })
  const hasty = plainLoader({ loadMs: ENDLESS_MS })
  t.teardown(() => Promise.all([loader, brief, hasty].map((each) => each.close())))
  const loaderFor = (outcomes: readonly Outcome[]) => {
    if (outcomes.includes('refused late')) return hasty
    return outcomes.includes('timeout') ? brief : loader
  }
  const good = await loadPlugin(loader, GOOD)
  for (const abuse of [...ABUSES, ...BOMBS]) {
    const outcomes = [abuse.outcome].flat()
    const [kind, value] = await tryOut(loaderFor(outcomes), abuse)
    t.ok(
      outcomes.some((each) => each === kind),
      `${abuse.idea}: ${abuse.name}: ${kind}`,
    )
    if (abuse.value !== undefined) t.match(value, abuse.value, abuse.name)
    const after = await processOne(good, { more: 1 })
    t.match(after, { kind: 'kept', event: { properties: { plain: true, more: 1 } } }, abuse.name)
    t.equal(Reflect.get({}, 'polluted'), undefined, 'nothing of the server has changed')
  }
  await good.teardown()
})
