/** Message of a wait for something on a page that was in vain. */
import type { Page } from 'puppeteer-core'

/** State of the page, besides the selector or function that was waited for. */
const SHOWN_CHARS = 300
const ASKED_CHARS = 200
const LOOK_MS = 5_000

/** Calls that need something on the page: the first argument says what. */
const WAITS = [
  ...['waitForSelector', 'waitForFunction', 'waitForRequest', 'waitForResponse'],
  ...['$eval', 'click', 'focus', 'hover', 'select', 'type'],
] as const

type Call = (...given: readonly unknown[]) => Promise<unknown>

/** From now on each wait of `page` that fails says what for, where it stands, and what is on the page. */
export function explainWaits(page: Page): void {
  for (const name of WAITS) {
    const wait = (page as unknown as Readonly<Record<string, Call>>)[name]?.bind(page)
    if (wait === undefined) throw new Error(`a page has no ${name}`)
    const explained: Call = async (...given) => {
      // The library throws from a timer, which knows nothing of the test.
      const { stack = '' } = new Error('here')
      try {
        return await wait(...given)
      } catch (error) {
        const what = `${name}(${askedOf(given[0])})`
        throw failure(what, error, stack, await shownOn(page))
      }
    }
    Object.defineProperty(page, name, { value: explained })
  }
}

function failure(what: string, error: unknown, stack: string, shown: string): Error {
  // The cause says how long it was waited.
  const { message, cause } = error instanceof Error ? error : new Error(String(error))
  const why = cause instanceof Error ? cause.message : message
  const failed = new Error(`${what}: ${oneLine(why, ASKED_CHARS)}. On the page: ${shown}`)
  failed.stack = [`Error: ${failed.message}`, ...stack.split('\n').slice(2)].join('\n')
  return failed
}

function askedOf(given: unknown): string {
  return oneLine(String(given), ASKED_CHARS)
}

/** The address and the words of a page; what is the matter where it does not answer. */
async function shownOn(page: Page): Promise<string> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('no answer'), LOOK_MS)
  })
  const words = page
    .evaluate(
      '(document.querySelector("dialog[open]") ?? document.querySelector("main") ?? document.body).innerText',
    )
    .catch((error: unknown) => `nothing can be read: ${String(error)}`)
  const text = await Promise.race([words, silence])
  clearTimeout(timer)
  return `${page.url()} says "${oneLine(String(text), SHOWN_CHARS)}"`
}

function oneLine(text: string, max: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > max ? `${line.slice(0, max)}…` : line
}
