/** Files of the console itself that a browser has fetched. */
import { get } from 'node:http'
import { gunzipSync } from 'node:zlib'
import type { Screen } from './console.ts'

export type Fetched = {
  /** Bytes of the HTML and of what it names. */
  readonly shell: number
  /** Bytes of the scripts and styles that came besides. */
  readonly page: number
  /** Number of those. */
  readonly files: number
}

const NAMED = /(?:src|href)="(\/assets\/[^"]+)"/g

/**
 * Adds up what came since the page was opened, as the server sends it to who takes gzip: the browser
 * took brotli, which is smaller. Headers are left aside.
 */
export async function fetchedBy({ page }: Screen): Promise<Fetched> {
  const { origin, pathname } = new URL(page.url())
  const names = (await page.evaluate(
    `performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)`,
  )) as readonly string[]
  const assets = names.filter((name) => name.startsWith('/assets/'))
  const bodies = await Promise.all([pathname, ...assets].map((path) => gzippedBody(origin + path)))
  const [html = Buffer.alloc(0)] = bodies
  const named = [...gunzipSync(html).toString().matchAll(NAMED)].map(([, path]) => path)
  const fetched = { shell: html.length, page: 0, files: 0 }
  for (const [index, path] of assets.entries()) {
    const { length } = bodies[index + 1] ?? html
    if (named.includes(path)) fetched.shell += length
    else {
      fetched.page += length
      fetched.files += 1
    }
  }
  return fetched
}

async function gzippedBody(url: string): Promise<Buffer> {
  return await new Promise((resolve, reject) => {
    const headers = { 'accept-encoding': 'gzip' }
    get(url, { headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => resolve(Buffer.concat(chunks)))
      answer.on('error', reject)
    }).on('error', reject)
  })
}
