// Does with one version of mixpanel what the suite asks, and prints what its callbacks were given.
import { createRequire } from 'node:module'

const task = JSON.parse(process.argv[2])
const { names } = task
const library = createRequire(import.meta.url)(task.library)
const { host } = new URL(task.url)
const connect = (verbose) =>
  library.init(task.projectKey, { host, protocol: 'http', ...(verbose ? { verbose } : {}) })

const client = connect(true)
const errors = []

/** Waits until the callback is called, which is the last argument of every method. */
const errorOf = (call) => new Promise((resolve) => call((error) => resolve(error ?? undefined)))
async function send(call) {
  const error = await errorOf(call)
  if (error !== undefined) errors.push(String(error))
}

await send((done) =>
  client.track(
    names.captured,
    { ...task.properties, distinct_id: names.user, time: new Date(task.atMs) },
    done,
  ),
)
await send((done) => client.people.set(names.user, { plan: task.plan, email: names.email }, done))
await send((done) => client.alias(names.user, names.alias, done))
await send((done) => client.track(names.aliased, { distinct_id: names.alias }, done))
const batch = [...Array(task.batchSize).keys()].map((index) => ({
  event: names.batched,
  properties: { distinct_id: names.user, index },
}))
await send((done) => client.track_batch(batch, done))

const hasGroups = client.groups !== undefined
if (hasGroups) {
  const { groupType } = task
  await send((done) => client.groups.set(groupType, names.group, { tier: task.tier }, done))
  const $groups = { [groupType]: names.group }
  await send((done) => client.track(names.grouped, { distinct_id: names.user, $groups }, done))
}

const quiet = connect(false)
const quietError = await errorOf((done) =>
  quiet.track(names.quiet, { distinct_id: names.user }, done),
)
console.log(JSON.stringify({ errors, hasGroups, quietError: String(quietError) }))
