/** Reads a stream of live events as its users do: over HTTP, by the client's library. */
import { watchEvents } from '../../../gateway/client/calls.ts'
import { createClient, type JsonObject, type ServerEvent } from '../../../gateway/client/runtime.ts'
import type { WatchEventsInput } from '../../../gateway/client/types.ts'
import { until } from '../until.ts'

export type LiveReader = {
  /** Events received so far, without the `open`. */
  readonly events: readonly ServerEvent[]
  /** Names of the received events, in order. */
  names(): readonly unknown[]
  /** Resolves with the first message of that kind. */
  heard(kind: string): Promise<JsonObject>
  /** Resolves with the error that ended it, or undefined for a regular end. */
  readonly ended: Promise<unknown>
  leave(): void
}

type Place = { readonly url: string; readonly key: string }

/** Resolves once the stream is open. @throws {ApiError} when it is refused. */
export async function readLive(
  t: { teardown(end: () => unknown): unknown },
  { url, key }: Place,
  input: Partial<WatchEventsInput> = {},
): Promise<LiveReader> {
  const left = new AbortController()
  t.teardown(() => left.abort())
  const client = createClient({ baseUrl: url, key })
  const stream = watchEvents(client, { project_id: 1, ...input }, { signal: left.signal })
  await stream.next()
  const events: ServerEvent[] = []
  const ended = (async () => {
    try {
      for await (const each of stream) events.push(each)
      return undefined
    } catch (error) {
      return error
    }
  })()
  return {
    events,
    names: () => events.filter(isEvent).map(({ data }) => data['event']),
    async heard(kind) {
      await until(`a message ${kind}`, () => events.some(({ event }) => event === kind))
      return events.find(({ event }) => event === kind)?.data ?? {}
    },
    ended,
    leave: () => left.abort(),
  }
}

function isEvent({ event }: ServerEvent): boolean {
  return event === 'event'
}
