import type { BrowserContext, CDPSession, Page } from 'puppeteer-core'

/** A request of the page, as it went over the wire. */
export type WireRequest = {
  readonly method: string
  readonly url: URL
  /** Empty when it has none. */
  readonly contentType: string
  /** The browser's word for what asked: `Fetch`, `XHR`, `Ping` (a beacon), `Script` … */
  readonly initiator: string
  readonly body: Buffer
}

/** A visitor with a browser of its own. */
export type Visitor = {
  readonly page: Page
  /** Every request so far, in order. */
  requests(): Promise<readonly WireRequest[]>
  /** Errors and warnings of the console, failed requests, answers of 400 and above. */
  readonly troubles: readonly string[]
  /** Forgets the requests and troubles so far. */
  forget(): void
  close(): Promise<void>
}

/** Far beyond what a page takes, so that a busy machine is no failure. */
const WAIT_MS = 120_000

export async function openVisitor(context: BrowserContext): Promise<Visitor> {
  const page = await context.newPage()
  page.setDefaultTimeout(WAIT_MS)
  const session = await page.createCDPSession()
  const requests = await recordRequests(session)
  const troubles = recordTroubles(page)
  return {
    page,
    async requests() {
      // The server may have one before this process has heard of it: what answers now comes after.
      await session.send('Runtime.evaluate', { expression: '0' }).catch(() => NOTHING)
      return await Promise.all(requests)
    },
    troubles,
    forget: () => {
      requests.length = 0
      troubles.length = 0
    },
    close: () => context.close(),
  }
}

/** By the protocol itself: the library hides bodies that are blobs. */
async function recordRequests(session: CDPSession): Promise<Promise<WireRequest>[]> {
  const requests: Promise<WireRequest>[] = []
  session.on('Network.requestWillBeSent', ({ request, requestId, type }) => {
    const { method, url, headers, hasPostData } = request
    const known = {
      method,
      url: new URL(url),
      contentType: headers['Content-Type'] ?? headers['content-type'] ?? '',
      initiator: type ?? '',
    }
    const inline = request.postDataEntries?.map(({ bytes = '' }) => Buffer.from(bytes, 'base64'))
    const body =
      hasPostData === true && inline === undefined
        ? bodyOf(session, requestId)
        : Promise.resolve(Buffer.concat(inline ?? []))
    requests.push(body.then((bytes) => ({ ...known, body: bytes })))
  })
  await session.send('Network.enable')
  return requests
}
const NOTHING = Buffer.alloc(0)

async function bodyOf(session: CDPSession, requestId: string): Promise<Buffer> {
  try {
    const answer = await session.send('Network.getRequestPostData', { requestId })
    return Buffer.from(answer.postData, answer.base64Encoded ? 'base64' : 'utf8')
  } catch {
    return NOTHING // The page has left, and its requests with it.
  }
}

function recordTroubles(page: Page): string[] {
  const troubles: string[] = []
  page.on('console', (message) => {
    const kind = message.type()
    if (kind !== 'error' && kind !== 'warn') return
    troubles.push(`console ${kind}: ${message.text()} (${message.location().url ?? ''})`)
  })
  page.on('pageerror', (error) => {
    troubles.push(`uncaught: ${error instanceof Error ? error.message : String(error)}`)
  })
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? ''
    // Answered, and nobody reads the body.
    if (request.response() !== null && why === 'net::ERR_ABORTED') return
    troubles.push(`failed: ${request.method()} ${request.url()} ${why}`)
  })
  page.on('response', (response) => {
    if (response.status() < 400) return
    troubles.push(`${response.status()}: ${response.request().method()} ${response.url()}`)
  })
  return troubles
}
