import Analytics from '@rudderstack/rudder-sdk-node'

const analytics = new Analytics('phc_your_project_key', {
  dataPlaneUrl: 'http://localhost:8000',
})

analytics.identify({ userId: 'user-1', traits: { plan: 'pro' } })
analytics.track({ userId: 'user-1', event: 'order placed', properties: { total: 12.5 } })
await analytics.flush()
