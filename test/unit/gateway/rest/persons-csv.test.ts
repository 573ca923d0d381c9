import t from 'tap'
import { createRenderers } from '../../../../gateway/rest/renderers.ts'
import { NO_SESSIONS } from '../../../../gateway/rest/session/session-cookie.ts'
import { AppError } from '../../../../src/core/code.ts'
import { methods } from '../../../../src/wire/proto/proto.ts'
import { bodyOf, setUp, textOf } from '../../../support/http/rest.ts'

const PERSONS = 1_203

/** A worker that refuses pages with more than so many persons. */
function gateway(personsMax: number) {
  const asked: number[] = []
  const { ask } = setUp(
    ({ request }) => {
      const { limit, offset } = request as { limit: number; offset: number }
      asked.push(limit)
      if (limit > personsMax) {
        const detail = { type: 'validation_error', code: 'invalid_input', detail: 'Too large.' }
        throw new AppError('invalid_argument', 'large', { detail: { ...detail, attr: 'limit' } })
      }
      const length = Math.min(limit, PERSONS - offset)
      const results = Array.from({ length }, (_, nth) => ({
        uuid: `uuid-${offset + nth}`,
        distinct_ids: [],
        properties: '{}',
      }))
      return { count: PERSONS, results }
    },
    { methods: methods(), renderers: createRenderers(unused, NO_SESSIONS) },
  )
  return { asked, file: (query = '') => ask('GET', `/api/projects/7/persons/?format=csv${query}`) }
}

const uuids = (from: number, until: number) =>
  Array.from({ length: until - from }, (_, nth) => `uuid-${from + nth}`)
const shown = (text: string) => text.match(/^uuid-\d+/gm)

t.test('persons that are too large for a page come in smaller ones, each once', async (t) => {
  const { file, asked } = gateway(70)
  t.strictSame(shown(await textOf(await file())), uuids(0, PERSONS))
  t.ok(asked.length < 50, 'a size that was too large is not tried again in a pass')
  t.strictSame(shown(await textOf(await file('&limit=150&offset=1000'))), uuids(1_000, 1_150))
})

t.test('a person that is too large alone is an error', async (t) => {
  const reply = await gateway(0).file()
  t.equal(reply.status, 400)
  t.match(bodyOf(reply), { code: 'invalid_input', attr: 'limit' })
})

/** The renderer of streams, which these calls do not reach. */
async function unused(): Promise<never> {
  throw new Error('a stream was asked for')
}
