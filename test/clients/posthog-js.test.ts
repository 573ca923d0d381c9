import t, { type Test } from 'tap'
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
  PROPERTIES,
  type SeenFlags,
  type Task,
  taskOf,
} from './support/expected.ts'
import { versionsOf } from './support/installed.ts'
import { until } from './support/observed.ts'
import { type Checks, checkFeatures } from './support/outcome.ts'
import type { DrivenPage } from './support/page.ts'
import {
  clickUntilCaptured,
  type Form,
  flagQuestions,
  isSince,
  openPosthogPage,
  posthogJs,
  unpack,
} from './support/posthog-js.ts'
import { startWorld, type World } from './support/world.ts'

/** Loaded as modules; the others by the HTML snippet. */
const MODULES = ['1.24.0', '1.200.0']

/** How these versions can be made to pack events; others do as the one before them. */
const FORMS: Readonly<Record<string, readonly Form[]>> = {
  '1.0.0': ['base64'],
  '1.7.2': ['base64', 'lz64'],
  '1.12.2': ['base64', 'lz64', 'gzip-js'],
  '1.50.0': ['base64', 'lz64', 'gzip-js'],
  '1.100.0': ['base64', 'gzip-js'],
  '1.200.0': ['base64', 'gzip-js', 'json'],
  [posthogJs.newest]: ['base64', 'gzip-js', 'json'],
}

type Abilities = {
  readonly groups: boolean
  readonly flags: boolean
  readonly variants: boolean
  readonly payloads: boolean
}
type Seen = {
  readonly abilities: Abilities
  readonly flags: SeenFlags
  readonly payload?: unknown
  /** The person the flags were asked for. */
  readonly askedFor: unknown
}

t.test('posthog-js, every version', async (t) => {
  const world = await startWorld(t)
  const browser = await startBrowser(t)
  for (const version of versionsOf(posthogJs)) {
    await t.test(version, (t) => checkVersion(t, world, browser, version))
  }
})

async function checkVersion(t: Test, world: World, browser: TestBrowser, version: string) {
  const as = MODULES.includes(version) ? 'module' : 'script'
  const page = await openPosthogPage(browser, world, { version, as })
  const task = taskOf(world, '', version, namesOf(posthogJs.name, version))
  const seen = await visit(world, page, task)
  await checkFeatures(t, posthogJs, version, checksOf(world, version, seen))
  await t.test(`${version}: clicks and views`, (t) => checkAutocapture(t, world, page))
  await t.test(`${version}: what is captured on leaving`, (t) => checkLeaving(t, world, page, task))
  const forms = FORMS[version] ?? []
  await Promise.all(forms.map((form) => checkForm(t, world, browser, version, form)))
  const troubles = page.visitor.troubles.filter((each) => !OWN_WARNING.test(each))
  t.strictSame(troubles, [], 'the browser reports no error')
  await page.visitor.close()
}
/** Note on early versions, about how they call themselves. */
const OWN_WARNING = /Calling posthog.capture with a callback is deprecated/

async function visit(world: World, page: DrivenPage, task: Task): Promise<Seen> {
  const { names, version, batchSize } = task
  await page.call('arrive', task)
  await world.waitForEvents(names.batched, batchSize)
  await page.call('identify', task, isSince(version, IDENTIFY_TAKES_PROPERTIES))
  await world.waitForEvents(names.captured, 1)
  const abilities = await page.call<Abilities>('abilities')
  const seen = abilities.flags ? await readFlags(page) : { flags: {}, askedFor: undefined }
  const aliases = (await world.events(ALIAS)).length
  await page.call('alias', task)
  await world.waitForEvents(ALIAS, aliases + 1)
  await page.call('visitAsAlias', task)
  return { abilities, ...seen }
}
const IDENTIFY_TAKES_PROPERTIES = '1.8'
const ALIAS = '$create_alias'

async function readFlags(page: DrivenPage): Promise<Omit<Seen, 'abilities'>> {
  // No answer to an earlier question may be taken for this one's.
  await page.visitor.page.waitForNetworkIdle({ idleTime: 100 })
  await page.call('reloadFlags')
  const seen = await page.call<Pick<Seen, 'flags' | 'payload'>>('readFlags')
  const asked = flagQuestions(await page.visitor.requests()).at(-1)
  return { ...seen, askedFor: asked?.['distinct_id'] }
}

function checksOf(world: World, version: string, seen: Seen): Checks {
  const names = namesOf(posthogJs.name, version)
  const { abilities } = seen
  const checks: Checks = {
    capture: async (t) => {
      const event = await checkCapture(t, world, names)
      t.equal(event.properties['$lib_version'], version)
    },
    batch: (t) => checkBatch(t, world, names),
    identify: (t) => checkVisitorIdentified(t, world, names),
    alias: (t) => checkAlias(t, world, names),
  }
  if (abilities.groups) checks.groups = (t) => checkGroups(t, world, names)
  if (abilities.flags) {
    checks.flags = async (t) => {
      t.equal(seen.askedFor, names.user, 'the server was asked for the user')
      const without: (keyof SeenFlags)[] = abilities.groups ? [] : ['tier']
      if (!abilities.variants) {
        without.push('variant')
        t.equal(seen.flags.variant, true, 'a flag with variants is on')
      }
      checkFlags(t, seen.flags, without)
    }
  }
  if (abilities.payloads) checks.payloads = async (t) => checkPayload(t, seen.payload)
  if (isSince(version, SENDS_SESSIONS)) {
    checks['session id'] = async (t) => {
      const stored = [names.anonymous, names.captured].map((name) => world.events(name))
      const ids = (await Promise.all(stored)).map(([event]) => event?.properties['$session_id'])
      t.match(ids[0], /^[0-9a-f-]{36,}$/)
      t.equal(ids[1], ids[0], 'one visit is one session')
    }
  }
  return checks
}
const SENDS_SESSIONS = '1.20'

async function checkAutocapture(t: Test, world: World, page: DrivenPage): Promise<void> {
  const properties = JSON.stringify([
    { key: '$current_url', value: page.url, operator: 'exact', type: 'event' },
  ])
  const [view] = await world.events('$pageview', { properties })
  t.match(view?.properties, { $current_url: page.url })
  const click = await clickUntilCaptured(t, world, page)
  t.match(click?.properties, { $event_type: 'click' })
  t.match(click?.elements_chain, /^button:.*attr__id="buy".*;body:/)
  t.notOk('$elements' in (click?.properties ?? {}), 'elements are a chain')
}

/** Long before a batch is due: what is stored came by the beacon of a page that is left. */
async function checkLeaving(t: Test, world: World, page: DrivenPage, task: Task): Promise<void> {
  const name = `${task.names.captured} on leaving`
  await page.call('capture', name, task.properties)
  await page.leave()
  const [event] = await world.waitForEvents(name, 1)
  t.match(event?.properties, task.properties, 'properties as sent')
}

async function checkForm(t: Test, world: World, browser: TestBrowser, version: string, form: Form) {
  const name = `${version} as ${form}`
  // Early versions do not know it.
  const init = { request_queue_config: { flush_interval_ms: 250 } }
  const page = await openPosthogPage(browser, world, { version, init })
  await page.call('captureAs', form, !isSince(version, '1.150'), name, PROPERTIES)
  const [event] = await world.waitForEvents(name, 1)
  t.match(event?.properties, PROPERTIES, `${form}: properties as sent`)
  // The server may have it before this process has heard of the request.
  let packed: ReturnType<typeof unpack> | undefined
  await until(t, `${name} is seen on the wire`, async () => {
    const sent = (await page.visitor.requests()).filter(({ url }) => /\/e\/$/.test(url.pathname))
    packed = sent.map(unpack).find(({ text }) => text.includes(name))
    return packed !== undefined
  })
  t.equal(packed?.form, form, `${form} on the wire`)
  t.strictSame(page.visitor.troubles, [], 'the browser reports no error')
  await page.visitor.close()
}
