// The table of where the processor time of a run went: by tier, then the dearest files.
import { processorClock } from './processor-time.mjs'
import { tierOf } from './test-files.mjs'

const DEAREST = 10

/** From the start of this process on. */
const whole = processorClock()

/**
 * Time of a file or check; `processorS` is that of its processes, user and system.
 * @typedef {{ name: string, seconds: number, processorS: number }} Time
 */

/** Lines of Markdown. @param {readonly Time[]} times @param {number} wholeS */
export function timesTable(times, wholeS = whole.sinceLast()) {
  const tiers = new Map()
  for (const { name, seconds, processorS } of times) {
    const tier = groupOf(name)
    const sum = tiers.get(tier) ?? { name: tier, files: 0, seconds: 0, processorS: 0 }
    sum.files += 1
    sum.seconds += seconds
    sum.processorS += processorS
    tiers.set(tier, sum)
  }
  const measured = times.reduce((sum, { processorS }) => sum + processorS, 0)
  return [
    '| Tier | Files | Seconds of processor | Seconds |',
    '| --- | ---: | ---: | ---: |',
    ...dearestFirst([...tiers.values()]).map(
      ({ name, files, seconds, processorS }) =>
        `| ${name} | ${files} | ${processorS.toFixed(0)} | ${seconds.toFixed(0)} |`,
    ),
    `| the runner, the build and processes of units | | ${(wholeS - measured).toFixed(0)} | |`,
    `| all | ${times.length} | ${wholeS.toFixed(0)} | |`,
    '',
    '| File | Seconds of processor | Seconds |',
    '| --- | ---: | ---: |',
    ...dearestFirst(times)
      .slice(0, DEAREST)
      .map(
        ({ name, seconds, processorS }) =>
          `| ${name} | ${processorS.toFixed(1)} | ${seconds.toFixed(1)} |`,
      ),
  ]
}

function groupOf(name) {
  if (!name.startsWith('test/')) return 'checks'
  const tier = tierOf(name)
  if (tier === 'integration') return name.split('/').slice(1, 3).join('/')
  return tier === '' ? 'tidy' : tier
}

function dearestFirst(entries) {
  return [...entries].sort((a, b) => b.processorS - a.processorS)
}
