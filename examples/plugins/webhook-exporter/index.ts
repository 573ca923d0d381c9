/** Sends batches of stored events to a URL: `POST {"events": [...]}` with a token in a header. */

/** `RetryError` is there in every plugin. */
declare class RetryError extends Error {}

type StoredEvent = {
  readonly uuid: string
  readonly event: string
  readonly distinct_id: string
  readonly properties: { readonly [name: string]: unknown }
  readonly timestamp: string
}

export type Meta = { readonly config: { readonly [setting: string]: string | undefined } }

const HEADER = 'X-Webhook-Token'

export function setupPlugin({ config }: Meta): void {
  if (!/^https?:/.test(config['url'] ?? '') || !URL.canParse(config['url'] ?? '')) {
    throw new Error('url is not an http or https URL')
  }
  if ((config['secret'] ?? '') === '') throw new Error('secret is missing')
  if (!/^[A-Za-z0-9-]+$/.test(headerOf(config))) throw new Error('header is not a header name')
}

/**
 * A receiver may see an event twice, when its answer to the first time was lost: `uuid` tells.
 * @throws {RetryError} when the receiver is busy or away; the same batch then comes again.
 */
export async function exportEvents(events: readonly StoredEvent[], { config }: Meta) {
  const status = await send(events, config)
  if (status >= 200 && status < 300) return
  if (status === 429 || status >= 500) throw new RetryError(`the receiver answered ${status}`)
  // It would refuse them as often as they came.
  console.error(`${events.length} events dropped: the receiver answered ${status}`)
}

async function send(events: readonly StoredEvent[], config: Meta['config']): Promise<number> {
  const shown = events.map(({ uuid, event, distinct_id, properties, timestamp }) => ({
    uuid,
    event,
    distinct_id,
    properties,
    timestamp,
  }))
  try {
    const { status } = await fetch(config['url'] ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json', [headerOf(config)]: config['secret'] ?? '' },
      body: JSON.stringify({ events: shown }),
    })
    return status
  } catch (error) {
    throw new RetryError(`the receiver cannot be reached: ${String(error)}`)
  }
}

function headerOf(config: Meta['config']): string {
  const name = config['header'] ?? ''
  return name === '' ? HEADER : name
}
