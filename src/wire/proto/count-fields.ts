/**
 * Counts the elements of a message from its bytes, before anything is decoded: an empty element has
 * two bytes on the wire and some hundred in memory.
 */
import protobuf from 'protobufjs'

/** Most that a message may hold. */
export type MessageBounds = {
  /**
   * Fields with those of the messages within it, and the values of packed fields.
   * `Number.MAX_SAFE_INTEGER` is no bound.
   */
  readonly fieldsMax: number
  /** Fields of the message itself. */
  readonly elementsMax: number
}

/** A message holds more than it may. */
export class TooManyFieldsError extends Error {}

/**
 * Reads the bytes of a message from end to end without building it.
 * @throws {TooManyFieldsError} when they hold too much.
 * @throws {Error} when they are malformed.
 */
export type FieldCheck = (bytes: Uint8Array) => void

/** Fields to look into, by number. Others count as one field each. */
type Shape = Map<number, { readonly kind: 'message'; readonly shape: Shape } | { kind: 'packed' }>

const LENGTH_DELIMITED = 2

export function createFieldCheck(type: protobuf.Type, bounds: MessageBounds): FieldCheck {
  // Without a bound on all fields, the message's own are counted and nothing is looked into.
  const isDeep = bounds.fieldsMax < Number.MAX_SAFE_INTEGER
  const shape: Shape = isDeep ? shapeOf(type, new Map()) : new Map()
  return (bytes) => {
    const reader = protobuf.Reader.create(bytes)
    const count = new Count(reader, bounds)
    count.message(reader.len, shape, 0)
  }
}

class Count {
  readonly #reader: protobuf.Reader
  readonly #bounds: MessageBounds
  #fields = 0

  constructor(reader: protobuf.Reader, bounds: MessageBounds) {
    this.#reader = reader
    this.#bounds = bounds
  }

  /** @param depth 0 for the message that is counted, 1 for those in its fields. */
  message(end: number, shape: Shape, depth: number): void {
    if (depth > protobuf.Reader.recursionLimit) throw new Error('messages are too deep')
    const reader = this.#reader
    let elements = 0
    while (reader.pos < end) {
      const tag = reader.uint32()
      this.#add(1)
      if (depth === 0 && ++elements > this.#bounds.elementsMax) this.#refuse()
      const within = shape.get(tag >>> 3)
      if (within === undefined || (tag & 7) !== LENGTH_DELIMITED) {
        reader.skipType(tag & 7)
        continue
      }
      const fieldEnd = this.#end()
      if (within.kind === 'message') this.message(fieldEnd, within.shape, depth + 1)
      else {
        // No value has fewer bytes than one.
        this.#add(fieldEnd - reader.pos)
        reader.skip(fieldEnd - reader.pos)
      }
    }
    if (reader.pos !== end) throw new Error('a field is longer than what holds it')
  }

  #end(): number {
    const length = this.#reader.uint32()
    const end = this.#reader.pos + length
    if (end > this.#reader.len) throw new Error('a field is longer than what holds it')
    return end
  }

  #add(fields: number): void {
    this.#fields += fields
    if (this.#fields > this.#bounds.fieldsMax) this.#refuse()
  }

  #refuse(): never {
    throw new TooManyFieldsError('a message holds too many fields')
  }
}

/** @param known shapes made so far: types may hold themselves. */
function shapeOf(type: protobuf.Type, known: Map<protobuf.Type, Shape>): Shape {
  const made = known.get(type)
  if (made !== undefined) return made
  const shape: Shape = new Map()
  known.set(type, shape)
  for (const field of type.fieldsArray) {
    const { resolvedType } = field.resolve()
    const value = resolvedType instanceof protobuf.Type ? shapeOf(resolvedType, known) : undefined
    if (field instanceof protobuf.MapField) {
      // An entry is a message of key and value.
      const entry: Shape = new Map()
      if (value !== undefined) entry.set(2, { kind: 'message', shape: value })
      shape.set(field.id, { kind: 'message', shape: entry })
    } else if (value !== undefined) shape.set(field.id, { kind: 'message', shape: value })
    else if (field.repeated && isPackable(field.type)) shape.set(field.id, { kind: 'packed' })
  }
  return shape
}

function isPackable(type: string): boolean {
  return type !== 'string' && type !== 'bytes'
}
