import t from 'tap'
import { createWebFeature, type WebFeature } from '../../../../gateway/public/web-features.ts'
import { bodyOf, headerOf, requestOf } from '../../../support/http/rest.ts'
import { TOKEN, webKeys } from '../../../support/http/web-keys.ts'

const EMPTY: Readonly<Record<WebFeature, object>> = {
  surveys: { surveys: [] },
  early_access_features: { earlyAccessFeatures: [] },
  web_experiments: { experiments: [] },
  product_tours: { product_tours: [] },
}
const FEATURES = Object.keys(EMPTY) as WebFeature[]
const ORIGIN = 'https://app.example.com'

function ask(feature: WebFeature, query: string, setting: Parameters<typeof webKeys>[0] = {}) {
  const headers = { origin: ORIGIN }
  const target = `/api/${feature}/?${query}`
  const request = requestOf('GET', target, { anonymous: true, headers })
  return createWebFeature(webKeys(setting).keys, feature)(request)
}

t.test('without a key that a project has there is no answer', async (t) => {
  const queries = ['', 'token=', 'token=phc_other', 'token=phx_other', `token=${'p'.repeat(201)}`]
  for (const feature of FEATURES) {
    for (const query of queries) {
      const reply = await ask(feature, query)
      t.equal(reply.status, 401, `${feature} ${query}`)
      const code = query.includes('phx_') ? 'invalid_personal_api_key' : 'invalid_api_key'
      t.match(bodyOf(reply), { type: 'authentication_error', code })
      t.equal(headerOf(reply, 'Access-Control-Allow-Origin'), ORIGIN)
    }
  }
})

t.test('503 while nobody can tell whose key it is', async (t) => {
  for (const feature of FEATURES) {
    const reply = await ask(feature, `token=${TOKEN}`, { down: true })
    t.equal(reply.status, 503)
    t.match(bodyOf(reply), { code: 'fetch_team_fail' })
    t.match(headerOf(reply, 'Retry-After'), /^\d+$/)
  }
})

t.test('a project has none of each, under the name that clients read', async (t) => {
  for (const feature of FEATURES) {
    const reply = await ask(feature, `token=${TOKEN}&stage=beta&stage=alpha&sent_at=1`)
    t.equal(reply.status, 200)
    t.strictSame(bodyOf(reply), EMPTY[feature])
    t.equal(headerOf(reply, 'Access-Control-Allow-Origin'), ORIGIN)
    t.equal(headerOf(reply, 'Content-Type'), 'application/json')
  }
})
