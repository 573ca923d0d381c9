/**
 * Measures the speed of the console, and its cost for captures. Opens pages of the product in
 * Chromium with a cold cache, notes when a captured event and a switched flag are shown, scrolls a
 * thousand rows, and sends captures beside no and ten open consoles in turn. Starts the product.
 *
 *   npx tsx bench/console.ts [--events 5000000] [--precomputed] [--background] [--loads 10] [--rounds 3]
 *     [--seconds 6]
 *
 * With `--precomputed` the first overview is opened once the product has precomputed its days, some
 * minutes later. With `--background` the browser has a low priority while captures are sent, so that
 * the work of the server for open consoles is measured, not the painting of the browser. After
 * `npm run build`.
 */
import { Command } from 'commander'
import { systemClock as clock } from '../src/core/clock.ts'
import { AppError } from '../src/core/code.ts'
import { yieldProcessorOf } from '../src/core/yield-processor.ts'
import { measureBeside } from './console/beside.ts'
import { measureLive, measureSwitch } from './console/live.ts'
import { measureLoads } from './console/loads.ts'
import { untilPrecomputed } from './console/precomputed.ts'
import { measureScroll } from './console/scroll.ts'
import { openTab } from './console/tab.ts'
import { writeDataSet } from './insights/data-set.ts'
import { startChromium } from './load/machine/chromium.ts'
import { withDatabase } from './load/machine/database.ts'
import { readEnvironment } from './load/machine/environment.ts'
import { treeGroup } from './load/machine/process-usage.ts'
import { wholeNumber } from './load/plan/option-parsers.ts'
import { startSplit } from './load/single-run.ts'
import { ensureFlags, isManaged } from './load/workload/management-api.ts'

const PERSON_EVENTS = 50
const FLAGS = 5
/** Number of the open consoles that show live events. */
const LIVE = 4

type Options = {
  readonly events: number
  readonly precomputed: boolean
  readonly background: boolean
  readonly loads: number
  readonly rounds: number
  readonly seconds: number
}

await new Command('console')
  .option('--events <count>', 'of 90 days', wholeNumber(1_000, 100_000_000), 5_000_000)
  .option('--precomputed', 'waits until days are precomputed', false)
  .option('--background', 'the browser stands back behind captures', false)
  .option('--loads <count>', 'of a page, and events and switches', wholeNumber(1, 1_000), 10)
  .option('--rounds <count>', 'of captures', wholeNumber(1, 100), 3)
  .option('--seconds <count>', 'of a round', wholeNumber(1, 600), 6)
  .action(run)
  .parseAsync()

async function run(options: Options): Promise<void> {
  const { product } = await startSplit({ projects: 1 })
  const { browser, close } = await startChromium()
  const write = (row: object) => void process.stdout.write(`${JSON.stringify(row)}\n`)
  try {
    write({ ...readEnvironment(), browser: await browser.version(), ...options })
    const [project] = product.projects
    if (project === undefined || !isManaged(project)) throw new AppError('internal', 'no project')
    const { events } = options
    const persons = Math.max(1, Math.floor(events / PERSON_EVENTS))
    await withDatabase(product.databaseUrl, (sql) =>
      writeDataSet(sql, { project: project.projectId, events, persons, untilMs: clock.now() }),
    )
    if (options.precomputed) {
      const { databaseUrl } = product
      const ms = await withDatabase(databaseUrl, (sql) => untilPrecomputed(sql, project.projectId))
      write({ countedAheadMs: ms })
    }
    await ensureFlags(product.url, project, FLAGS)
    const place = { browser, url: product.url, project }
    write({
      page: 'overview, first time after sign-in',
      ...(await measureLoads(place, 'first', 1)),
    })
    for (const page of ['overview', 'insight', 'flags'] as const) {
      write({ page, ...(await measureLoads(place, page, options.loads)) })
    }
    write({ live: 'ms from the 200 to the screen', ...(await measureLive(place, options.loads)) })
    write({ flag: 'ms from the press', ...(await measureSwitch(place, options.loads)) })
    write({ scroll: '1,000 rows', ...(await measureScroll(place)) })
    // A user may have four streams of live events: these are of one user.
    const consoles = (number: number) =>
      openTab(place, `/project/${project.projectId}${number < LIVE ? '/live' : ''}`)
    const shown = treeGroup('browser', () => browser.process()?.pid)
    if (options.background) {
      for (const pid of shown.pids()) await yieldProcessorOf(pid, clock)
    }
    const watched = { ...product, groups: [...product.groups, shown] }
    await measureBeside({ product: watched, project, consoles, ...options }, write)
  } finally {
    await close()
    await product.stop()
  }
}
