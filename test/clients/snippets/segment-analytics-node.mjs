import { Analytics } from '@segment/analytics-node'

const analytics = new Analytics({
  writeKey: 'phc_your_project_key',
  host: 'http://localhost:8000',
})

analytics.identify({ userId: 'user-1', traits: { plan: 'pro' } })
analytics.track({ userId: 'user-1', event: 'order placed', properties: { total: 12.5 } })
await analytics.closeAndFlush()
