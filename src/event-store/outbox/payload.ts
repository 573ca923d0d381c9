/** The events of a flush and a month as a row of the outbox holds them: a stored format. */
import { promisify } from 'node:util'
import { deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from 'node:zlib'
import { assert } from '../../core/code.ts'
import { isList } from '../../core/json.ts'
import { parseJson } from '../../core/json-text/parse-json.ts'

type Packed<Text> = {
  readonly projectId: number
  readonly uuid: string
  readonly event: string
  readonly distinctId: string
  /** `YYYY-MM-DDTHH:MM:SS.ffffffZ`. */
  readonly timestamp: string
  readonly properties: Text
  readonly elementsChain: string
  /** Undefined: that of the row. */
  readonly createdAt?: string
}

/** An event with its properties as received. */
export type PackedEvent = Packed<string>
/** An event with its properties in UTF-8. */
export type UnpackedEvent = Packed<Uint8Array>

export type Payload = { readonly bytes: Buffer; readonly textBytes: number }

/** First byte: how the others are to be read. Older workers wrote the first form. */
const LISTS_DEFLATED = 1
const LISTS_THEN_PROPERTIES_DEFLATED = 2
/** Fastest level: a fifth larger than the best one, in a quarter of its time. */
const LEVEL = { level: 1 }
/** Bytes that are compressed on this thread: handing them to another one would take longer. */
const SYNC_BYTES_MAX = 65_536
const NEWLINE = 0x0a

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

/** Compresses them in their order. */
export async function packEvents(events: readonly PackedEvent[]): Promise<Payload> {
  const text = textOf(events)
  const isSmall = text.length <= SYNC_BYTES_MAX
  const packed = isSmall ? deflateRawSync(text, LEVEL) : await deflate(text, LEVEL)
  const bytes = Buffer.concat([Buffer.of(LISTS_THEN_PROPERTIES_DEFLATED), packed])
  return { bytes, textBytes: text.length }
}

/** @throws {InvariantError} when these bytes were never made by `packEvents`. */
export async function unpackEvents({ bytes, textBytes }: Payload): Promise<UnpackedEvent[]> {
  const form = bytes[0]
  const isKnown = form === LISTS_DEFLATED || form === LISTS_THEN_PROPERTIES_DEFLATED
  assert(isKnown, 'a payload of the outbox has an unknown form')
  const packed = bytes.subarray(1)
  const bound = { maxOutputLength: Math.max(textBytes, 1) }
  const isSmall = textBytes <= SYNC_BYTES_MAX
  const text = isSmall ? inflateRawSync(packed, bound) : await inflate(packed, bound)
  if (form === LISTS_DEFLATED) return listsOf(text).map((list) => eventOf(list, textInList))
  const head = text.indexOf(NEWLINE)
  let at = head + 1
  return listsOf(text.subarray(0, head)).map((list) =>
    eventOf(list, (length) => {
      const properties = text.subarray(at, at + Number(length))
      at += properties.length
      return properties
    }),
  )
}

/**
 * A line of JSON, in which an event has the length of its properties in bytes; then all properties
 * as they are: JSON within JSON would be escaped here and resolved there.
 */
function textOf(events: readonly PackedEvent[]): Buffer {
  const head = JSON.stringify(events.map(listOf))
  const properties = events.map((event) => event.properties).join('')
  return Buffer.from(`${head}\n${properties}`)
}

function listOf(each: PackedEvent): readonly (string | number)[] {
  const { projectId, uuid, event, distinctId, timestamp, properties, elementsChain } = each
  const length = Buffer.byteLength(properties)
  const list = [projectId, uuid, event, distinctId, timestamp, length, elementsChain]
  return each.createdAt === undefined ? list : [...list, each.createdAt]
}

function listsOf(text: Buffer): readonly unknown[] {
  const lists = parseJson(text.toString())
  assert(isList(lists), 'a payload of the outbox is no list')
  return lists
}

function textInList(properties: unknown): Uint8Array {
  return Buffer.from(String(properties))
}

function eventOf(list: unknown, propertiesOf: (given: unknown) => Uint8Array): UnpackedEvent {
  assert(Array.isArray(list) && list.length >= 7, 'an event of the outbox is short')
  const [projectId, uuid, event, distinctId, timestamp, properties, elementsChain, createdAt] = list
  return {
    projectId: Number(projectId),
    uuid: String(uuid),
    event: String(event),
    distinctId: String(distinctId),
    timestamp: String(timestamp),
    properties: propertiesOf(properties),
    elementsChain: String(elementsChain),
    ...(createdAt === undefined ? {} : { createdAt: String(createdAt) }),
  }
}
