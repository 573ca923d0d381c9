// Runs in a page, and does there what the suite asks, with the version of posthog-js-lite that the
// page's import map names.
import PostHog from 'posthog-js-lite'

let client

function start({ url, projectKey }, options) {
  client = new PostHog(projectKey, { host: url, ...options })
}

/** Early versions have a call of its own that can be awaited. */
async function flush() {
  await (client.flushAsync?.() ?? client.flush())
}

/** An anonymous visitor does something, then many things, and says who they are. */
async function visit({ names, properties, batchSize, plan, groupType, tier }) {
  client.capture(names.anonymous)
  for (let index = 0; index < batchSize; index++) client.capture(names.batched, { index })
  client.identify(names.user, { plan, email: names.email })
  client.capture(names.captured, properties)
  client.group(groupType, names.group, { tier })
  client.capture(names.grouped)
  client.alias(names.alias)
  await flush()
  return { sessionId: client.getSessionId() }
}

async function readFlags() {
  await client.reloadFeatureFlagsAsync()
  return {
    flags: {
      boolean: client.getFeatureFlag('suite-boolean'),
      off: client.getFeatureFlag('suite-off'),
      variant: client.getFeatureFlag('suite-variant'),
      plan: client.getFeatureFlag('suite-by-plan'),
      tier: client.getFeatureFlag('suite-by-tier'),
    },
    hasPayloads: client.getFeatureFlagPayload !== undefined,
    payload: client.getFeatureFlagPayload?.('suite-variant'),
  }
}

/** Another person's visit, under the alias. */
async function visitAsAlias({ names }) {
  client.reset()
  client.identify(names.alias)
  client.capture(names.aliased)
  await flush()
}

/** Does not wait: early versions fail when they cannot read the answer. */
function captureAlone(name) {
  client.capture(name)
  flush().catch(() => undefined)
}

window.suite = { start, visit, readFlags, visitAsAlias, captureAlone }
