// Asks one version of OpenFeature's remote evaluation provider for pages what the suite asks.
import { createRequire } from 'node:module'

const task = JSON.parse(process.argv[2])
const { names } = task
const requireBeside = createRequire(task.library)
const { OpenFeature, ProviderEvents } = requireBeside('@openfeature/web-sdk')
const { OFREPWebProvider } = requireBeside(task.library)

const answers = []
async function recordingFetch(request) {
  const answer = await fetch(request)
  answers.push({ status: answer.status, tag: request.headers.get('if-none-match') })
  return answer
}
/** Resolves when a poll is answered with it. */
async function statusOf(status) {
  const from = answers.length
  while (!answers.slice(from).some((answer) => answer.status === status)) {
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

function provider(key, fetchImplementation) {
  const headers = [['Authorization', `Bearer ${key}`]]
  const options = { baseUrl: task.url, headers, pollInterval: 100 }
  return new OFREPWebProvider({ ...options, fetchImplementation })
}

async function manage(method, path, body) {
  const answer = await fetch(`${task.url}/api/projects/1/feature_flags/${path}`, {
    method,
    headers: { authorization: `Bearer ${task.personalKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`)
  return await answer.json()
}

const rollout = (percentage) => ({ groups: [{ properties: [], rollout_percentage: percentage }] })
const changing = `changing-${task.version.replaceAll('.', '-')}`
const { id } = await manage('POST', '', { key: changing, filters: rollout(100) })

const context = {
  targetingKey: names.user,
  plan: task.plan,
  groups: { [task.groupType]: names.group },
}
await OpenFeature.setContext(context)
await OpenFeature.setProviderAndWait(provider(task.projectKey, recordingFetch))
const client = OpenFeature.getClient()
const details = {
  boolean: client.getBooleanDetails('suite-boolean', false),
  off: client.getBooleanDetails('suite-off', true),
  variant: client.getStringDetails('suite-variant', 'none'),
  plan: client.getBooleanDetails('suite-by-plan', false),
  tier: client.getBooleanDetails('suite-by-tier', false),
  object: client.getObjectDetails('suite-variant', { is: 'default' }),
  unknown: client.getStringDetails('suite-unknown', 'default'),
}

await statusOf(304)
const changes = new Promise((resolve) =>
  client.addHandler(ProviderEvents.ConfigurationChanged, ({ flagsChanged }) =>
    resolve(flagsChanged),
  ),
)
const before = client.getBooleanValue(changing, false)
await manage('PATCH', `${id}/`, { filters: rollout(0) })
const flagsChanged = await changes
const after = client.getBooleanValue(changing, true)
await statusOf(304)

await OpenFeature.setContext({ targetingKey: names.user, plan: 'free' })
details.otherPlan = client.getBooleanDetails('suite-by-plan', true)
details.noGroup = client.getBooleanDetails('suite-by-tier', true)

const refusal = await OpenFeature.setProviderAndWait(
  'stranger',
  provider('phc_nobody', fetch),
).then(
  () => 'taken',
  (error) => error.code,
)
details.refused = OpenFeature.getClient('stranger').getBooleanDetails('suite-boolean', false)
await OpenFeature.close()
const asked = answers.map(({ status, tag }) => [status, tag !== null])
console.log(
  JSON.stringify({ details, changing, before, flagsChanged, after, answers: asked, refusal }),
)
