import PostHog from 'posthog-js-lite'

const posthog = new PostHog('phc_your_project_key', { host: 'http://localhost:8000' })
posthog.identify('user-1', { plan: 'pro' })
posthog.capture('order placed', { total: 12.5 })
// Sent every ten seconds; this sends what there is now.
await posthog.flush()
