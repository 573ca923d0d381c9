// Does with one version of posthog-node what the suite asks, and prints what the client saw.
import { createRequire } from 'node:module'

const task = JSON.parse(process.argv[2])
const { names } = task
const library = createRequire(import.meta.url)(task.library)
const PostHog = library.PostHog ?? library.default ?? library
const major = Number(task.version.split('.')[0])

const errors = []
process.on('unhandledRejection', (error) => errors.push(String(error)))

function connect(options = {}) {
  const client = new PostHog(task.projectKey, { host: task.url, ...options })
  if (major >= 2) client.on?.('error', (error) => errors.push(String(error)))
  return client
}

/** Waits until everything is answered, however this version tells. */
async function flush(client) {
  if (major >= 4) return await client.flush()
  if (client.flushAsync !== undefined) return await client.flushAsync()
  // Some of the second major flush without telling; they tell when they are shut down.
  if (major >= 2) return await client.shutdownAsync()
  // The first major takes one batch at a time, and calls back when it is answered.
  do {
    await new Promise((resolve, reject) =>
      client.flush((error) => (error ? reject(error) : resolve())),
    )
  } while (client.queue.length > 0)
}

async function close(client) {
  if (major >= 4) return await client.shutdown()
  if (major >= 2) return await client.shutdownAsync()
  client.shutdown?.()
}

async function send() {
  const client = connect()
  client.capture({
    distinctId: names.user,
    event: names.captured,
    properties: task.properties,
  })
  await flush(client)
  client.identify({
    distinctId: names.user,
    properties: { plan: task.plan, email: names.email },
  })
  await flush(client)
  client.alias({ distinctId: names.user, alias: names.alias })
  await flush(client)
  client.capture({ distinctId: names.alias, event: names.aliased })
  for (let index = 0; index < task.batchSize; index++) {
    client.capture({ distinctId: names.user, event: names.batched, properties: { index } })
  }
  if (client.groupIdentify !== undefined) {
    client.groupIdentify({
      groupType: task.groupType,
      groupKey: names.group,
      properties: { tier: task.tier },
    })
    const groups = { [task.groupType]: names.group }
    client.capture({ distinctId: names.user, event: names.grouped, groups })
  }
  await flush(client)
  await close(client)
  return { hasGroups: client.groupIdentify !== undefined }
}

async function readFlags() {
  const client = connect(major === 1 ? { personalApiKey: task.personalKey } : {})
  const ask = async (key) => {
    const groups = { [task.groupType]: names.group }
    if (major === 1) return await client.isFeatureEnabled(key, names.user, false, groups)
    return await client.getFeatureFlag(key, names.user, { groups })
  }
  if (client.isFeatureEnabled === undefined) return { hasFlags: false }
  const flags = {
    boolean: await ask('suite-boolean'),
    off: await ask('suite-off'),
    variant: await ask('suite-variant'),
    plan: await ask('suite-by-plan'),
    tier: await ask('suite-by-tier'),
  }
  const payload = await client.getFeatureFlagPayload?.('suite-variant', names.user)
  const all = await client.getAllFlags?.(names.user)
  await close(client)
  return { hasFlags: true, flags, all, payload, hasPayloads: 'getFeatureFlagPayload' in client }
}

/** With every way of asking the server shut off. */
async function evaluateLocally() {
  if (major < 2) return { hasLocal: false }
  const client = connect({ personalApiKey: task.personalKey, featureFlagsPollingInterval: 60_000 })
  await client.reloadFeatureFlags()
  const options = {
    onlyEvaluateLocally: true,
    sendFeatureFlagEvents: false,
    personProperties: { plan: task.plan },
    groups: { [task.groupType]: names.group },
    groupProperties: { [task.groupType]: { tier: task.tier } },
  }
  const ask = (key) => client.getFeatureFlag(key, names.user, options)
  const local = {
    boolean: await ask('suite-boolean'),
    off: await ask('suite-off'),
    variant: await ask('suite-variant'),
    plan: await ask('suite-by-plan'),
    tier: await ask('suite-by-tier'),
  }
  const remoteConfig = await client.getRemoteConfigPayload?.('suite-boolean')
  await close(client)
  const hasRemoteConfig = 'getRemoteConfigPayload' in client
  return { hasLocal: true, local, remoteConfig, hasRemoteConfig }
}

const seen = { ...(await send()), ...(await readFlags()), ...(await evaluateLocally()) }
console.log(JSON.stringify({ ...seen, errors }))
// Some of the fifth major leave a timer behind when they are shut down.
process.exit(0)
