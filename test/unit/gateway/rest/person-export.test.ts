import t from 'tap'
import { createRenderers } from '../../../../gateway/rest/renderers.ts'
import { NO_SESSIONS } from '../../../../gateway/rest/session/session-cookie.ts'
import { AppError } from '../../../../src/core/code.ts'
import { methods } from '../../../../src/wire/proto/proto.ts'
import { bodyOf, setUp, textOf } from '../../../support/http/rest.ts'

type Piece = { readonly person: string; readonly events: string }

/** A worker with an export of these pieces; each names the next by its index. */
function gateway(pieces: readonly Piece[], last?: AppError) {
  return setUp(
    ({ request }) => {
      const at = Number((request as { cursor?: string }).cursor ?? 0)
      const piece = pieces[at]
      if (piece === undefined) throw last
      const isLast = at + 1 === pieces.length && last === undefined
      return { ...piece, cursor: isLast ? '' : String(at + 1) }
    },
    { methods: methods(), renderers: createRenderers(unused, NO_SESSIONS) },
  )
}

const PATH = '/api/projects/7/persons/1/export/'

async function shown(...pieces: Piece[]) {
  const reply = await gateway(pieces).ask('GET', PATH)
  return JSON.parse(await textOf(reply)) as unknown
}

t.test('a small person comes as it is', async (t) => {
  const person = '{"id":1,"properties":{"n":1.0},"ids":["a"],"letters":[]}'
  const reply = await gateway([{ person, events: '[{"n":1}]' }]).ask('GET', PATH)
  t.equal(await textOf(reply), `{"person":${person},"events":[{"n":1}],"cursor":""}`)
  const nothing = '{"id":1,"ids":[],"letters":[]}'
  const without = await gateway([{ person: nothing, events: '[]' }]).ask('GET', PATH)
  t.equal(await textOf(without), `{"person":${nothing},"events":[],"cursor":""}`)
})

t.test('lists that go on in further pieces become one list each', async (t) => {
  const none = '[]'
  const answer = await shown(
    { person: '{"id":1,"ids":["a","b"]}', events: none },
    { person: '{"ids":["c"]}', events: none },
    { person: '{"ids":[],"cohorts":[],"letters":[{"a":"\\u2028"}]}', events: none },
    { person: '{"letters":[{"a":2}],"warnings":[]}', events: '[1,2]' },
    { person: 'null', events: none },
    { person: 'null', events: '[3]' },
  )
  const letters = [{ a: '\u2028' }, { a: 2 }]
  const person = { id: 1, ids: ['a', 'b', 'c'], cohorts: [], letters, warnings: [] }
  t.strictSame(answer, { person, events: [1, 2, 3], cursor: '' })
  t.strictSame(
    await shown({ person: '{"ids":["a"]}', events: none }, { person: '{"ids":[]}', events: none }),
    { person: { ids: ['a'] }, events: [], cursor: '' },
  )
})

t.test('a person that is deleted meanwhile cuts the answer, one that is gone is 404', async (t) => {
  const gone = new AppError('not_found', 'gone')
  const cut = await gateway([{ person: '{"ids":["a"]}', events: '[1]' }], gone).ask('GET', PATH)
  t.equal(cut.status, 200)
  await t.rejects(textOf(cut), { code: 'not_found' })
  const refused = await gateway([], gone).ask('GET', PATH)
  t.equal(refused.status, 404)
  t.match(bodyOf(refused), { code: 'not_found' })
})

/** The renderer of streams, which these calls do not reach. */
async function unused(): Promise<never> {
  throw new Error('a stream was asked for')
}
