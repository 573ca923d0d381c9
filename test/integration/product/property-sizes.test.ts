/** The sizes of persons in the whole product: what is refused is seen by the project. */
import t from 'tap'
import { startStandalone } from '../../support/servers/product.ts'
import { until } from '../../support/until.ts'

type Warnings = { readonly count: number; readonly results: readonly Record<string, unknown>[] }

t.test('a $set beyond the bound is a warning that the project lists', async (t) => {
  const { url, projectKey, personalKey } = await startStandalone(t)
  const capture = async (properties: object) => {
    const body = { api_key: projectKey, event: 'seen', distinct_id: 'ada', properties }
    const response = await fetch(`${url}/capture/`, { method: 'POST', body: JSON.stringify(body) })
    return response.status
  }
  const list = async (): Promise<Warnings> => {
    const headers = { authorization: `Bearer ${personalKey}` }
    const response = await fetch(`${url}/api/projects/@current/ingestion_warnings/`, { headers })
    return JSON.parse(await response.text())
  }
  t.equal(await capture({ $set: { plan: 'pro' } }), 200)
  t.equal(await capture({ $set: { bio: 'x'.repeat(600_000) } }), 200, 'the event is kept')
  t.equal(await capture({ $set: { bio: 'x'.repeat(1_100_000) } }), 413)
  await until('the warning is written', async () => (await list()).count === 1)
  t.match((await list()).results, [
    {
      type: 'person_properties_size_violation',
      details: { distinct_id: 'ada', event: 'seen' },
      count: 1,
    },
  ])
})
