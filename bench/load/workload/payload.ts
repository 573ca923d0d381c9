/** Requests of the capture, batch and decide workloads, prepared before the load. */
import { gzipSync } from 'node:zlib'
import { assert } from '../../../src/core/code.ts'
import { createVisitors, PROFILES, pageViewOf } from './page-view.ts'
import { createPrng, type Prng, type Sampler, uniformSampler, zipfSampler } from './prng.ts'
import { isCaptureAnswer, isDecideAnswer, type RequestSource } from './request-source.ts'
import { siteEventOf } from './site-events.ts'
import { createUuidWriter, type UuidVersion, type UuidWriter } from './uuid-writer.ts'

export type CaptureShape = {
  readonly apiKeys: readonly string[]
  readonly eventName: string
  /** 1 = `/capture/` with one event, more = `/batch/`. */
  readonly batch: number
  readonly distinctIds: number
  /** Undefined = uniform. */
  readonly zipfExponent: number | undefined
  readonly properties: number
  readonly valueBytes: number
  readonly shape: EventShape
  /** Numbers from here on are of persons that were never seen; needed unless `plain`. */
  readonly newFrom?: number
  /** Send each of `distinctIds` once and in order. */
  readonly prime?: boolean
  /** 0 to 1: share of requests sent compressed. */
  readonly gzipShare: number
  readonly seed: number
  readonly uuidVersion: UuidVersion
}

/**
 * `pages`: page views of a browser (`page-view.ts`); `hot`: half of them are of one person; `site`: these among other events of a site
 * (`site-events.ts`); `plain`: events that change no person, with `properties` of `valueBytes`.
 */
export const EVENT_SHAPES = ['pages', 'hot', 'site', 'plain'] as const
export type EventShape = (typeof EVENT_SHAPES)[number]

/** The path of prebuilt requests and their `Host` header. */
export type RequestTarget = { readonly host: string; readonly path: string }

/** Distinct requests of each kind, or one for each key: no cache must see a single body only. */
const TEMPLATES_MAX = 256
/** Bytes of all templates of one kind; more where there are many keys. */
const TEMPLATE_BYTES_MAX = 16_777_216

const ID_DIGITS = 10
const ID_MARK = '@'.repeat(ID_DIGITS)
const UUID_MARK = '########-####-####-####-############'
const DIGIT_BASE = 48

/** A request with the offsets of the parts that each send writes anew. */
type Template = {
  readonly bytes: Buffer
  readonly ids: Uint32Array
  readonly uuids: Uint32Array
  /** Kind of browser that each id must have, or `STRANGER`. */
  readonly profiles: readonly number[]
}

/** Stands for a kind of browser: the id is of a new person who signs in. */
const STRANGER = -1

/** The person of a hot workload, who uses every kind of browser, and its share of the events. */
const HOT_PERSON = 0
const HOT_SHARE = 0.5

/** Chooses the number of an id. */
type IdPicker = (profile: number) => number

/**
 * Bodies of captures. Everything but the uuids follows from the seed. Uuids are new in every
 * process, because a second run would otherwise be skipped as duplicates. Compressed bodies are
 * prepared whole and have no uuid: the server creates one, so that each send is a new event.
 */
export function createCaptureSource(shape: CaptureShape, target: RequestTarget): RequestSource {
  assert(shape.apiKeys.length >= 1 && shape.batch >= 1, 'a capture needs a key and an event')
  assert(shape.gzipShare >= 0 && shape.gzipShare <= 1, 'a share is 0 to 1')
  const prng = createPrng(shape.seed)
  const pickId = idPicker(prng, shape)
  const plain = shape.gzipShare < 1 ? buildTemplates(prng, shape, target, pickId, false) : []
  const gzip = shape.gzipShare > 0 ? buildTemplates(prng, shape, target, pickId, true) : []
  const writeUuid = createUuidWriter(shape.uuidVersion)
  const lengths = [...plain, ...gzip].map((template) => template.bytes.length)
  return {
    bytesMax: Math.max(...lengths),
    eventsPerRequest: shape.batch,
    accepts: isCaptureAnswer,
    fill: (buffer) => {
      const compressed = gzip.length > 0 && (plain.length === 0 || prng.float() < shape.gzipShare)
      const pool = compressed ? gzip : plain
      return writeTemplate(pool[prng.below(pool.length)], buffer, pickId, writeUuid)
    },
  }
}

export type DecideShape = {
  readonly apiKeys: readonly string[]
  readonly distinctIds: number
  readonly zipfExponent: number | undefined
  readonly seed: number
  /** The first part of every id. With `cold` it must never have been used before. */
  readonly idPrefix: string
  /**
   * `hot` chooses at random, `prime` asks each id once and in order, `cold` counts up without end.
   */
  readonly ids: 'hot' | 'prime' | 'cold'
}

export function createDecideSource(shape: DecideShape, target: RequestTarget): RequestSource {
  assert(shape.apiKeys.length >= 1, 'a decide needs a key')
  const prng = createPrng(shape.seed)
  const pickId: IdPicker = shape.ids === 'hot' ? idSampler(prng, shape) : counter()
  const pool = shape.apiKeys.map((key) => {
    const body = JSON.stringify({ api_key: key, distinct_id: `${shape.idPrefix}${ID_MARK}` })
    return toTemplate(target, Buffer.from(body), false, [0])
  })
  let turn = 0
  // A primed id is asked with every key before the next id.
  const pickKey = () => (shape.ids === 'prime' ? turn++ % pool.length : prng.below(pool.length))
  let primed = 0
  return {
    bytesMax: Math.max(...pool.map((template) => template.bytes.length)),
    eventsPerRequest: 0,
    accepts: isDecideAnswer,
    fill: (buffer) => {
      const key = pickKey()
      if (shape.ids !== 'prime') return writeTemplate(pool[key], buffer, pickId, undefined)
      const id = Math.floor(primed++ / pool.length) % shape.distinctIds
      return writeTemplate(pool[key], buffer, () => id, undefined)
    },
  }
}

function idPicker(prng: Prng, shape: CaptureShape): IdPicker {
  if (shape.shape === 'plain') return idSampler(prng, shape)
  const distinctIds = Math.max(1, Math.floor(shape.distinctIds / PROFILES))
  if (shape.prime === true) {
    const next = Array.from({ length: PROFILES }, counter)
    return (profile) => ((next[profile]?.() ?? 0) % distinctIds) * PROFILES + profile
  }
  const returning = idSampler(prng, { ...shape, distinctIds })
  const visitors = createVisitors(prng, returning, shape.newFrom ?? shape.distinctIds)
  const isHot = () => shape.shape === 'hot' && prng.float() < HOT_SHARE
  return (profile) => {
    if (profile === STRANGER) return visitors.stranger()
    return isHot() ? HOT_PERSON : visitors.next(profile)
  }
}

function counter(): Sampler {
  let next = 0
  return () => next++
}

function idSampler(
  prng: Prng,
  { distinctIds, zipfExponent }: { distinctIds: number; zipfExponent: number | undefined },
): Sampler {
  assert(distinctIds >= 1 && distinctIds < 10 ** ID_DIGITS, 'distinct ids have ten digits')
  if (zipfExponent === undefined) return uniformSampler(prng, distinctIds)
  return zipfSampler(prng, distinctIds, zipfExponent)
}

function writeTemplate(
  template: Template | undefined,
  buffer: Buffer,
  pickId: IdPicker,
  writeUuid: UuidWriter | undefined,
): number {
  assert(template !== undefined, 'the pool of requests is not empty')
  const { bytes, ids, uuids, profiles } = template
  bytes.copy(buffer)
  for (let index = 0; index < ids.length; index++) {
    writeDigits(buffer, ids[index] ?? 0, pickId(profiles[index] ?? 0))
  }
  if (writeUuid === undefined) return bytes.length
  for (let index = 0; index < uuids.length; index++) writeUuid(buffer, uuids[index] ?? 0)
  return bytes.length
}

function writeDigits(buffer: Buffer, at: number, value: number): void {
  let rest = value
  for (let index = at + ID_DIGITS - 1; index >= at; index--) {
    const tenth = Math.floor(rest / 10)
    buffer[index] = DIGIT_BASE + rest - tenth * 10
    rest = tenth
  }
}

function buildTemplates(
  prng: Prng,
  shape: CaptureShape,
  target: RequestTarget,
  pickId: IdPicker,
  compressed: boolean,
): Template[] {
  const templates: Template[] = []
  let bytes = 0
  const keys = shape.apiKeys.length
  // Keys must occur equally often, so a pool ends after a whole round of them.
  const isWhole = () => templates.length % keys === 0
  const isFull = () => templates.length >= TEMPLATES_MAX || bytes >= TEMPLATE_BYTES_MAX
  while (!(isWhole() && isFull())) {
    const apiKey = shape.apiKeys[templates.length % keys] ?? ''
    const profiles: number[] = []
    const id = (profile: number) => {
      profiles.push(profile)
      return compressed ? String(pickId(profile)).padStart(ID_DIGITS, '0') : ID_MARK
    }
    const body = Buffer.from(captureBody(prng, shape, apiKey, id, compressed))
    const bytesOf = compressed ? gzipSync(body) : body
    const template = toTemplate(target, bytesOf, compressed, profiles)
    templates.push(template)
    bytes += template.bytes.length
  }
  return templates
}

function captureBody(
  prng: Prng,
  shape: CaptureShape,
  apiKey: string,
  id: (profile: number) => string,
  compressed: boolean,
): string {
  let events = 0
  const event = () => {
    // A pass over all persons needs each kind of browser equally often.
    const profile = shape.prime === true ? events++ % PROFILES : prng.below(PROFILES)
    const person = () => `user-${id(profile)}`
    const { name, distinctId, properties } = eventOf(prng, shape, profile, person, id)
    const uuid = compressed ? {} : { uuid: UUID_MARK }
    return { event: name ?? shape.eventName, distinct_id: distinctId, ...uuid, properties }
  }
  if (shape.batch === 1) return JSON.stringify({ api_key: apiKey, ...event() })
  return JSON.stringify({ api_key: apiKey, batch: Array.from({ length: shape.batch }, event) })
}

type MadeEvent = {
  /** Undefined: that of the bench. */
  readonly name?: string | undefined
  readonly distinctId: string
  readonly properties: Record<string, unknown>
}

/** @param id writes the placeholder of an id; called in the order of the ids in the event. */
function eventOf(
  prng: Prng,
  shape: CaptureShape,
  profile: number,
  person: () => string,
  id: (profile: number) => string,
): MadeEvent {
  if (shape.shape === 'plain')
    return { distinctId: person(), properties: makeProperties(prng, shape) }
  if (shape.shape === 'pages' || shape.shape === 'hot') {
    return { distinctId: person(), properties: pageViewOf(prng, profile) }
  }
  const made = siteEventOf(prng, profile)
  if (made.kind === 'company') return made
  const distinctId = person()
  const properties =
    made.kind === 'identify'
      ? { ...made.properties, $anon_distinct_id: `user-${id(STRANGER)}` }
      : made.properties
  return { name: made.name, distinctId, properties }
}

function makeProperties(prng: Prng, shape: CaptureShape): Record<string, unknown> {
  const properties: Record<string, unknown> = {}
  // One in four is a number, because stores and parsers treat numbers differently from texts.
  for (let index = 0; index < shape.properties; index++) {
    const value = index % 4 === 3 ? prng.below(1_000_000) : randomText(prng, shape.valueBytes)
    properties[`property_${index}`] = value
  }
  return properties
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz 0123456789'

function randomText(prng: Prng, length: number): string {
  let text = ''
  for (let index = 0; index < length; index++) text += LETTERS[prng.below(LETTERS.length)] ?? ' '
  return text
}

function toTemplate(
  target: RequestTarget,
  body: Buffer,
  compressed: boolean,
  profiles: readonly number[],
): Template {
  const head =
    `POST ${target.path} HTTP/1.1\r\nHost: ${target.host}\r\n` +
    `Content-Type: application/json\r\n${compressed ? 'Content-Encoding: gzip\r\n' : ''}` +
    `Content-Length: ${body.length}\r\n\r\n`
  const bytes = Buffer.concat([Buffer.from(head), body])
  if (compressed) return { bytes, ids: new Uint32Array(0), uuids: new Uint32Array(0), profiles }
  return { bytes, ids: offsetsOf(bytes, ID_MARK), uuids: offsetsOf(bytes, UUID_MARK), profiles }
}

function offsetsOf(bytes: Buffer, mark: string): Uint32Array {
  const offsets: number[] = []
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + mark.length)) {
    offsets.push(at)
  }
  return Uint32Array.from(offsets)
}
