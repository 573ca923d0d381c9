/** A signed-in page of the console, with nothing in its cache. */
import type { Browser, Page } from 'puppeteer-core'
import { AppError } from '../../src/core/code.ts'
import type { BenchProject, ManagedProject } from '../load/workload/management-api.ts'

export type Place = {
  readonly browser: Browser
  readonly url: string
  readonly project: BenchProject & ManagedProject
}

export type Tab = { readonly page: Page; close(): Promise<void> }

const WAIT_MS = 60_000

/** @param script runs before those of the page. */
export async function openTab(
  { browser, url, project }: Place,
  path: string,
  script?: string,
): Promise<Tab> {
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  page.setDefaultTimeout(WAIT_MS)
  if (script !== undefined) await page.evaluateOnNewDocument(script)
  const { name, value } = await signIn(url, project.personalApiKey)
  await page.setCookie({ name, value, url, httpOnly: true, sameSite: 'Strict' })
  await page.setViewport({ width: 1280, height: 900 })
  await page.goto(url + path)
  await page.waitForSelector('main h1')
  return { page, close: () => context.close() }
}

async function signIn(url: string, key: string): Promise<{ name: string; value: string }> {
  const response = await fetch(`${url}/api/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ personal_api_key: key }),
  })
  const [name = '', value = ''] = (response.headers.get('set-cookie') ?? '').split(/[=;]/)
  if (!response.ok) throw new AppError('unavailable', `sign-in was answered ${response.status}`)
  return { name, value }
}

/** Median, 95th percentile and highest. */
export function figuresOf(values: readonly number[]): object {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share: number) => {
    const value = sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN
    return Math.round(value * 10) / 10
  }
  return { count: sorted.length, median: at(0.5), p95: at(0.95), max: at(1) }
}
