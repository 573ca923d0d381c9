/** Runs scripts of documents in a browser. */
import type { Page } from 'puppeteer-core'
import type { Stage } from './run-samples.ts'

/** Log of a script that is typed into the console on the instance's own page. */
export async function runOnOwnPage({ clone, browser }: Stage, code: string): Promise<string> {
  const { page, close } = await browser.visitor()
  await page.goto(`${clone.url}/api/docs/`)
  const logged = logOf(page)
  await page.evaluate(`(async () => {${code}\n})()`)
  await close()
  return logged.join('\n')
}

/** Log of a script in a page of another origin; by default of one that was named. */
export async function runOnOtherPage(
  { browser }: Stage,
  code: string,
  host = '127.0.0.1',
): Promise<string> {
  const { page, close } = await browser.visitor()
  const logged = logOf(page)
  const url = new URL(browser.pages.show('/sample.html', pageWith(code)))
  url.hostname = host
  await page.goto(url.href)
  await page.waitForFunction('window.sample !== undefined')
  await close()
  return logged.join('\n')
}

function pageWith(code: string): string {
  const end = '\nwindow.sample = "ended"'
  // So is told what a module awaits in vain.
  const script = `addEventListener('error', ({ message }) => {
    console.log(message)
    window.sample = 'failed'
  })`
  return `<!doctype html><script>${script}</script><script type="module">${code}${end}</script>`
}

function logOf(page: Page): readonly string[] {
  const logged: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'log') logged.push(message.text())
  })
  return logged
}
