// Asks one version of OpenFeature's remote evaluation provider for servers what the suite asks.
import { createRequire } from 'node:module'

const task = JSON.parse(process.argv[2])
const { names } = task
const requireBeside = createRequire(task.library)
const { OpenFeature } = requireBeside('@openfeature/server-sdk')
const { OFREPProvider } = requireBeside(task.library)

async function connect(domain, key) {
  const headers = [['Authorization', `Bearer ${key}`]]
  await OpenFeature.setProviderAndWait(domain, new OFREPProvider({ baseUrl: task.url, headers }))
  return OpenFeature.getClient(domain)
}

const client = await connect('suite', task.projectKey)
const context = {
  targetingKey: names.user,
  plan: task.plan,
  groups: { [task.groupType]: names.group },
}
const details = {
  boolean: await client.getBooleanDetails('suite-boolean', false, context),
  off: await client.getBooleanDetails('suite-off', true, context),
  variant: await client.getStringDetails('suite-variant', 'none', context),
  plan: await client.getBooleanDetails('suite-by-plan', false, context),
  tier: await client.getBooleanDetails('suite-by-tier', false, context),
  otherPlan: await client.getBooleanDetails('suite-by-plan', true, { ...context, plan: 'free' }),
  noGroup: await client.getBooleanDetails('suite-by-tier', true, { targetingKey: names.user }),
  object: await client.getObjectDetails('suite-variant', { is: 'default' }, context),
  unknown: await client.getStringDetails('suite-unknown', 'default', context),
  nobody: await client.getBooleanDetails('suite-boolean', false, {}),
}
const stranger = await connect('stranger', 'phc_nobody_knows_this')
details.refused = await stranger.getBooleanDetails('suite-boolean', false, context)
await OpenFeature.close()
console.log(JSON.stringify({ details }))
