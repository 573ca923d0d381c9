/** Faults that no page of the console may have. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'puppeteer-core'
import type { Visitor } from '../../clients/support/visitor.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** WCAG 2.2, levels A and AA, and what axe-core holds for good practice. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** Rules among them about colours, which take most of the time of a run. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']
const RUNS = {
  all: { runOnly: TAGS },
  colours: { runOnly: { type: 'rule', values: COLOUR_RULES } },
  layout: {
    runOnly: TAGS,
    rules: Object.fromEntries(COLOUR_RULES.map((rule) => [rule, { enabled: false }])),
  },
} as const

/** Part of the rules: a page that was seen whole has other colours in the dark, and another layout on a phone. */
export type Rules = keyof typeof RUNS

/** The page itself ended a call whose answer it no longer needs, as at the next key of a search. */
const ABANDONED = /^failed: .* net::ERR_ABORTED$/

/** The page is laid out anew, and what moves only once has stopped. */
const AT_REST = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  .then(() => {
    for (const animation of document.getAnimations()) {
      if (animation.effect.getComputedTiming().endTime !== Infinity) animation.finish()
    }
  })`

/** Lets what moves once come to its end: its colours are those that it keeps. */
export async function comeToRest(page: Page): Promise<void> {
  await page.evaluate(AT_REST)
}

/** Endless animations are painted for as long as the page is open. */
const ENDLESS = `document.getAnimations().filter(({ effect }) =>
  effect.getComputedTiming().endTime === Infinity
).map(({ effect }) => effect.target.className)`

/** The page, or a dialog, is wider than its place: what stands at its end is cut off. */
const WIDE = `[document.documentElement, ...document.querySelectorAll('dialog[open]')]
  .filter((each) => each.scrollWidth > each.clientWidth)
  .map((each) => each.className || each.localName)`

/** Notes what the policy refuses, from the first script of each page on. */
export async function watchPage(page: Page): Promise<void> {
  await page.evaluateOnNewDocument(`
    window.refusals = []
    document.addEventListener('securitypolicyviolation', (event) => {
      window.refusals.push(event.violatedDirective + ' ' + event.blockedURI)
    })
  `)
}

/**
 * Looks at the page when it is at rest.
 * @param expected faults that the test means to cause, such as an answer 500.
 */
export async function faultsOf(
  visitor: Visitor,
  url: string,
  expected?: RegExp,
  rules: Rules = 'all',
): Promise<readonly string[]> {
  const { page } = visitor
  await comeToRest(page)
  const requests = await visitor.requests()
  const foreign = requests
    .map(({ url: asked }) => asked.href)
    .filter((href) => !href.startsWith(`${url}/`) && !href.startsWith('data:'))
    .map((href) => `a request to ${href}`)
  const refused = (await page.evaluate('window.refusals ?? []')) as string[]
  const wide = (await page.evaluate(WIDE)) as string[]
  const endless = (await page.evaluate(ENDLESS)) as string[]
  const found = [
    ...visitor.troubles.filter((trouble) => !ABANDONED.test(trouble)),
    ...foreign,
    ...refused.map((text) => `refused by the policy: ${text}`),
    ...wide.map((name) => `scrolls sideways: ${name}`),
    ...endless.map((text) => `moves for ever: ${text}`),
    ...(await violations(page, rules)),
  ]
  return found.filter((fault) => expected === undefined || !expected.test(fault))
}

type Violation = {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

/** Evaluated through the browser's own protocol: the policy would refuse a script. */
async function violations(page: Page, rules: Rules): Promise<readonly string[]> {
  if ((await page.evaluate('window.axe === undefined')) === true)
    await page.evaluate(`${AXE}; undefined`)
  const options = JSON.stringify({ ...RUNS[rules], resultTypes: ['violations'] })
  const run = `axe.run(${options}).then(({ violations }) => violations)`
  const found = (await page.evaluate(run)) as readonly Violation[]
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `axe ${id}: ${html.slice(0, 200)} ${failureSummary}`),
  )
}
