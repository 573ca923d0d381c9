import { gunzipSync } from 'node:zlib'
import lzString from 'lz-string'
import type { Test } from 'tap'
import { clientNamed } from '../catalogue.ts'
import type { TestBrowser } from './browser.ts'
import { until } from './observed.ts'
import { type DrivenPage, modulePage, modulePath, openPage } from './page.ts'
import { snippetFor } from './snippet.ts'
import type { WireRequest } from './visitor.ts'
import type { Stored, World } from './world.ts'

export const posthogJs = clientNamed('posthog-js')

export type PageOptions = {
  readonly version: string
  /** `script`: by the HTML snippet and `dist/array.js`; `module`: imported. */
  readonly as?: 'script' | 'module'
  /** Options of `posthog.init`. */
  readonly init?: object
  /** In place of the version's bundle. */
  readonly script?: string
}

const IS_READY = 'window.posthog?.__loaded === true'

/** Opens a page that loads that version as users load it, and initialises it. */
export async function openPosthogPage(
  browser: TestBrowser,
  world: World,
  { version, as = 'script', init = {}, script = '' }: PageOptions,
): Promise<DrivenPage> {
  const { product } = world
  const { libraryPath } = browser.pages
  const options = JSON.stringify({ api_host: product.url, ...init })
  const driver = 'posthog-js.mjs'
  if (as === 'module') {
    const map = posthogModules(browser, version)
    const start = `import posthog from '${posthogJs.name}'
      window.posthog = posthog
      posthog.init('${product.projectKey}', ${options})`
    return await openPage(browser, modulePage(map, start), driver, IS_READY)
  }
  const bundle = libraryPath(posthogJs.name, version, 'dist/array.js')
  const html = replaced(snippetFor(world, 'posthog-js.html'), [
    [SCRIPT_IN_SNIPPET, `'${script || bundle}'`],
    [`{ api_host: '${product.url}' }`, options],
  ])
  return await openPage(browser, html, driver, IS_READY)
}
// biome-ignore lint/suspicious/noTemplateCurlyInString: it stands so in the snippet.
const SCRIPT_IN_SNIPPET = '`${options.api_host}/static/array.js`'

/**
 * The `$autocapture` of a click on the page's button. Clicks are captured once the library has been
 * told so, which it says to nobody; too many of them it takes for rage.
 */
export async function clickUntilCaptured(
  t: Test,
  world: World,
  { url, visitor }: DrivenPage,
): Promise<Stored | undefined> {
  const here = { key: '$current_url', value: url, operator: 'exact', type: 'event' }
  const properties = JSON.stringify([here])
  let clickedAt = 0
  let click: Stored | undefined
  await until(t, 'a click is captured', async () => {
    if (Date.now() - clickedAt > CLICK_EVERY_MS) {
      clickedAt = Date.now()
      await visitor.page.click('#buy')
    }
    click = (await world.events('$autocapture', { properties }))[0]
    return click !== undefined
  })
  return click
}
const CLICK_EVERY_MS = 2_000

/** For `modulePage`. */
export function posthogModules(
  { pages }: TestBrowser,
  version: string,
): Readonly<Record<string, string>> {
  const { name } = posthogJs
  return { [name]: pages.libraryPath(name, version, modulePath(posthogJs, version)) }
}

function replaced(text: string, changes: readonly (readonly [string, string])[]): string {
  for (const [from, to] of changes) {
    if (!text.includes(from)) throw new Error(`the snippet does not hold ${from}`)
    text = text.replace(from, () => to)
  }
  return text
}

/** Whether `version` is at least `since`; both of the first major. */
export function isSince(version: string, since: `1.${number}`): boolean {
  return Number(version.split('.')[1]) >= Number(since.split('.')[1])
}

/** How a request is packed, in the library's words; `json`: not at all. */
export type Form = 'base64' | 'lz64' | 'gzip-js' | 'json'

export function unpack({ body }: WireRequest): { readonly form: Form; readonly text: string } {
  if (body[0] === 0x1f) return { form: 'gzip-js', text: gunzipSync(body).toString('utf8') }
  const text = body.toString('utf8')
  if (text.startsWith('[') || text.startsWith('{')) return { form: 'json', text }
  const fields = new URLSearchParams(text)
  const data = fields.get('data') ?? ''
  if (fields.get('compression') === 'lz64') {
    return { form: 'lz64', text: lzString.decompressFromBase64(data) }
  }
  return { form: 'base64', text: Buffer.from(data, 'base64').toString('utf8') }
}

/** Requests of the page about flags, in order. */
export function flagQuestions(
  requests: readonly WireRequest[],
): readonly Readonly<Record<string, unknown>>[] {
  return requests
    .filter(({ url, method }) => method === 'POST' && /^\/(?:decide|flags)\//.test(url.pathname))
    .map((request) => JSON.parse(unpack(request).text))
}
