/** The examples of a page and of a service, as their readers run them. */
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t, { type Test } from 'tap'
import { packageRoot } from '../../src/core/package-root.ts'
import { cleanEnv } from '../support/servers/clean-env.ts'
import { type Product, request, testFolder } from '../support/servers/product.ts'
import { aliasOf, clientNamed } from './catalogue.ts'
import { startBrowser } from './support/browser.ts'
import { librariesFolder } from './support/installed.ts'
import { SNIPPET_EVENT } from './support/snippet.ts'
import { startWorld, type World } from './support/world.ts'

const EXAMPLES = join(packageRoot, 'examples')
const node = clientNamed('posthog-node')

t.test('examples', async (t) => {
  const world = await startWorld(t)
  await makeFlag(world.product)

  await t.test('the page sends a view and an event, and shows what the flag says', async (t) => {
    const browser = await startBrowser(t)
    const visitor = await browser.visitor()
    await visitor.page.goto(browser.pages.show('/example.html', pageOf(world.product)))
    await visitor.page.waitForSelector('#banner:not([hidden])')
    await visitor.page.click('#buy')
    const [event] = await world.waitForEvents(SNIPPET_EVENT, 1)
    t.match(event?.properties, { total: 12.5, $lib: 'web' })
    await world.waitForEvents('$pageview', 1)
    t.strictSame(visitor.troubles, [], 'the browser reports no error')
    await visitor.close()
  })

  await t.test('the service answers by the flag, and loses nothing when it is ended', async (t) => {
    const before = (await world.events(SNIPPET_EVENT)).length
    const service = await startService(t, world)
    const answer = await fetch(`${service.url}/?user=ann`)
    t.equal(await answer.text(), 'Free shipping.\n')
    t.equal(await service.stop(), 0)
    const events = await world.waitForEvents(SNIPPET_EVENT, before + 1)
    t.ok(events.some(({ distinct_id: id }) => id === 'ann'))
  })
})

async function makeFlag({ url, personalKey: key }: Product): Promise<void> {
  const groups = [{ properties: [], rollout_percentage: 100 }]
  const body = { key: 'free-shipping', filters: { groups } }
  const { status } = await request(`${url}/api/projects/1/feature_flags/`, { key, body })
  if (status !== 201) throw new Error(`the flag was answered with ${status}`)
}

function pageOf({ url, projectKey }: Product): string {
  const text = readFileSync(join(EXAMPLES, 'web-page', 'index.html'), 'utf8')
  return text.replace('http://localhost:8000', url).replace('phc_your_project_key', projectKey)
}

/** In a folder in which `npm install posthog-node` was typed. */
async function startService(t: Test, { product }: World) {
  const folder = testFolder(t)
  cpSync(join(EXAMPLES, 'node-service', 'server.mjs'), join(folder, 'server.mjs'))
  mkdirSync(join(folder, 'node_modules'))
  const libraries = join(librariesFolder(node, node.newest), 'node_modules')
  symlinkSync(
    join(libraries, aliasOf(node.name, node.newest)),
    join(folder, 'node_modules', node.name),
  )
  const settings = { PROJECT_KEY: product.projectKey, SLUICE_URL: product.url, PORT: '0' }
  const child = spawn(process.execPath, ['server.mjs'], {
    ...{ cwd: folder, env: cleanEnv(settings), stdio: ['ignore', 'pipe', 'inherit'] },
  })
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', (code) => resolve(code))
  })
  t.teardown(() => child.kill('SIGKILL'))
  const port = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = /^listening on (\d+)$/.exec(line)?.[1]
      if (found !== undefined) resolve(found)
    })
    void ended.then((code) => reject(new Error(`the service ended with ${code}`)))
  })
  const stop = async () => {
    child.kill('SIGTERM')
    return await ended
  }
  return { url: `http://127.0.0.1:${port}`, stop }
}
