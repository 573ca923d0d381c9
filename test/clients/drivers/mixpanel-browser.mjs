// Runs in a page that has loaded one version of mixpanel-browser, and does there what the suite
// asks. The test waits for what is sent, since the library sends when it likes.

function start({ projectKey, url }, options) {
  mixpanel.init(projectKey, { api_host: url, ...options })
}

/**
 * An anonymous visitor does something and many things, and is then known. Each call waits for the
 * one before: they queue at a lock of the library's own, which does not keep their order.
 */
async function visit({ names, properties, plan, groupType, tier, batchSize }) {
  await called((done) => mixpanel.track(names.anonymous, {}, done))
  for (let index = 0; index < batchSize; index++) {
    await called((done) => mixpanel.track(names.batched, { index }, done))
  }
  mixpanel.identify(names.user)
  await called((done) => mixpanel.people.set({ plan, email: names.email }, done))
  await called((done) => mixpanel.track(names.captured, properties, done))
  const hasGroups = typeof mixpanel.get_group === 'function'
  if (hasGroups) {
    await called((done) => mixpanel.get_group(groupType, names.group).set({ tier }, done))
    const $groups = { [groupType]: names.group }
    await called((done) => mixpanel.track(names.grouped, { $groups }, done))
  }
  mixpanel.alias(names.alias)
  mixpanel.track(names.aliased, { distinct_id: names.alias })
  return { hasGroups }
}

function called(call) {
  return new Promise((resolve) => call(resolve))
}

function track(name, properties) {
  mixpanel.track(name, properties)
}

window.suite = { start, visit, track }
