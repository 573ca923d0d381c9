// Runs in a page that has loaded one version of posthog-js, and does there what the suite asks. The
// test calls these one after another and waits in between, since the library sends when it likes.

/** Calls that this version understands. */
function abilities() {
  const has = (name) => typeof posthog[name] === 'function'
  return {
    groups: has('group'),
    flags: has('isFeatureEnabled'),
    variants: has('getFeatureFlag'),
    payloads: has('getFeatureFlagPayload'),
  }
}

/** An anonymous visitor does something, then many things. */
function arrive({ names, batchSize }) {
  posthog.capture(names.anonymous)
  for (let index = 0; index < batchSize; index++) posthog.capture(names.batched, { index })
}

/** `givesProperties`: early versions had a call of its own for them. */
function identify({ names, properties, plan, groupType, tier }, givesProperties) {
  const person = { plan, email: names.email }
  posthog.identify(names.user, givesProperties ? person : undefined)
  if (!givesProperties) posthog.people.set(person)
  posthog.capture(names.captured, properties)
  if (abilities().groups) {
    posthog.group(groupType, names.group, { tier })
    posthog.capture(names.grouped)
  }
}

/** Resolves when flags have come that were asked for now. */
function reloadFlags() {
  return new Promise((resolve) => {
    let isRegistered = false
    // Called at once when there are flags already; those are not meant.
    posthog.onFeatureFlags(() => {
      if (isRegistered) resolve()
    })
    isRegistered = true
    posthog.reloadFeatureFlags()
  })
}

function readFlags() {
  const ask = (key) =>
    abilities().variants ? posthog.getFeatureFlag(key) : posthog.isFeatureEnabled(key)
  const flags = {
    boolean: ask('suite-boolean'),
    off: ask('suite-off'),
    variant: ask('suite-variant'),
    plan: ask('suite-by-plan'),
    tier: ask('suite-by-tier'),
  }
  const payload = abilities().payloads ? posthog.getFeatureFlagPayload('suite-variant') : undefined
  return { flags, payload }
}

function alias({ names }) {
  posthog.alias(names.alias)
}

/** Another person's visit, under the alias. */
function visitAsAlias({ names }) {
  posthog.reset()
  posthog.identify(names.alias)
  posthog.capture(names.aliased)
}

function capture(name, properties) {
  posthog.capture(name, properties)
}

/** Calls the library back with a list. */
function listOf(ask) {
  return new Promise((resolve) => ask((list, context) => resolve({ list, context })))
}

/** Requests of pages with the newest version besides flags. */
async function askLists() {
  return {
    surveys: await listOf((done) => posthog.getSurveys(done, true)),
    matchingSurveys: await listOf((done) => posthog.getActiveMatchingSurveys(done, true)),
    earlyAccess: await listOf((done) => posthog.getEarlyAccessFeatures(done, true)),
    tours: await listOf((done) => posthog.productTours.getProductTours(done, true)),
    experiments: await listOf((done) => posthog.experiments.getWebExperiments(done, true)),
  }
}

/** In a feature of which there is no list. */
function enrol(key) {
  posthog.updateEarlyAccessFeatureEnrollment(key, true)
}

/** Once there are flags. */
function isOn(key) {
  return new Promise((resolve) => {
    posthog.onFeatureFlags(() => resolve(posthog.isFeatureEnabled(key)))
  })
}

function optOutAndIn(before, after) {
  posthog.opt_out_capturing()
  const isOut = posthog.has_opted_out_capturing()
  posthog.capture(before)
  posthog.opt_in_capturing()
  posthog.capture(after)
  return { isOut, isIn: posthog.has_opted_in_capturing() }
}

/** Whatever the server has advertised or will. `form` is the library's own word for it. */
function captureAs(form, isList, name, properties) {
  const compression = isList ? { [form]: true } : form === 'json' ? undefined : form
  Object.defineProperty(posthog, 'compression', { get: () => compression, set() {} })
  posthog.capture(name, properties)
}

const isRecording = () => posthog.sessionRecordingStarted()

window.suite = {
  ...{ abilities, arrive, identify, reloadFlags, readFlags, alias, visitAsAlias, capture },
  ...{ askLists, enrol, isOn, optOutAndIn, isRecording, captureAs },
}
