import { PostHog } from 'posthog-node'

const posthog = new PostHog('phc_your_project_key', { host: 'http://localhost:8000' })

posthog.identify({ distinctId: 'user-1', properties: { plan: 'pro' } })
posthog.capture({ distinctId: 'user-1', event: 'order placed', properties: { total: 12.5 } })
const flags = await posthog.evaluateFlags('user-1')
console.log(flags.isEnabled('new-checkout') ? 'the new checkout' : 'the old checkout')
await posthog.shutdown()
