import t, { type Test } from 'tap'
import { clientNamed } from './catalogue.ts'
import { startBrowser, type TestBrowser } from './support/browser.ts'
import {
  checkAlias,
  checkBatch,
  checkCapture,
  checkFlags,
  checkGroups,
  checkPayload,
  checkVisitorIdentified,
  namesOf,
  type SeenFlags,
  taskOf,
} from './support/expected.ts'
import { versionsOf } from './support/installed.ts'
import { type Checks, checkFeatures } from './support/outcome.ts'
import { modulePage, modulePath, openPage } from './support/page.ts'
import { flagQuestions } from './support/posthog-js.ts'
import { SNIPPET_EVENT, snippetFor } from './support/snippet.ts'
import { startWorld, type World } from './support/world.ts'

const client = clientNamed('posthog-js-lite')
/** Imports of the newest version; the others hold all they need. */
const CORE = { name: '@posthog/core', version: '1.67.3', file: 'dist/index.mjs' }
/** Cannot read the answers to what it sends by default, takes them for failures and repeats it. */
const REPEATS = ['2.5.0']
const TIMES_SENT = 4

type Seen = {
  readonly sessionId: string
  readonly flags: SeenFlags
  readonly hasPayloads: boolean
  readonly payload?: unknown
  /** The person the flags were asked for. */
  readonly askedFor: unknown
}

t.test('posthog-js-lite, every version', async (t) => {
  const world = await startWorld(t)
  const browser = await startBrowser(t)
  for (const version of versionsOf(client)) {
    await t.test(version, (t) => checkVersion(t, world, browser, version))
  }
  await t.test('its snippet', (t) => checkSnippet(t, world, browser))
})

async function checkVersion(t: Test, world: World, browser: TestBrowser, version: string) {
  const task = taskOf(world, '', version, namesOf(client.name, version))
  const open = () =>
    openPage(browser, modulePage(modulesOf(browser, version), ''), 'posthog-js-lite.mjs')
  const page = await open()
  const isRepeating = REPEATS.includes(version)
  await page.call('start', task, isRepeating ? { captureMode: 'json' } : {})
  const { sessionId } = await page.call<Pick<Seen, 'sessionId'>>('visit', task)
  await world.waitForEvents(task.names.grouped, 1)
  const read = await page.call<Omit<Seen, 'sessionId' | 'askedFor'>>('readFlags')
  const askedFor = flagQuestions(await page.visitor.requests()).at(-1)?.['distinct_id']
  await page.call('visitAsAlias', task)
  const checks = checksOf(world, version, { sessionId, ...read, askedFor })
  await checkFeatures(t, client, version, checks, isRepeating ? ['capture', 'batch'] : [])
  if (isRepeating) {
    await t.test(`${version} stores what it sends by default several times`, async () => {
      const name = `${task.names.captured} by default`
      const other = await open()
      await other.call('start', task, {})
      await other.call('captureAlone', name)
      await world.waitForEvents(name, TIMES_SENT)
      await other.visitor.close()
    })
  }
  t.strictSame(page.visitor.troubles, [], 'the browser reports no error')
  await page.visitor.close()
}

function modulesOf({ pages }: TestBrowser, version: string): Readonly<Record<string, string>> {
  return {
    [client.name]: pages.libraryPath(client.name, version, modulePath(client, version)),
    [CORE.name]: pages.libraryPath(CORE.name, CORE.version, CORE.file),
  }
}

function checksOf(world: World, version: string, seen: Seen): Checks {
  const names = namesOf(client.name, version)
  const checks: Checks = {
    capture: async (t) => {
      const event = await checkCapture(t, world, names)
      t.match(event.properties, { $lib: 'js', $lib_version: version })
    },
    batch: (t) => checkBatch(t, world, names),
    identify: (t) => checkVisitorIdentified(t, world, names),
    alias: (t) => checkAlias(t, world, names),
    groups: (t) => checkGroups(t, world, names),
    flags: async (t) => {
      t.equal(seen.askedFor, names.user, 'the server was asked for the user')
      checkFlags(t, seen.flags)
    },
    'session id': async (t) => {
      const [event] = await world.events(names.captured)
      t.match(event?.properties, { $session_id: seen.sessionId })
    },
  }
  if (seen.hasPayloads) checks.payloads = async (t) => checkPayload(t, seen.payload)
  return checks
}

async function checkSnippet(t: Test, world: World, browser: TestBrowser): Promise<void> {
  const script = snippetFor(world, 'posthog-js-lite.mjs')
  const visitor = await browser.visitor()
  const html = modulePage(modulesOf(browser, client.newest), script)
  await visitor.page.goto(browser.pages.show('/snippet', html))
  const [event] = await world.waitForEvents(SNIPPET_EVENT, 1)
  t.match(event, { distinct_id: 'user-1', properties: { total: 12.5 } })
  t.strictSame(visitor.troubles, [], 'the browser reports no error')
  await visitor.close()
}
