// A service that asks for a flag and captures an event: GET /?user=ann
import { createServer } from 'node:http'
import { PostHog } from 'posthog-node'

const { PROJECT_KEY = '', SLUICE_URL = 'http://127.0.0.1:8000', PORT = '3000' } = process.env
const posthog = new PostHog(PROJECT_KEY, { host: SLUICE_URL })

const server = createServer(async (request, response) => {
  const user = new URL(request.url ?? '/', 'http://localhost').searchParams.get('user') ?? 'nobody'
  const flags = await posthog.evaluateFlags(user)
  posthog.capture({ distinctId: user, event: 'order placed', properties: { total: 12.5 }, flags })
  response.end(flags.isEnabled('free-shipping') ? 'Free shipping.\n' : 'Shipping is 4.90.\n')
})
server.listen(Number(PORT), '127.0.0.1', () => console.log(`listening on ${server.address().port}`))

// The library sends in the background: what it holds is sent before the process ends.
process.once('SIGTERM', async () => {
  server.close()
  server.closeAllConnections()
  await posthog.shutdown()
})
