/** A real browser for a measurement, with a profile that is removed after it. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import puppeteer, { type Browser } from 'puppeteer-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

export type Chromium = { readonly browser: Browser; close(): Promise<void> }

/** @throws {Error} when the machine has no browser. */
export async function startChromium(): Promise<Chromium> {
  const profile = mkdtempSync(join(tmpdir(), 'sluice-bench-browser-'))
  const remove = () => rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  try {
    const browser = await launch(profile)
    return {
      browser,
      close: async () => {
        await browser.close()
        remove()
      },
    }
  } catch (error) {
    remove()
    throw error
  }
}

async function launch(profile: string): Promise<Browser> {
  const isRoot = process.getuid?.() === 0
  return await puppeteer.launch({
    executablePath: chromiumPath(),
    headless: true,
    userDataDir: profile,
    // The sandbox refuses to run as root, as which containers run.
    args: ['--disable-blink-features=AutomationControlled', ...(isRoot ? ['--no-sandbox'] : [])],
  })
}

function chromiumPath(): string {
  const folders = (process.env['PATH'] ?? '').split(':').filter((folder) => folder !== '')
  const paths = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)))
  const found = [process.env['CHROMIUM_PATH'] ?? '', ...paths].find((path) => existsSync(path))
  if (found === undefined) throw new Error('no browser: install chromium or set CHROMIUM_PATH')
  return found
}
