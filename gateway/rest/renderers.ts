/** The renderers of media types other than JSON, and of JSON that is streamed, by method. */

import type { ExportPersonResponse__Output } from '../../proto/gen/sluice/v1/ExportPersonResponse.ts'
import { isObject } from '../../src/core/json.ts'
import { exactJson, parseExact } from '../../src/core/json-text/exact-numbers.ts'
import type { HttpReply } from '../http/http-server.ts'
import { renderEventCsv, renderEventsCsv, renderEventValuesCsv } from './events-csv.ts'
import { EVENT_STREAM_TYPE } from './live/live-streams.ts'
import { renderPersonsCsv } from './persons-csv.ts'
import type { MediaRenderer, RestCall } from './renderer.ts'
import { JSON_TYPE, NO_STORE } from './replies.ts'
import type { Sessions } from './session/session-cookie.ts'
import { sessionRenderers } from './session/session-replies.ts'

/** Lists of a person come before its events. */
const EVENTS = `]},"events":[`
/** End of a person's JSON: a list that the next piece may continue. */
const OPEN_END = ']}'

/** By full method path, then by media type. */
export type Renderers = Readonly<Record<string, Readonly<Record<string, MediaRenderer>>>>

/** @param live renders streams of live events, for every caller. */
export function createRenderers(live: MediaRenderer, sessions: Sessions): Renderers {
  return {
    ...Object.fromEntries(
      Object.entries(sessionRenderers(sessions)).map(([path, render]) => {
        return [path, { [JSON_TYPE]: render }]
      }),
    ),
    '/sluice.v1.EventService/ListEvents': { 'text/csv': renderEventsCsv },
    '/sluice.v1.EventService/GetEvent': { 'text/csv': renderEventCsv },
    '/sluice.v1.EventService/ListEventValues': { 'text/csv': renderEventValuesCsv },
    '/sluice.v1.PersonService/ListPersons': { 'text/csv': renderPersonsCsv },
    '/sluice.v1.PersonService/ExportPerson': { [JSON_TYPE]: renderPersonExport },
    '/sluice.v1.LiveService/WatchEvents': { [JSON_TYPE]: live, [EVENT_STREAM_TYPE]: live },
    '/sluice.v1.PluginConfigService/GetPluginConfigFrontend': javascriptRenderers,
  }
}

const JAVASCRIPT_TYPES = ['application/javascript', 'text/javascript'] as const

/** Content type of each media type. */
const javascriptRenderers: Readonly<Record<string, MediaRenderer>> = Object.fromEntries(
  JAVASCRIPT_TYPES.map((type) => [type, renderModule(type)]),
)

function renderModule(type: string): MediaRenderer {
  return async ({ call }) => {
    const answer = await call()
    const module = isObject(answer) ? answer['module'] : undefined
    return {
      status: 200,
      // Browsers must treat it as a script and nothing else: projects write its text.
      headers: [
        ['content-type', `${type}; charset=utf-8`],
        ['x-content-type-options', 'nosniff'],
        ...NO_STORE,
      ],
      body: typeof module === 'string' ? module : '',
    }
  }
}

/**
 * Streams all data of a person as one JSON object. Gateway and worker hold one piece at a time. If
 * the person is deleted meanwhile, the connection is cut.
 */
type Piece = ExportPersonResponse__Output

/** A failure before the first piece is an ordinary error answer. */
async function renderPersonExport({ call, message, request }: RestCall): Promise<HttpReply> {
  // The generated type of this method's answer.
  const ask = async (cursor: string) => (await call({ ...message, cursor })) as Piece
  const first = await ask('')
  const headers = [['content-type', JSON_TYPE], ...NO_STORE] as const
  return { status: 200, headers, body: request.method === 'HEAD' ? '' : partsOf(first, ask) }
}

async function* partsOf(
  first: Piece,
  ask: (cursor: string) => Promise<Piece>,
): AsyncGenerator<Uint8Array> {
  let open = openListOf(first.person)
  yield Buffer.from(`{"person":${first.person.slice(0, -OPEN_END.length)}`)
  let piece = first
  let isFirst = true
  for (;;) {
    if (piece !== first && piece.person !== 'null') {
      yield Buffer.from(furtherItems(piece.person, open))
      open = openListOf(piece.person)
    }
    const events = piece.events.slice(1, -1)
    if (events !== '') {
      yield Buffer.from(`${isFirst ? EVENTS : ','}${events}`)
      isFirst = false
    }
    if (piece.cursor === '') break
    piece = await ask(piece.cursor)
  }
  yield Buffer.from(`${isFirst ? EVENTS : ''}],"cursor":""}`)
}

type OpenList = { readonly name: string; readonly isEmpty: boolean }

function openListOf(person: string): OpenList {
  const [name = '', items] = membersOf(person).at(-1) ?? []
  return { name, isEmpty: items?.length === 0 }
}

/** Appends the lists of a piece to the open one, and leaves the last one open. */
function furtherItems(person: string, { name: openName, isEmpty }: OpenList): string {
  return membersOf(person)
    .map(([name, items]) => {
      const texts = items.map((item) => exactJson(item)).join()
      if (name !== openName) return `],${JSON.stringify(name)}:[${texts}`
      return isEmpty || texts === '' ? texts : `,${texts}`
    })
    .join('')
}

function membersOf(person: string): [string, readonly unknown[]][] {
  // All that is read of it are lists; a first piece has other members before them.
  return Object.entries(parseExact(person) as Record<string, readonly unknown[]>)
}
