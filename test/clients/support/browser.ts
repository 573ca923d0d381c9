import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import puppeteer, { type Browser } from 'puppeteer-core'
import { chromiumPath } from './chromium.ts'
import { type PageServer, startPageServer } from './page-server.ts'
import { openVisitor, type Visitor } from './visitor.ts'

/** A real browser, and the server of the pages that it is shown. */
export type TestBrowser = {
  readonly pages: PageServer
  /** A new visitor: no cookies, nothing stored. */
  visitor(): Promise<Visitor>
}

/** A test, or another owner of what must end. */
type Owner = { teardown(end: () => unknown): unknown }

/** Ended after the test, with its profile. */
export async function startBrowser(t: Owner): Promise<TestBrowser> {
  const home = mkdtempSync(join(tmpdir(), 'sluice-browser-'))
  t.teardown(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }))
  const pages = await startPageServer()
  t.teardown(() => pages.close())
  const browser = await launch(home)
  t.teardown(() => browser.close())
  return {
    pages,
    visitor: async () => await openVisitor(await browser.createBrowserContext()),
  }
}

const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) ' +
  'Chrome/150.0.0.0 Safari/537.36'

/**
 * Windows have a field for addresses, and these are pages of its own that each window makes for what the
 * field may suggest: half of what it costs to open one, and nobody types there.
 */
const NO_SUGGESTIONS = 'WebUIOmniboxPopup,WebUIOmniboxAimPopup'

/** Nothing of this process's settings reaches it: `env -i` clears them and becomes the browser. */
async function launch(home: string): Promise<Browser> {
  const usual = puppeteer.defaultArgs({
    browser: 'chrome',
    headless: true,
    userDataDir: join(home, 'profile'),
    args: [
      // It refuses to run as root and in most containers; the pages are our own.
      '--no-sandbox',
      // Libraries drop events of robots, and these are how they know one. Not by the protocol: a
      // page that is left forgets what it was told.
      '--disable-blink-features=AutomationControlled',
      '--disable-gpu',
      `--user-agent=${USER_AGENT}`,
    ],
  })
  // A browser would take the last alone of two such lists.
  const chosen = usual.map((each) =>
    each.startsWith('--disable-features=') ? `${each},${NO_SUGGESTIONS}` : each,
  )
  const settings = [`PATH=${process.env['PATH'] ?? ''}`, `HOME=${home}`, `TMPDIR=${home}`]
  return await puppeteer.launch({
    executablePath: '/usr/bin/env',
    ignoreDefaultArgs: true,
    args: ['-i', ...settings, chromiumPath(), ...chosen],
  })
}
