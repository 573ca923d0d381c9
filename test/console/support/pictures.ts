/**
 * Pictures of pages, to look at: `node --import=tsx test/console/support/pictures.ts FOLDER PATH…`
 * writes each page in light, in dark and 360 px wide. It starts a product with some events of its
 * own; CONSOLE_URL and CONSOLE_KEY name one that runs already. `PICTURES=docs` makes the small ones of
 * `docs/console`, in light and dark: after `sluice demo` on a server of its own.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startBrowser } from '../../clients/support/browser.ts'
import { startStandalone } from '../../support/servers/product.ts'
import { consoleOf } from './console.ts'
import { sampleEvents } from './sample.ts'

const VIEWS = [
  { name: 'light', view: { theme: 'light', width: 1280 } },
  { name: 'dark', view: { theme: 'dark', width: 1280 } },
  { name: '360', view: { theme: 'light', width: 360 } },
] as const

const isForDocs = process.env['PICTURES'] === 'docs'
const [folder = 'pictures', ...paths] = process.argv.slice(2)
mkdirSync(folder, { recursive: true })
const ends: (() => unknown)[] = []
// Everything that a test ends by itself ends here when all pictures are taken.
const owner = { teardown: (end: () => unknown) => void ends.unshift(end) }
try {
  const running = process.env['CONSOLE_URL']
  const product =
    running === undefined
      ? await startStandalone(owner)
      : { url: running, projectKey: '', personalKey: process.env['CONSOLE_KEY'] ?? '' }
  const browser = await startBrowser(owner, Promise.resolve(owner))
  const shown = consoleOf(product, browser)
  if (running === undefined) await shown.capture(sampleEvents())
  for (const asked of paths) {
    for (const { name, view } of VIEWS) {
      if (isForDocs && view.width < 1000) continue
      const screen = await shown.open(asked, view)
      await screen.page.waitForNetworkIdle({ idleTime: 400, timeout: 10_000 }).catch(() => {
        // A page with a stream is never idle.
      })
      const file = `${asked.replace(/^\/project\/\d+\/?/, '').replace(/[^\w-]+/g, '-') || 'home'}`
      const path = join(folder, `${file}-${name}`)
      await screen.page.screenshot(
        isForDocs ? { path: `${path}.webp`, quality: 60 } : { path: `${path}.png` },
      )
      const faults = await screen.faults()
      process.stdout.write(`${file} ${name}: ${faults.join('\n  ') || 'no faults'}\n`)
      await screen.close()
    }
  }
} finally {
  for (const end of ends) await end()
}
