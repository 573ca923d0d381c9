import t from 'tap'
import {
  type DecideRoute,
  decideShape,
  noMembers,
  renderDecideAnswer,
  renderRemoteConfig,
  renderRemoteConfigScript,
} from '../../../../gateway/public/decide-answer.ts'

const now = () => 1_714_564_800_000.5

type Row = [DecideRoute, string | undefined, string | undefined, string, boolean]

t.test('the shape follows the route, the version and the config parameter', async (t) => {
  const rows: Row[] = [
    ['decide', undefined, undefined, 'v1', true],
    ['decide', '1', undefined, 'v1', true],
    ['decide', '2', 'false', 'v2', true],
    ['decide', '3', undefined, 'v3', true],
    ['decide', '4', undefined, 'v4', true],
    ['decide', '0', undefined, 'v1', true],
    ['decide', '-7', undefined, 'v1', true],
    ['decide', '99', undefined, 'v4', true],
    ['decide', 'abc', undefined, 'v2', true],
    ['decide', '', undefined, 'v2', true],
    ['decide', '2.5', undefined, 'v2', true],
    ['flags', undefined, undefined, 'v2', true],
    ['flags', undefined, 'true', 'v3', true],
    ['flags', undefined, 'false', 'v3', false],
    ['flags', '1', undefined, 'v3', false],
    ['flags', '1', 'true', 'v3', true],
    ['flags', '2', undefined, 'v4', false],
    ['flags', '2', 'true', 'v4', true],
    ['flags', 'abc', undefined, 'v4', false],
  ]
  for (const [route, v, config, members, withConfig] of rows) {
    const label = `${route} v=${v} config=${config}`
    t.same(decideShape(route, v, config), { members, config: withConfig }, label)
  }
})

t.test('the config fields are those of the specification and of newer clients', async (t) => {
  const body = JSON.parse(
    renderDecideAnswer(decideShape('decide', '1', undefined), '"featureFlags":["a"]', now),
  )
  t.match(body, {
    config: { enable_collect_everything: true },
    editorParams: {},
    toolbarParams: {},
    isAuthenticated: false,
    supportedCompression: ['gzip', 'lz64'],
    featureFlags: ['a'],
    sessionRecording: false,
    capturePerformance: false,
  })
  t.match(body, {
    toolbarVersion: 'toolbar',
    siteApps: [],
    autocapture_opt_out: false,
    autocaptureExceptions: false,
    surveys: false,
    heatmaps: false,
    captureDeadClicks: false,
    analytics: { endpoint: '/i/v0/e/' },
    errorTracking: { autocaptureExceptions: false, suppressionRules: [] },
  })
  const leftOut = ['requestId', 'evaluatedAt', 'defaultIdentifiedOnly', 'elementsChainAsString']
  for (const name of [...leftOut, 'quotaLimited', 'hasFeatureFlags', 'token'])
    t.notOk(name in body, name)
})

t.test('remote config is the config fields, a token, and that there may be flags', async (t) => {
  const shape = decideShape('decide', '3', undefined)
  const fields = Object.keys(JSON.parse(renderDecideAnswer(shape, '"featureFlags":{}', now)))
  const remote = Object.keys(JSON.parse(renderRemoteConfig('phc_a')))
  const expected = fields.filter((name) => name !== 'featureFlags')
  t.strictSame(remote.sort(), [...expected, 'token', 'hasFeatureFlags'].sort())
})

t.test('only details carry an id and a time, and config only where it is due', async (t) => {
  const shape = decideShape('flags', '2', undefined)
  const text = renderDecideAnswer(shape, noMembers(shape), now, undefined, () => 'id')
  t.same(JSON.parse(text), {
    flags: {},
    errorsWhileComputingFlags: false,
    requestId: 'id',
    evaluatedAt: 1_714_564_800_000,
  })
  const ids = [1, 2].map(
    () => JSON.parse(renderDecideAnswer(shape, noMembers(shape), now)).requestId,
  )
  t.match(ids[0], /^[0-9a-f-]{36}$/)
  t.not(ids[0], ids[1])
})

t.test('an answer without flags is valid in every shape', async (t) => {
  for (const v of ['1', '2', '3', '4']) {
    const shape = decideShape('decide', v, undefined)
    t.ok(JSON.parse(renderDecideAnswer(shape, noMembers(shape), now)))
  }
})

t.test('remote config names the token, as JSON and as a script', async (t) => {
  const json = renderRemoteConfig('phc_</script>', { capturePerformance: true, recording: 'off' })
  t.match(JSON.parse(json), {
    token: 'phc_</script>',
    hasFeatureFlags: true,
    capturePerformance: true,
  })
  const script = renderRemoteConfigScript('phc_</script>', json)
  t.notOk(script.includes('</script>'))
  const window: Record<string, Record<string, unknown>> = {}
  new Function('window', script)(window)
  t.same(window['_POSTHOG_REMOTE_CONFIG'], {
    'phc_</script>': { config: JSON.parse(json), siteApps: [] },
  })
})
