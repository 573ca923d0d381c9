/** The product and a browser that shows its console, shared by the tests of a file. */
import type { Page } from 'puppeteer-core'
import { startBrowser, type TestBrowser } from '../../clients/support/browser.ts'
import { allStarted } from '../../support/all-started.ts'
import {
  answered,
  type Product,
  type Settings,
  startStandalone,
} from '../../support/servers/product.ts'
import { comeToRest, faultsOf, type Rules, watchPage } from './faults.ts'
import { answerInPlace, EMPTY_PATH, type Stub } from './stubs.ts'
import { explainWaits } from './waits.ts'

export type View = {
  readonly stubs?: readonly Stub[]
  readonly theme?: 'light' | 'dark'
  readonly width?: number
  /** Nobody is signed in. */
  readonly isStranger?: boolean
}

/**
 * One page of a browser. Who is signed in has one profile a file: what is fetched once, is there for the
 * screens after it, which begin without any choice that the browser keeps.
 */
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
  faults(expected?: RegExp, rules?: Rules): Promise<readonly string[]>
  /** A script that runs before those of each page from now on. Nobody else gets this screen. */
  runBefore(script: string): Promise<void>
  /** Leaves the page. The next signed-in user may see this screen. */
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

/** A test, or another owner of what must end. */
type Owner = { teardown(end: () => unknown): unknown }

export async function startConsole(t: Owner, settings: Settings = {}): Promise<TestConsole> {
  const [product, browser] = await allStarted([startStandalone(t, settings), startBrowser(t)])
  return consoleOf(product, browser)
}

export function consoleOf(
  product: Pick<Product, 'url' | 'projectKey' | 'personalKey'> & Partial<Product>,
  browser: TestBrowser,
): TestConsole {
  const { url, projectKey } = product
  const idle: Screen[] = []
  return {
    product: product as Product,
    url,
    async open(path, { isStranger = false, ...view } = {}) {
      const screen =
        (isStranger ? undefined : idle.pop()) ??
        (await newScreen(product, browser, isStranger ? undefined : idle))
      await screen.show(path, view)
      return screen
    },
    async capture(events) {
      const body = { api_key: projectKey, batch: events }
      const { status } = await answered(`${url}/batch/`, { body })
      if (status !== 200) throw new Error(`the batch was answered ${status}`)
    },
  }
}

/** @param idle takes it when it is left, unless it is no longer as new; undefined for a stranger's. */
async function newScreen(
  { url, personalKey }: Pick<Product, 'url' | 'personalKey'>,
  browser: TestBrowser,
  idle: Screen[] | undefined,
): Promise<Screen> {
  const visitor = await browser.visitor()
  const { page } = visitor
  explainWaits(page)
  if (idle !== undefined) await signIn(page, url, personalKey)
  const kept = await page.createCDPSession()
  let current: readonly Stub[] = []
  await watchPage(page)
  await answerInPlace(page, () => current)
  let isChanged = false
  let isEmpty = true
  const leave = async () => {
    // Requests that the page still waits for are given up, and forgotten with the rest of it.
    if (!isEmpty) await page.goto(url + EMPTY_PATH)
    isEmpty = true
    current = []
    visitor.forget()
  }
  const screen: Screen = {
    page,
    stub: (stubs) => {
      current = stubs
    },
    show: async (path, { stubs = [], ...how }) => {
      await leave()
      current = stubs
      await dress(page, how)
      isEmpty = false
      await page.goto(url + path)
      // The code of the page has come.
      await page.waitForSelector('main h1')
    },
    look: async (how) => {
      await dress(page, how)
      await comeToRest(page)
    },
    faults: (expected, rules) => faultsOf(visitor, url, expected, rules),
    runBefore: async (script) => {
      isChanged = true
      await page.evaluateOnNewDocument(script)
    },
    close: async () => {
      if (idle === undefined || isChanged) return await visitor.close()
      await leave()
      await page.mouse.move(0, 0)
      await kept.send('Storage.clearDataForOrigin', { origin: url, storageTypes: 'local_storage' })
      idle.push(screen)
    },
  }
  return screen
}

async function dress(
  page: Page,
  { theme = 'light', width = 1280 }: Pick<View, 'theme' | 'width'>,
): Promise<void> {
  await page.setViewport({ width, height: 900 })
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }])
}

/** By a personal key, as a user does who types it in. */
async function signIn(page: Page, url: string, personalKey: string): Promise<void> {
  const login = await answered(`${url}/api/login/`, { body: { personal_api_key: personalKey } })
  if (login.status >= 300) throw new Error(`sign-in was answered ${login.status}`)
  const [name = '', value = ''] = (login.headers.get('set-cookie') ?? '').split(/[=;]/)
  await page.setCookie({ name, value, url, httpOnly: true, sameSite: 'Strict' })
}
