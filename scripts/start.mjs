// `npm start` prepares the clone and runs the server in this process, so that signals to npm reach
// it.
import { ensureBuilt, ensureInstalled, ensureNode } from './ensure.mjs'

ensureNode()
await ensureInstalled({ dev: false })
await ensureBuilt()

// uWebSockets.js reads it when it loads: room for the headers of a browser behind proxies.
process.env.UWS_HTTP_MAX_HEADERS_SIZE = '16384'
const { main } = await import('../dist/src/cli/main.js')
await main(['start', ...process.argv.slice(2)])
