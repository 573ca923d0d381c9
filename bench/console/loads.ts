/** Cold loads of pages: times to first paint, to first possible action, and to the data. */
import { figuresOf, openTab, type Place } from './tab.ts'

/** Pages, each with the selector of an element that exists once its data are shown. */
const PAGES = {
  first: { path: '?date=-30d', data: '.overview-lists' },
  overview: { path: '?date=-7d', data: '.overview-lists' },
  insight: { path: '/insights/new', data: '.insight-answer .chart-line' },
  flags: { path: '/feature_flags', data: '.table' },
} as const

type Noted = {
  readonly paintedMs: number
  readonly usableMs: number
  readonly dataMs: number
  readonly files: number
  readonly bytes: number
}

/** Milliseconds are from the start of the navigation, by the browser's clock. */
export async function measureLoads(
  place: Place,
  page: keyof typeof PAGES,
  loads: number,
): Promise<object> {
  const { path, data } = PAGES[page]
  const noted: Noted[] = []
  for (let load = 0; load < loads; load++) {
    const tab = await openTab(place, `/project/${place.project.projectId}${path}`, WATCH(data))
    const waited = await tab.page.waitForFunction('window.noted')
    noted.push((await waited.jsonValue()) as Noted)
    await tab.close()
  }
  const of = (name: keyof Noted) => figuresOf(noted.map((each) => each[name]))
  const { files, bytes } = noted[0] ?? {}
  return { painted: of('paintedMs'), usable: of('usableMs'), data: of('dataMs'), files, bytes }
}

/** The page is usable once its heading is shown: its code is loaded and answers keys. */
const WATCH = (data: string) => `
  (() => {
    const times = {}
    const look = () => {
      const at = performance.now()
      if (document.querySelector('main h1')) times.usableMs ??= at
      if (!document.querySelector(${JSON.stringify(data)})) return
      watching.disconnect()
      const [paint] = performance.getEntriesByName('first-contentful-paint')
      // The shell is painted before the data can stand; a browser may tell so later.
      if (!paint) return void requestAnimationFrame(look)
      const files = performance.getEntriesByType('resource')
        .filter(({ name }) => new URL(name).pathname.startsWith('/assets/'))
      const [page] = performance.getEntriesByType('navigation')
      window.noted = {
        paintedMs: paint.startTime, usableMs: times.usableMs, dataMs: times.dataMs ?? at,
        files: files.length + 1,
        bytes: [page, ...files].reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
      }
    }
    const watching = new MutationObserver(look)
    watching.observe(document, { childList: true, subtree: true })
  })()`
