import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { packageRoot } from '../../src/core/package-root.ts'
import { startFreshClone } from './samples/fresh-clone.ts'
import { readSamples } from './samples/read-samples.ts'
import { runOnOtherPage } from './samples/run-in-browser.ts'
import { runModule, runSamples } from './samples/run-samples.ts'
import { startBrowser } from './support/browser.ts'

/** Every sample of the documents, run as it stands there, in the order of a reader. */

const DOCUMENTS = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...markdownOf('docs'),
  ...markdownOf('deploy'),
  ...markdownOf('examples'),
  ...readdirSync(join(packageRoot, 'examples', 'plugins')).flatMap((each) =>
    markdownOf(join('examples', 'plugins', each)),
  ),
]
const START = 'npm start'

function markdownOf(folder: string): readonly string[] {
  const files = readdirSync(join(packageRoot, folder)).filter((name) => name.endsWith('.md'))
  return files.sort().map((name) => join(folder, name))
}

t.test('every sample is run, or says why it is not', async (t) => {
  for (const document of DOCUMENTS) {
    for (const { place, how } of readSamples(document)) {
      if (how.kind === 'not_run') t.comment(`${place} is not run: ${how.reason}`)
      else t.pass(`${place}: ${how.kind}`)
    }
  }
})

t.test('samples do what the documents say', async (t) => {
  const [first, ...more] = readSamples('README.md')
  t.same([first?.how.kind, first?.code], ['start', START], 'the README begins with a start')
  t.same(
    more.slice(0, 2).map(({ how }) => how.kind),
    ['elsewhere', 'shell'],
    'then come the page, and the shell',
  )
  const browser = await startBrowser(t)
  const { origin } = new URL(browser.pages.show('/', ''))
  const clone = await startFreshClone(t, START, { API_CORS_ORIGINS: origin })

  await t.test('gRPC, in a project without flags', async (t) => {
    const sample = readSamples('docs/CALLING.md').find(({ code }) => code.includes('@grpc/grpc-js'))
    t.equal(await runModule(clone, clone.ours(sample?.code ?? '')), '[]\n')
  })
  for (const document of DOCUMENTS) {
    const samples = readSamples(document)
    if (samples.every(({ how }) => how.kind === 'not_run' || how.kind === 'elsewhere')) continue
    await t.test(document, async (t) => {
      await runSamples({ clone, browser }, samples)
      t.pass('each of them')
    })
  }
  await t.test('a page of an origin that was not named calls nothing', async (t) => {
    const sample = readSamples('docs/CALLING.md').find(({ how }) => how.kind === 'browser')
    const code = clone.ours(sample?.code ?? '')
    t.match(await runOnOtherPage({ clone, browser }, code, 'localhost'), /Failed to fetch$/)
  })
  await t.test('it stops by SIGTERM, and has told nobody the personal key', async (t) => {
    t.equal(await clone.stop(), 0)
    t.match(clone.log.at(-1), /"message":"stopped"/)
    t.notOk(clone.log.some((line) => line.includes(clone.keys.personal)))
  })
})
