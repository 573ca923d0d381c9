import t from 'tap'
import type { HostRequest } from '../../../../src/plugins/ports.ts'
import {
  httpResponse,
  pluginHost,
  refusedSettings,
  startBuiltin,
  storedEvent,
} from '../../../support/plugins/builtins.ts'

const url = 'https://example.com/hook?key=1'

/** A forwarder whose URL answers so, with the requests that came. */
async function forwarder(settings: object, status = 200) {
  const requests: HostRequest[] = []
  const host = pluginHost({
    async fetch(request) {
      requests.push(request)
      return httpResponse(status)
    },
  })
  return { requests, instance: await startBuiltin('webhook-forwarder', { url, ...settings }, host) }
}

const sentNames = ({ body }: HostRequest): unknown =>
  JSON.parse(String(body)).events.map((each: { event: string }) => each.event)

t.test('a batch is one POST of JSON', async (t) => {
  const { instance, requests } = await forwarder({})
  const events = [storedEvent('a', { x: 1 }), storedEvent('b')]
  t.strictSame(await instance.exportEvents(events), { ok: true })
  t.match(requests, [{ url, method: 'POST', headers: [['content-type', 'application/json']] }])
  t.equal(requests[0]?.headers.length, 1)
  t.strictSame(JSON.parse(String(requests[0]?.body)), {
    events: JSON.parse(JSON.stringify(events)),
  })
})

t.test('a token is sent as a bearer', async (t) => {
  const { instance, requests } = await forwarder({ token: 'geheim' })
  await instance.exportEvents([storedEvent('a')])
  t.strictSame(requests[0]?.headers[1], ['authorization', 'Bearer geheim'])
})

t.test('only named events are sent, without those that are named not to be', async (t) => {
  const settings = { events: 'a, b', exportEventsToIgnore: 'b' }
  const { instance, requests } = await forwarder(settings)
  await instance.exportEvents([storedEvent('a'), storedEvent('b'), storedEvent('c')])
  t.strictSame(requests.map(sentNames), [['a']])
  t.strictSame(await instance.exportEvents([storedEvent('c')]), { ok: true })
  t.equal(requests.length, 1, 'nothing to send is nothing to call for')
})

t.test('a failure that may pass is tried again, a lasting one is not', async (t) => {
  for (const [status, isRetry] of [
    ...[408, 429, 500, 502, 503, 599].map((each) => [each, true] as const),
    ...[301, 400, 401, 404, 413, 422].map((each) => [each, false] as const),
  ]) {
    const { instance } = await forwarder({ token: 'geheim' }, status)
    const answer = await instance.exportEvents([storedEvent('a', { secret: 'x' })])
    const message = `The webhook answered ${status}.`
    t.match(answer, { ok: false, error: { message, isRetry, isTimeout: false } }, String(status))
    t.notMatch(JSON.stringify(answer), /geheim|key=1|secret|\.ts/)
  }
})

t.test('a URL that cannot be reached is tried again', async (t) => {
  const host = pluginHost({ fetch: async () => await Promise.reject(new Error('no route')) })
  const instance = await startBuiltin('webhook-forwarder', { url }, host)
  t.match(await instance.exportEvents([storedEvent('a')]), {
    ok: false,
    error: { name: 'RetryError', message: /no route/, isRetry: true },
  })
})

t.test('settings that cannot be used fail the set-up, the token unsaid', async (t) => {
  await refusedSettings(t, 'webhook-forwarder', [
    [{}, /^The setting "url" is required\.$/],
    ...['nothing', 'ftp://a.b/', 'https://u:p@a.b/', `https://a.b/${'x'.repeat(2_100)}`].map(
      (odd) => [{ url: odd }, /^The setting "url" must be an http or https URL/] as const,
    ),
    [{ url, token: 'a\r\nhost: b' }, /^The setting "token" must hold ASCII letters/],
    [{ url, exportEventsBufferSeconds: '0' }, /must be a number from 1 to 600/],
    [{ url, exportEventsBufferSeconds: 'soon' }, /must be a number from 1 to 600/],
  ])
})
