/** How long a page with posthog-js waits for its first flag, measured in Chromium. */
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'puppeteer-core'
import { packageRoot } from '../../src/core/package-root.ts'
import { startChromium } from '../load/machine/chromium.ts'
import type { Product } from '../load/machine/product.ts'
import { ensureFlags, isManaged } from '../load/workload/management-api.ts'

export type BrowserOptions = {
  readonly loads: number
  readonly signal: AbortSignal
  /** Prints one object as a line. */
  write(row: object): void
}

/** Times that the page records, in milliseconds from the start of its navigation. */
type Noted = {
  readonly firstFlagMs: number
  /** Requests to the product that had ended by then. */
  readonly requests: readonly {
    readonly path: string
    readonly startMs: number
    readonly endMs: number
  }[]
}

const FLAGS = 20
const FLAG = 'bench-flag-1'
const LOAD_MS_MAX = 30_000

/** Opens a page as a first-time visitor. */
type Visit = (url: string) => Promise<Noted>

/**
 * Measures the time from the start of a navigation to the first `onFeatureFlags` with a value, with
 * nothing cached or stored. For comparison it measures the same page with a fetch of a fixed list
 * instead of the library. Both are measured in an open tab and in a new profile, where the browser
 * starts a process first.
 */
export async function measureBrowser(product: Product, options: BrowserOptions): Promise<void> {
  const [project] = product.projects
  if (project === undefined || !isManaged(project)) throw new Error('no project')
  await ensureFlags(product.url, project, FLAGS)
  const pages = await servePages(product.url, project.apiKey)
  const { browser, close } = await startChromium()
  const { write } = options
  try {
    write({ browser: await browser.version(), posthogJs: newestVersion(), flags: FLAGS })
    const visits = { 'open tab': await inOneTab(browser), 'new profile': inNewProfiles(browser) }
    for (const [where, visit] of Object.entries(visits)) {
      const named = (row: object) => {
        const text = JSON.stringify({ where, ...row }).replaceAll(project.apiKey, '<key>')
        write(JSON.parse(text) as object)
      }
      await measureVisits(pages.url, visit, { ...options, write: named })
    }
  } finally {
    await close()
    pages.server.closeAllConnections()
    pages.server.close()
  }
}

async function measureVisits(
  pages: string,
  visit: Visit,
  { loads, signal, write }: BrowserOptions,
): Promise<void> {
  const flagMs: number[] = []
  const answerMs: number[] = []
  const fixedMs: number[] = []
  const requests: Noted['requests'][number][] = []
  // The first visit of each kind starts parts of the browser, and is not counted.
  for (let load = 0; load <= loads; load++) {
    signal.throwIfAborted()
    const fixed = await visit(`${pages}/fixed`)
    const noted = await visit(`${pages}/flags`)
    if (load === 0) continue
    fixedMs.push(fixed.firstFlagMs)
    flagMs.push(noted.firstFlagMs)
    answerMs.push(coveredMs(noted.requests))
    requests.push(...noted.requests)
  }
  write({ page: 'first flag, ms', ...figures(flagMs) })
  write({ page: 'of which waiting for the product, ms', ...figures(answerMs) })
  for (const path of new Set(requests.map((each) => each.path))) {
    const times = requests.filter((each) => each.path === path)
    write({ request: path, ...figures(times.map(({ startMs, endMs }) => endMs - startMs)) })
  }
  write({ page: 'fixed list in place of the library, ms', ...figures(fixedMs) })
}

/** Serves the pages, the library and the list from one more origin, which forbids caching. */
async function servePages(host: string, key: string): Promise<{ url: string; server: Server }> {
  const script = readFileSync(libraryPath())
  const list = JSON.stringify(
    Object.fromEntries(Array.from({ length: FLAGS }, (_, index) => [`bench-flag-${index}`, true])),
  )
  const files: Readonly<Record<string, readonly [string, string | Buffer]>> = {
    '/flags': ['text/html', page(FLAGS_SCRIPT(host, key))],
    '/fixed': ['text/html', page(FIXED_SCRIPT)],
    '/array.js': ['text/javascript', script],
    '/list.json': ['application/json', list],
  }
  const server = createServer((request, response) => {
    const [type, body] = files[request.url ?? ''] ?? ['text/plain', undefined]
    response.writeHead(body === undefined ? 404 : 200, {
      'content-type': `${type}; charset=utf-8`,
      'cache-control': 'no-store',
    })
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, server }
}

function page(script: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Bench</title>
<script>;(${STUB})()</script><script src="/array.js"></script>
<script>${script}</script></head><body>Bench</body></html>`
}
/** The stub that the HTML snippet leaves for the library. */
const STUB = `() => {
  const posthog = (window.posthog = [])
  posthog.__SV = 1
  posthog._i = []
  posthog.people = []
}`
const NOTE = `window.note = (host) => {
  const firstFlagMs = performance.now()
  const requests = performance.getEntriesByType('resource')
    .filter((entry) => host !== '' && entry.name.startsWith(host))
    .map((entry) => ({
      path: new URL(entry.name).pathname,
      startMs: entry.startTime,
      endMs: entry.responseEnd,
    }))
  window.noted ??= { firstFlagMs, requests }
}`
const FIXED_SCRIPT = `${NOTE}
fetch('/list.json').then((answer) => answer.json()).then(() => window.note(''))`
const FLAGS_SCRIPT = (host: string, key: string) => `${NOTE}
posthog.init('${key}', { api_host: '${host}' })
posthog.onFeatureFlags(() => {
  if (posthog.getFeatureFlag('${FLAG}') !== undefined) window.note('${host}')
})`

function inNewProfiles(browser: Browser): Visit {
  return async (url) => {
    const context = await browser.createBrowserContext()
    try {
      return await load(await openTab(browser, context), url)
    } finally {
      await context.close()
    }
  }
}

/** Clears the storage and the cache before each visit. */
async function inOneTab(browser: Browser): Promise<Visit> {
  const tab = await openTab(browser, await browser.createBrowserContext())
  const session = await tab.createCDPSession()
  return async (url) => {
    const { origin } = new URL(url)
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
    await session.send('Network.clearBrowserCache')
    return await load(tab, url)
  }
}

async function openTab(browser: Browser, context: BrowserContext): Promise<Page> {
  const tab = await context.newPage()
  // Libraries detect robots by this word, and do less work for them.
  await tab.setUserAgent({ userAgent: (await browser.userAgent()).replace('Headless', '') })
  return tab
}

async function load(tab: Page, url: string): Promise<Noted> {
  await tab.goto(url)
  const noted = await tab.waitForFunction('window.noted', { timeout: LOAD_MS_MAX })
  return (await noted.jsonValue()) as Noted
}

/** Length of the union: what ran at the same time counts once. */
function coveredMs(requests: Noted['requests']): number {
  let covered = 0
  let end = 0
  for (const { startMs, endMs } of [...requests].sort((a, b) => a.startMs - b.startMs)) {
    covered += Math.max(0, endMs - Math.max(end, startMs))
    end = Math.max(end, endMs)
  }
  return covered
}

function figures(ms: readonly number[]): object {
  const sorted = [...ms].sort((a, b) => a - b)
  const at = (share: number) => {
    const value = sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN
    return Math.round(value * 10) / 10
  }
  return { count: sorted.length, median: at(0.5), p95: at(0.95), max: at(1) }
}

function newestVersion(): string {
  const listed = readFileSync(join(packageRoot, 'test', 'clients', 'browser.json'), 'utf8')
  const { newest } = JSON.parse(listed) as { newest: Readonly<Record<string, string>> }
  const name = Object.keys(newest).find((each) => each.startsWith('posthog-js@'))
  return name?.slice('posthog-js@'.length) ?? 'unknown'
}

function libraryPath(): string {
  const cache = join(packageRoot, 'node_modules', '.cache', 'sluice', 'clients', 'browser')
  const path = join(cache, `posthog-js@${newestVersion()}`, 'dist', 'array.js')
  if (existsSync(path)) return path
  throw new Error('posthog-js is not installed: run npm test or npm run test:clients first')
}
