/**
 * Streams all data of a person as one JSON object. Gateway and worker hold one piece at a time. If
 * the person is deleted meanwhile, the connection is cut.
 */

import type { ExportPersonResponse__Output } from '../../proto/gen/sluice/v1/ExportPersonResponse.ts'
import { exactJson, parseExact } from '../../src/core/json-text/exact-numbers.ts'
import type { HttpReply } from '../http/http-server.ts'
import type { RestCall } from './renderer.ts'
import { JSON_TYPE, NO_STORE } from './replies.ts'

type Piece = ExportPersonResponse__Output

/** A failure before the first piece is an ordinary error answer. */
export async function renderPersonExport({ call, message, request }: RestCall): Promise<HttpReply> {
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

/** Lists of a person come before its events. */
const EVENTS = `]},"events":[`
/** End of a person's JSON: a list that the next piece may continue. */
const OPEN_END = ']}'

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
