import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import puppeteer, { type Browser, type BrowserContext } from 'puppeteer-core'
import { ofProcess } from '../../support/of-process.ts'
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

/** The browsers of this process, by their programs. */
const running = new Map<string, Promise<Browser>>()

/** The browser of this process, which `whole` ends after its last test; visitors leave after `t`. */
export async function startBrowser(t: Owner, whole = ofProcess()): Promise<TestBrowser> {
  const program = chromiumPath()
  const launched = running.get(program) ?? launchFor(whole, program)
  running.set(program, launched)
  const browser = await launched
  const pages = await startPageServer()
  t.teardown(() => pages.close())
  const contexts = new Set<BrowserContext>()
  t.teardown(() => Promise.all([...contexts].map((context) => context.close())))
  return {
    pages,
    async visitor() {
      const context = await browser.createBrowserContext()
      contexts.add(context)
      const visitor = await openVisitor(context)
      const close = async () => {
        contexts.delete(context)
        await visitor.close()
      }
      return { ...visitor, close }
    },
  }
}

async function launchFor(whole: Promise<Owner>, program: string): Promise<Browser> {
  const owner = await whole
  const home = mkdtempSync(join(tmpdir(), 'sluice-browser-'))
  owner.teardown(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }))
  const browser = await launch(program, home)
  owner.teardown(() => browser.close())
  return browser
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
async function launch(program: string, home: string): Promise<Browser> {
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
    args: ['-i', ...settings, program, ...chosen],
    // The process ends it itself, and may not be left with another's listeners.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  })
}
