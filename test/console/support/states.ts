/** The states of a page, one after the other in one browser. */
import type { Test } from 'tap'
import type { Screen, TestConsole, View } from './console.ts'

/** How a page comes into a state, and what shows that it is in it. */
export type State = Omit<View, 'isStranger'> & {
  /** A selector. */
  readonly shows: string
  /** Faults that the state means to cause. */
  readonly may?: RegExp
  /** The page is looked at in the dark and 360 px wide too. */
  readonly isSeenInAllLooks?: boolean
}

export type States = Readonly<Record<string, State>>

const LOOKS = [
  { name: 'dark', rules: 'colours', theme: 'dark', width: 1280 },
  { name: '360 px', rules: 'layout', theme: 'light', width: 360 },
] as const

/** A promise that never resolves. */
export const NEVER = new Promise(() => undefined)

/** A page with its data, while a call is slow, and when it fails. @param waiting a selector. */
export function usualStates(call: RegExp, shows: string, waiting = '.skeleton'): States {
  return {
    data: { shows, isSeenInAllLooks: true },
    slow: { shows: waiting, stubs: [{ path: call, after: NEVER }] },
    ...failures(call),
  }
}

/** A call fails, by a defect and by its key. */
export function failures(call: RegExp, shows = '.failure'): States {
  return {
    'error 500': failing(call, 500, shows),
    'error 403': failing(call, 403, shows),
  }
}

export function failing(path: RegExp, status: 403 | 500, shows = '.failure'): State {
  const code = status === 500 ? 'internal' : 'permission_denied'
  const body = { type: 'server_error', code, detail: 'A word of the server.', attr: null }
  return { shows, may: new RegExp(`${status}`), stubs: [{ path, status, body }] }
}

/** A page's address and states. */
export type PageStates = readonly [path: string, states: States]

/** Nothing is wrong with the pages in any of their states. */
export async function checkStates(
  t: Test,
  console: TestConsole,
  pages: readonly PageStates[],
): Promise<void> {
  let screen: Screen | undefined
  for (const [path, states] of pages) {
    for (const [name, { shows, may, isSeenInAllLooks = false, ...view }] of Object.entries(
      states,
    )) {
      await t.test(`${path}: ${name}`, async (t) => {
        if (screen === undefined) screen = await console.open(path, view)
        else await screen.show(path, view)
        await screen.page.waitForSelector(shows)
        t.strictSame(await screen.faults(may), [])
        for (const { name: look, rules, ...how } of isSeenInAllLooks ? LOOKS : []) {
          await screen.look(how)
          t.strictSame(await screen.faults(may, rules), [], look)
        }
      })
    }
  }
  await screen?.close()
}
