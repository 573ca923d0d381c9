import { build } from 'esbuild'
import t, { type Test } from 'tap'
import { aliasOf, clientNamed } from './catalogue.ts'
import { startBrowser } from './support/browser.ts'
import { runDriver } from './support/child.ts'
import { namesOf, type Task, taskOf } from './support/expected.ts'
import { entryOf, librariesFolder, versionsOf } from './support/installed.ts'
import {
  checkDetails,
  checkGroupDetails,
  checkMetadataPayload,
  createSnippetFlag,
  type SeenDetails,
  storeGroup,
} from './support/openfeature.ts'
import { checkFeatures } from './support/outcome.ts'
import { runSnippet } from './support/snippet.ts'
import { startWorld, type World } from './support/world.ts'

const client = clientNamed('@openfeature/ofrep-web-provider')

type Seen = {
  readonly details: SeenDetails
  /** A flag that is turned off while it is polled. */
  readonly changing: string
  readonly before: boolean
  readonly after: boolean
  readonly flagsChanged: readonly string[]
  /** Status of each answer, and whether its question named a tag. */
  readonly answers: readonly (readonly [status: number, hasTag: boolean])[]
  readonly refusal: string
}

t.test('ofrep-web-provider, every version', async (t) => {
  const world = await startWorld(t)
  for (const version of versionsOf(client)) {
    await t.test(version, async (t) => {
      const names = namesOf(client.name, version)
      await storeGroup(world, names)
      const task = taskOf(world, entryOf(client, version), version, names)
      const program = [process.execPath]
      const seen = await runDriver<Task, Seen>(program, 'ofrep-web-provider.mjs', task)
      await checkFeatures(t, client, version, {
        flags: async (t) => {
          checkDetails(t, seen.details)
          checkPolls(t, seen)
          t.equal(seen.refusal, 'PROVIDER_FATAL', 'an unknown key')
          t.match(seen.details.refused, { value: false, reason: 'ERROR' })
        },
        groups: async (t) => checkGroupDetails(t, seen.details),
        payloads: async (t) => checkMetadataPayload(t, seen.details),
      })
    })
  }
  await t.test('its snippet', async (t) => {
    await createSnippetFlag(world)
    const peers = ['@openfeature/web-sdk']
    const snippet = { file: 'ofrep-web-provider.mjs', client, version: client.newest, world, peers }
    t.equal(await runSnippet(t, snippet), 'the new checkout\n')
  })
  await t.test('in a page of another origin', (t) => checkPage(t, world))
})

function checkPolls(t: Test, { answers, changing, before, after, flagsChanged }: Seen): void {
  t.strictSame([before, after], [true, false], 'a poll brings the change')
  t.strictSame(flagsChanged, [changing], 'it is told what has changed')
  const [first, ...polls] = answers
  t.strictSame(first, [200, false])
  t.ok(
    polls.every(([, hasTag]) => hasTag),
    'each poll names the answer it has',
  )
  const changed = polls.findIndex(([status]) => status === 200)
  const unchanged = polls.slice(0, changed).map(([status]) => status)
  t.ok(unchanged.length > 0)
  t.ok(
    unchanged.every((status) => status === 304),
    'nothing is sent while nothing has changed',
  )
}

/** A browser asks first whether it may ask, and hides most headers of the answer. */
async function checkPage(t: Test, world: World): Promise<void> {
  const browser = await startBrowser(t)
  const { page, troubles } = await browser.visitor()
  const polled = page.waitForResponse((answer) => answer.status() === 304)
  await page.goto(browser.pages.show('/ofrep.html', await pageOf(world)))
  const answer = await polled
  t.match(answer.request().headers()['if-none-match'], /^"/, 'the tag of the first answer')
  t.equal(await page.evaluate('isNew'), true)
  t.strictSame(troubles, [], 'the browser reports no error')
}

async function pageOf({ product }: World): Promise<string> {
  const headers = [['Authorization', `Bearer ${product.projectKey}`]]
  const options = { baseUrl: product.url, headers, pollInterval: 100 }
  const contents = `
    import { OpenFeature } from '@openfeature/web-sdk'
    import { OFREPWebProvider } from '${aliasOf(client.name, client.newest)}'
    await OpenFeature.setContext({ targetingKey: 'user-1', plan: 'pro' })
    await OpenFeature.setProviderAndWait(new OFREPWebProvider(${JSON.stringify(options)}))
    window.isNew = OpenFeature.getClient().getBooleanValue('new-checkout', false)`
  const bundle = await build({
    stdin: { contents, resolveDir: librariesFolder(client, client.newest) },
    bundle: true,
    format: 'esm',
    write: false,
  })
  const script = bundle.outputFiles[0]?.text.replaceAll('</script', '<\\/script') ?? ''
  return `<!doctype html><script type="module">${script}</script>`
}
