// Does with one version of a library of Segment's kind what the suite asks, and prints its errors.
import { createRequire } from 'node:module'
import { inspect } from 'node:util'

const task = JSON.parse(process.argv[2])
const { names } = task
const library = createRequire(import.meta.url)(task.library)
const major = Number(task.version.split('.')[0])

const errors = []
process.on('unhandledRejection', (error) => errors.push(inspect(error)))

/** All but how often they send is as it comes. */
const flushInterval = 50
const options = { flushInterval, ...(task.path === null ? {} : { path: task.path }) }
const connect = {
  '@segment/analytics-node': () =>
    new library.Analytics({ writeKey: task.projectKey, host: task.url, ...options }),
  'analytics-node': () => new library(task.projectKey, { host: task.url, ...options }),
  '@rudderstack/rudder-sdk-node': () =>
    major <= 1
      ? new library(task.projectKey, task.url + (task.path ?? '/v1/batch'), { flushInterval })
      : new library(task.projectKey, { dataPlaneUrl: task.url, ...options }),
}
const client = connect[task.client]()

/** Waits until it is answered. */
async function send(type, message) {
  const error = await new Promise((resolve) => client[type](message, resolve))
  if (error) errors.push(`${type}: ${inspect(error)}`)
}

const { user: userId, anonymous: anonymousId, alias, group: groupId } = names
// The first major of Segment's newer library takes no ids of its user.
const hasMessageIds = task.client !== '@segment/analytics-node' || major > 1
const repeated = { userId, event: names.repeated, messageId: `${userId}/message` }
const captured = { userId, event: names.captured, properties: task.properties }
await Promise.all([
  send('track', { anonymousId, event: names.unnamed }),
  send('track', { ...captured, timestamp: new Date(task.at) }),
])
const traits = { plan: task.plan, email: names.email }
await send('identify', { userId, anonymousId, traits })
await Promise.all([send('alias', { userId, previousId: alias }), send('track', repeated)])
const page = { name: 'Home', category: 'Docs', properties: { url: 'https://example.com/docs' } }
const indexes = [...Array(task.batchSize).keys()]
await Promise.all([
  send('track', { userId: alias, event: names.aliased }),
  ...indexes.map((index) => send('track', { userId, event: names.batched, properties: { index } })),
  send('group', { userId, groupId, traits: { tier: task.tier } }),
  send('track', { userId, event: names.grouped, context: { groupId } }),
  send('page', { userId, ...page }),
  send('screen', { userId, name: 'Start' }),
  send('track', repeated),
])

console.log(JSON.stringify({ errors, hasMessageIds }))
// Some keep a timer that never ends.
process.exit(0)
