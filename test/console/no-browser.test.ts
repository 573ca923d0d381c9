/** Without a browser a test of pages fails, and ends what it has started. */
import t from 'tap'
import { freePort } from '../support/servers/free-port.ts'
import { request } from '../support/servers/product.ts'
import { startConsole } from './support/console.ts'

t.test('a browser that is missing fails the file at once, and the product ends', async (t) => {
  const chosen = process.env['CHROMIUM_PATH']
  t.teardown(() => {
    if (chosen === undefined) delete process.env['CHROMIUM_PATH']
    else process.env['CHROMIUM_PATH'] = chosen
  })
  process.env['CHROMIUM_PATH'] = '/nonexistent/chromium'
  const ends: (() => unknown)[] = []
  const port = String(await freePort())
  const owner = { teardown: (end: () => unknown) => ends.push(end) }
  await t.rejects(
    startConsole(owner, { PORT: port }),
    /CHROMIUM_PATH names \/nonexistent\/chromium/,
  )
  // Releasers registered by now are all that a test would end.
  for (const end of ends.splice(0).reverse()) await end()
  await t.rejects(request(`http://127.0.0.1:${port}/readyz`), /fetch failed|ECONNREFUSED/)
})
