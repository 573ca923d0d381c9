/** Answers that a test gives in place of the server. */
import type { CDPSession, Page, Protocol } from 'puppeteer-core'
import { pause } from '../../support/until.ts'

/** How a page looks when a call fails, is slow, or is answered as a test wants. */
export type Stub = {
  readonly method?: string
  /** Path with its query. */
  readonly path: RegExp
  readonly status?: number
  /** Sent as JSON. Without a status and a body the server answers, after the wait. */
  readonly body?: unknown
  /** Sent as it is, in place of `body`: the page of a proxy. */
  readonly html?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Gate that the answer waits for. */
  readonly after?: Promise<unknown>
}

/** A gate that keeps an answer until the test opens it. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}

/** Requests of pages. Their files come from the server, without a word to the test. */
const CALLS = ['*/api/*', '*/i/v0/e/*']

/**
 * A page with nothing on it, at the server's own address. Unlike `about:blank` it belongs to the site: the
 * browser keeps the process, and with it what it has compiled, for the page after it.
 */
export const EMPTY_PATH = '/empty-page-of-the-tests'
const EMPTY_PAGE = '<!doctype html><title>empty</title><link rel="icon" href="data:,">'

/**
 * Up to so many milliseconds does each answer come later, as over a bad line: what a page shows
 * meanwhile is seen by tests that do not wait for what they mean. `npm run test:stress` sets it.
 */
const DELAY_MS = Number(process.env['CONSOLE_DELAY_MS'] ?? 0)

/** @param stubs those that hold now; the first that fits answers. */
export async function answerInPlace(page: Page, stubs: () => readonly Stub[]): Promise<void> {
  const session = await page.createCDPSession()
  session.on('Fetch.requestPaused', (asked) => void answer(session, asked, stubs()))
  const patterns = [...CALLS, `*${EMPTY_PATH}`].map((urlPattern) => ({ urlPattern }))
  await session.send('Fetch.enable', { patterns })
}

async function answer(
  session: CDPSession,
  { requestId, request }: Protocol.Fetch.RequestPausedEvent,
  stubs: readonly Stub[],
): Promise<void> {
  const { pathname, search } = new URL(request.url)
  if (pathname === EMPTY_PATH) return await answerEmpty(session, requestId)
  const stub = stubs.find(
    ({ method, path }) =>
      path.test(pathname + search) && (method === undefined || method === request.method),
  )
  await stub?.after
  if (DELAY_MS > 0) await pause(Math.random() * DELAY_MS)
  const reply =
    stub === undefined || (stub.status === undefined && stub.body === undefined)
      ? session.send('Fetch.continueRequest', { requestId })
      : session.send('Fetch.fulfillRequest', {
          requestId,
          responseCode: stub.status ?? 200,
          responseHeaders: headersOf({ 'content-type': typeOf(stub), ...stub.headers }),
          body: Buffer.from(stub.html ?? JSON.stringify(stub.body ?? {})).toString('base64'),
        })
  await reply.catch(() => {
    // The page may have been left meanwhile, and its requests with it.
  })
}

function typeOf({ html }: Stub): string {
  return html === undefined ? 'application/json' : 'text/html'
}

async function answerEmpty(session: CDPSession, requestId: string): Promise<void> {
  await session.send('Fetch.fulfillRequest', {
    requestId,
    responseCode: 200,
    responseHeaders: headersOf({ 'content-type': 'text/html' }),
    body: Buffer.from(EMPTY_PAGE).toString('base64'),
  })
}

function headersOf(named: Readonly<Record<string, string>>): Protocol.Fetch.HeaderEntry[] {
  return Object.entries(named).map(([name, value]) => ({ name, value }))
}
