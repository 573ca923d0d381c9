import { existsSync } from 'node:fs'
import { join } from 'node:path'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/**
 * The browser of the machine: `CHROMIUM_PATH`, or the first that PATH holds.
 * @throws {Error} that says what to install.
 */
export function chromiumPath(): string {
  const chosen = process.env['CHROMIUM_PATH']
  if (chosen !== undefined && chosen !== '') {
    if (existsSync(chosen)) return chosen
    throw new Error(`CHROMIUM_PATH names ${chosen}, which is not there`)
  }
  for (const folder of (process.env['PATH'] ?? '').split(':')) {
    const found = NAMES.map((name) => join(folder, name)).find((path) => existsSync(path))
    if (found !== undefined && folder !== '') return found
  }
  throw new Error('no browser: install chromium (apt-get install chromium) or set CHROMIUM_PATH')
}
