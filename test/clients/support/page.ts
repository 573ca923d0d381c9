import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '../catalogue.ts'
import type { TestBrowser } from './browser.ts'
import { bundleFolder } from './installed.ts'
import type { Visitor } from './visitor.ts'

/** A page under the control of a driver, which has put its calls into `window.suite`. */
export type DrivenPage = {
  readonly visitor: Visitor
  readonly url: string
  /** Calls `suite.<name>` in the page; arguments and result pass as JSON. */
  call<Result = void>(name: string, ...given: readonly unknown[]): Promise<Result>
  /** Goes somewhere else, as a person does. */
  leave(): Promise<void>
}

/**
 * Shows `html` to a new visitor, and waits until `isReady` is true in the page.
 * @param isReady a JavaScript expression.
 */
export async function openPage(
  browser: TestBrowser,
  html: string,
  driver: string,
  isReady = 'true',
): Promise<DrivenPage> {
  const script = `<script type="module" src="${browser.pages.driverPath(driver)}"></script>`
  const whole = html.replace('</body>', `${script}</body>`)
  const url = browser.pages.show(`/page/${randomUUID()}`, whole)
  const visitor = await browser.visitor()
  const { page } = visitor
  await page.goto(url)
  await page.waitForFunction(`window.suite !== undefined && (${isReady})`)
  return {
    visitor,
    url,
    async call<Result>(name: string, ...given: readonly unknown[]) {
      const list = given.map((each) => JSON.stringify(each)).join(', ')
      return (await page.evaluate(`suite.${name}(${list})`)) as Result
    },
    async leave() {
      await page.goto(browser.pages.show('/elsewhere', '<!doctype html><title>Else</title>'))
    },
  }
}

/** A page that imports `modules` by their names: each name with the path of its file. */
export function modulePage(modules: Readonly<Record<string, string>>, script: string): string {
  const map = JSON.stringify({ imports: modules })
  return `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8" /><title>Shop</title><script type="importmap">${map}</script></head>
  <body>
    <button id="buy" type="button">Buy</button>
    <script type="module">${script}</script>
  </body>
</html>
`
}

/** File of the package that bundlers take. */
export function modulePath(client: Client, version: string): string {
  const manifest = readFileSync(join(bundleFolder(client, version), 'package.json'), 'utf8')
  const { module } = JSON.parse(manifest) as { module?: string }
  if (module === undefined) throw new Error(`${client.name} ${version} is no ES module`)
  return module
}
