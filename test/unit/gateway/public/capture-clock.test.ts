/** Against which of our clock's moments that of a client is held. */
import t from 'tap'
import { Admission } from '../../../../gateway/admission/admission.ts'
import { createBodyThreads } from '../../../../gateway/body/body-thread.ts'
import { Refusals } from '../../../../gateway/http/refusals.ts'
import { createCapture } from '../../../../gateway/public/capture.ts'
import type { EncodedBatch } from '../../../../gateway/workers/ingest-codec.ts'
import { systemClock as clock } from '../../../../src/core/clock.ts'
import { silentLog as log } from '../../../../src/core/log.ts'
import { createWarningCounts } from '../../../../src/events/warnings/warning-counts.ts'
import { requestOf } from '../../../support/http/rest.ts'
import { TOKEN, webKeys } from '../../../support/http/web-keys.ts'

const HEAD_AT = Date.UTC(2026, 10, 18, 11)
const at = (ms: number) => new Date(HEAD_AT + ms).toISOString()

t.test('a body that takes minutes shifts no event of a client whose clock is right', async (t) => {
  const batches: EncodedBatch[] = []
  const bodyThreads = createBodyThreads({ clock, log })
  t.teardown(() => bodyThreads.close())
  const capture = createCapture(
    {
      ...{ bodyThreads, log, limits: undefined, keys: webKeys().keys },
      pool: {
        ingest: async (batch) => {
          batches.push(batch)
          return { code: '', retry_after_s: 0, reason: '' }
        },
      },
      proxies: { trusts: () => false },
      newUuid: () => 'new',
      admission: new Admission(clock, new Refusals(clock), Math.random),
      warnings: createWarningCounts({ write: async () => {}, monotonic: () => 0 }),
    },
    { kind: 'posthog' },
  )
  const stored = async (fields: object) => {
    const request = { ...requestOf('POST', '/', { anonymous: true }), headAtMs: HEAD_AT }
    const event = { api_key: TOKEN, event: 'e', distinct_id: 'd', ...fields }
    t.match(await capture(request, Buffer.from(JSON.stringify(event))), { status: 200 })
    const content = batches.pop()?.content
    return content?.kind === 'events' ? content.events[0]?.timestamp : undefined
  }
  const micros = (ms: number) => at(ms).replace('Z', '000Z')
  t.equal(await stored({ timestamp: at(-60_000), sent_at: at(-9_000) }), micros(-60_000))
  t.equal(await stored({ timestamp: at(-60_000), sent_at: at(-20_000) }), micros(-40_000))
  t.equal(await stored({}), micros(0), 'without a time it is when the request began')
  t.equal(await stored({ offset: 5_000 }), micros(-5_000))
})
