/** The built-in plugin that sends stored events to a URL. */
import { exactJson } from '../../core/json-text/exact-numbers.ts'
import type { HostResponse, StoredPluginEvent } from '../ports.ts'
import { defineBuiltin } from './define.ts'
import { RetryError, SettingError } from './errors.ts'

/** Characters of a webhook's URL. */
const BUILTIN_URL_CHARS_MAX = 2_048

export const webhookForwarder = defineBuiltin({
  name: 'webhook-forwarder',
  title: 'Webhook forwarder',
  description: 'Sends stored events to a URL, in batches, as JSON.',
  schema: [
    {
      key: 'url',
      name: 'URL',
      type: 'string',
      required: true,
      hint: 'POST {"events": [...]} goes there. It must be reachable from the server.',
    },
    {
      key: 'token',
      name: 'Token',
      type: 'string',
      secret: true,
      hint: 'Sent as "Authorization: Bearer <token>".',
    },
    {
      key: 'events',
      name: 'Events',
      type: 'string',
      hint: 'Names, separated by commas: only these are sent. All when empty.',
    },
    {
      key: 'exportEventsToIgnore',
      name: 'Events not sent',
      type: 'string',
      hint: 'Names, separated by commas.',
    },
    {
      key: 'exportEventsBufferSeconds',
      name: 'Seconds to wait for more',
      type: 'string',
      default: '10',
      hint: 'From 1 to 600. A batch of 1 MiB leaves at once.',
    },
  ],
  methods: ['exportEvents'],
  create(settings, host) {
    const url = webUrl(settings.text('url'))
    const token = bearerToken(settings.text('token'))
    const names = new Set(settings.list('events'))
    const ignored = new Set(settings.list('exportEventsToIgnore'))
    settings.number('exportEventsBufferSeconds', { min: 1, max: 600 }) // Checked here; the server waits.
    const isSent = ({ event }: StoredPluginEvent) =>
      !ignored.has(event) && (names.size === 0 || names.has(event))
    const headers: readonly (readonly [string, string])[] = [
      ['content-type', 'application/json'],
      ...(token === '' ? [] : [['authorization', `Bearer ${token}`] as const]),
    ]
    return {
      async exportEvents(events, signal) {
        const sent = events.filter(isSent)
        if (sent.length === 0) return
        const body = exactJson({ events: sent })
        let response: HostResponse
        try {
          response = await host.fetch({ url, method: 'POST', headers, body }, signal)
        } catch (error) {
          const reason = error instanceof Error ? error.message : 'no reason is known'
          throw new RetryError(`The webhook could not be called: ${reason}`)
        }
        const { status } = response
        if (status >= 200 && status < 300) return
        const problem = `The webhook answered ${status}.`
        throw isPassing(status) ? new RetryError(problem) : new Error(problem)
      },
    }
  },
})

/** True when a later attempt may succeed. */
function isPassing(status: number): boolean {
  return status === 408 || status === 429 || status >= 500
}

function webUrl(text: string): string {
  const url = text.length <= BUILTIN_URL_CHARS_MAX && URL.canParse(text) ? new URL(text) : undefined
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  if (url === undefined || !isWeb || url.username !== '' || url.password !== '') {
    throw new SettingError('The setting "url" must be an http or https URL without credentials.')
  }
  return url.href
}

const VISIBLE_ASCII = /^[\x21-\x7e]*$/

function bearerToken(text: string): string {
  if (VISIBLE_ASCII.test(text)) return text
  throw new SettingError('The setting "token" must hold ASCII letters, digits and signs only.')
}
