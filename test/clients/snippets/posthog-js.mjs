import posthog from 'posthog-js'

posthog.init('phc_your_project_key', { api_host: 'http://localhost:8000' })
posthog.identify('user-1', { plan: 'pro' })
posthog.capture('order placed', { total: 12.5 })
