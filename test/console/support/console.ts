/** The product and a browser that shows its console, shared by the tests of a file. */
import type { HTTPRequest, Page } from 'puppeteer-core'
import type { Test } from 'tap'
import { startBrowser, type TestBrowser } from '../../clients/support/browser.ts'
import {
  type Product,
  request,
  type Settings,
  startStandalone,
} from '../../support/servers/product.ts'
import { faultsOf, watchPage } from './faults.ts'

/** What a test answers in place of the server: how a page looks when a call fails or is slow. */
export type Stub = {
  readonly method?: string
  /** Of the path with its query. */
  readonly path: RegExp
  readonly status?: number
  /** Sent as JSON. Without a status and a body the server answers, after the wait. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** What the answer waits for. */
  readonly after?: Promise<unknown>
}

export type View = {
  readonly stubs?: readonly Stub[]
  readonly theme?: 'light' | 'dark'
  readonly width?: number
  /** Nobody is signed in. */
  readonly isStranger?: boolean
}

/** One page in a browser of its own. */
export type Screen = {
  readonly page: Page
  /** Replaces what is answered in place of the server. */
  stub(stubs: readonly Stub[]): void
  /**
   * Everything that is wrong with what is on screen: axe-core, the console, refusals of the policy,
   * requests to others, sideways scroll. @param expected faults that the test means to cause.
   */
  faults(expected?: RegExp): Promise<readonly string[]>
  close(): Promise<void>
}

export type TestConsole = {
  readonly product: Product
  readonly url: string
  /** Opens an address of the console and waits until the page stands. */
  open(path: string, view?: View): Promise<Screen>
  /** Sends events of the project, and waits until they are stored. */
  capture(events: readonly object[]): Promise<void>
}

export async function startConsole(t: Test, settings: Settings = {}): Promise<TestConsole> {
  const [product, browser] = await Promise.all([startStandalone(t, settings), startBrowser(t)])
  return consoleOf(product, browser)
}

export function consoleOf(
  product: Pick<Product, 'url' | 'projectKey' | 'personalKey'> & Partial<Product>,
  browser: TestBrowser,
): TestConsole {
  const { url, projectKey } = product
  return {
    product: product as Product,
    url,
    open: (path, view = {}) => openScreen(product, browser, path, view),
    async capture(events) {
      const body = { api_key: projectKey, batch: events }
      const { status } = await request(`${url}/batch/`, { body })
      if (status !== 200) throw new Error(`the batch was answered ${status}`)
    },
  }
}

async function openScreen(
  { url, personalKey }: Pick<Product, 'url' | 'personalKey'>,
  browser: TestBrowser,
  path: string,
  { stubs = [], theme = 'light', width = 1280, isStranger = false }: View,
): Promise<Screen> {
  const visitor = await browser.visitor()
  const { page } = visitor
  const bearer = isStranger ? undefined : await signIn(page, url, personalKey)
  let current = isStranger && bearer === undefined ? [...stubs, STRANGER] : stubs
  await watchPage(page)
  await page.setViewport({ width, height: 900 })
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }])
  await page.setRequestInterception(true)
  page.on('request', (asked) => void answer(asked, current, bearer))
  await page.goto(url + path)
  // The code of the page has come.
  await page.waitForSelector('main h1')
  return {
    page,
    stub: (next) => {
      current = next
    },
    faults: (expected) => faultsOf(visitor, url, expected),
    close: () => visitor.close(),
  }
}

/**
 * By a personal key, as a user does who types it in.
 * @returns a key that goes with each call in place of a cookie, where the server has no sessions.
 */
async function signIn(page: Page, url: string, personalKey: string): Promise<string | undefined> {
  const answered = await request(`${url}/api/login/`, { body: { personal_api_key: personalKey } })
  if (answered.status === 404) return personalKey
  if (answered.status >= 300) throw new Error(`sign-in was answered ${answered.status}`)
  const [name = '', value = ''] = (answered.headers.get('set-cookie') ?? '').split(/[=;]/)
  await page.setCookie({ name, value, url, httpOnly: true, sameSite: 'Strict' })
  return undefined
}

async function answer(
  asked: HTTPRequest,
  stubs: readonly Stub[],
  bearer: string | undefined,
): Promise<void> {
  const { pathname, search } = new URL(asked.url())
  const all = bearer === undefined ? stubs : [...stubs, SIGNED_IN]
  const headers =
    bearer === undefined
      ? asked.headers()
      : { ...asked.headers(), authorization: `Bearer ${bearer}` }
  const stub = all.find(
    ({ method, path }) =>
      path.test(pathname + search) && (method === undefined || method === asked.method()),
  )
  if (stub === undefined) return await asked.continue({ headers })
  await stub.after
  // The page may have been left meanwhile, and its requests with it.
  if (stub.status === undefined && stub.body === undefined) {
    return await asked.continue({ headers }).catch(ended)
  }
  const reply = {
    status: stub.status ?? 200,
    contentType: 'application/json',
    headers: { ...stub.headers },
    body: JSON.stringify(stub.body ?? {}),
  }
  await asked.respond(reply).catch(ended)
}

function ended(): void {}

const USER = { id: 1, email: 'owner@example.com', first_name: 'Ada', is_staff: true }
const SESSION = { project_id: 1, scopes: null, expires_at: '2030-01-01T00:00:00Z' }

/** In place of sessions, where the server has none. */
const SIGNED_IN: Stub = {
  path: /^\/api\/session\//,
  body: { user: USER, ...SESSION, csrf_token: 'token' },
}
const STRANGER: Stub = { path: /^\/api\/session\//, body: { user: null } }
