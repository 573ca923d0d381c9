import Mixpanel from 'mixpanel'

const server = new URL('http://localhost:8000')
const mixpanel = Mixpanel.init('phc_your_project_key', {
  host: server.host,
  protocol: server.protocol.slice(0, -1),
  // Without it the library takes the answer for an error.
  verbose: true,
})

mixpanel.track('order placed', { distinct_id: 'user-1', total: 12.5 }, (error) => {
  if (error) throw error
})
mixpanel.people.set('user-1', { plan: 'pro' })
