/** The product and a browser that shows its console, shared by the tests of a file. */
import type { Page } from 'puppeteer-core'
import type { Test } from 'tap'
import { startBrowser, type TestBrowser } from '../../clients/support/browser.ts'
import {
  type Product,
  request,
  type Settings,
  startStandalone,
} from '../../support/servers/product.ts'
import { faultsOf, watchPage } from './faults.ts'
import { answerInPlace, type Stub } from './stubs.ts'

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
  /** Goes to another address, as if it were opened now. Who is signed in stays so. */
  show(path: string, view: Omit<View, 'isStranger'>): Promise<void>
  /** Changes how the page is seen, in place. Resolves when its colours and sizes are at rest. */
  look(how: Pick<View, 'theme' | 'width'>): Promise<void>
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
  { isStranger = false, ...first }: View,
): Promise<Screen> {
  const visitor = await browser.visitor()
  const { page } = visitor
  if (!isStranger) await signIn(page, url, personalKey)
  let current: readonly Stub[] = []
  const stub = (stubs: readonly Stub[]) => {
    current = stubs
  }
  const show = async (next: string, { stubs = [], ...how }: View) => {
    stub(stubs)
    await dress(page, how)
    await page.goto(url + next)
    // The code of the page has come.
    await page.waitForSelector('main h1')
  }
  await watchPage(page)
  await answerInPlace(page, () => current)
  await show(path, first)
  return {
    page,
    stub,
    show: async (next, view) => {
      // What the page before still waits for is given up, and forgotten with the rest of it.
      await page.goto('about:blank')
      visitor.forget()
      await show(next, view)
    },
    look: async (how) => {
      await dress(page, how)
      await page.evaluate(AT_REST)
    },
    faults: (expected) => faultsOf(visitor, url, expected),
    close: () => visitor.close(),
  }
}

/** The page is laid out anew, and what moves only once has stopped. */
const AT_REST = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  .then(() => Promise.all(
    document.getAnimations()
      .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
      .map(({ finished }) => finished.catch(() => 'it was cut off')),
  ))
  .then(() => undefined)`

async function dress(
  page: Page,
  { theme = 'light', width = 1280 }: Pick<View, 'theme' | 'width'>,
): Promise<void> {
  await page.setViewport({ width, height: 900 })
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }])
}

/** By a personal key, as a user does who types it in. */
async function signIn(page: Page, url: string, personalKey: string): Promise<void> {
  const answered = await request(`${url}/api/login/`, { body: { personal_api_key: personalKey } })
  if (answered.status >= 300) throw new Error(`sign-in was answered ${answered.status}`)
  const [name = '', value = ''] = (answered.headers.get('set-cookie') ?? '').split(/[=;]/)
  await page.setCookie({ name, value, url, httpOnly: true, sameSite: 'Strict' })
}
