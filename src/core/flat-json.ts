/**
 * JSON as the cells of a table. Reads the text itself: a number keeps all its digits, which
 * `JSON.parse` would round, and no object is made of what only passes through.
 */

/** `path` is the keys joined by dots, list items by index; `cell` is empty for null. */
export type VisitCell = (path: string, cell: string) => void

/**
 * Visits every text, number, boolean and null of a JSON text in its order; empty objects and lists
 * hold none. Two keys may have one path: `{"a.b": 1, "a": {"b": 2}}`.
 * @throws {SyntaxError} when the text is no JSON; not every text that is none is found.
 */
export function flattenJson(json: string, visit: VisitCell): void {
  const reader = new JsonReader(json)
  flattenValue(reader, '', visit)
  reader.end()
}

/** An item of a list: the JSON of lists and objects, the cell of all else. */
export type JsonItem = {
  readonly kind: 'value' | 'null' | 'list' | 'object'
  readonly text: string
}

/**
 * The items of a JSON list.
 * @throws {SyntaxError} as `flattenJson`.
 */
export function itemsOfList(json: string): JsonItem[] {
  const reader = new JsonReader(json)
  const items: JsonItem[] = []
  if (!reader.takes('[')) throw reader.problem()
  if (!reader.takes(']')) {
    do items.push(itemOf(reader))
    while (reader.goesOn(']'))
  }
  reader.end()
  return items
}

function itemOf(reader: JsonReader): JsonItem {
  const first = reader.next()
  if (first !== '[' && first !== '{') {
    return { kind: first === 'n' ? 'null' : 'value', text: reader.scalar() }
  }
  const { at } = reader
  flattenValue(reader, '', () => {})
  return { kind: first === '[' ? 'list' : 'object', text: reader.since(at) }
}

function flattenValue(reader: JsonReader, path: string, visit: VisitCell): void {
  const below = path === '' ? '' : `${path}.`
  if (reader.takes('{')) {
    if (reader.takes('}')) return
    do {
      const key = reader.text()
      if (!reader.takes(':')) throw reader.problem()
      flattenValue(reader, below + key, visit)
    } while (reader.goesOn('}'))
    return
  }
  if (reader.takes('[')) {
    if (reader.takes(']')) return
    let index = 0
    do flattenValue(reader, `${below}${index++}`, visit)
    while (reader.goesOn(']'))
    return
  }
  visit(path, reader.scalar())
}

const LITERAL = /^(?:true|false|null|-?\d[\d.eE+-]*)$/

class JsonReader {
  readonly #json: string
  #at = 0

  constructor(json: string) {
    this.#json = json
  }

  /** The character that comes next after blanks; empty at the end. */
  next(): string {
    while (isBlank(this.#json.charCodeAt(this.#at))) this.#at += 1
    return this.#json.charAt(this.#at)
  }

  /** Steps over `mark` when it comes next. */
  takes(mark: string): boolean {
    if (this.next() !== mark) return false
    this.#at += 1
    return true
  }

  /** Steps over what follows an item; false when it is the end of the list or object. */
  goesOn(end: ']' | '}'): boolean {
    if (this.takes(',')) return true
    if (this.takes(end)) return false
    throw this.problem()
  }

  get at(): number {
    return this.#at
  }

  since(start: number): string {
    return this.#json.slice(start, this.#at)
  }

  scalar(): string {
    if (this.next() === '"') return this.text()
    const start = this.#at
    while (isOfLiteral(this.#json.charCodeAt(this.#at))) this.#at += 1
    const literal = this.since(start)
    if (!LITERAL.test(literal)) throw this.problem()
    return literal === 'null' ? '' : literal
  }

  /** A text, its escapes resolved. */
  text(): string {
    if (this.next() !== '"') throw this.problem()
    const start = this.#at
    const plain = this.#json.slice(start + 1, this.#json.indexOf('"', start + 1))
    if (!plain.includes('\\')) {
      this.#at = start + plain.length + 2
      if (this.#json[this.#at - 1] !== '"') throw this.problem()
      return plain
    }
    this.#at = this.#endOfText(start) + 1
    return String(JSON.parse(this.#json.slice(start, this.#at)))
  }

  /** Nothing but blanks may follow. */
  end(): void {
    if (this.next() !== '') throw this.problem()
  }

  problem(): SyntaxError {
    return new SyntaxError(`no JSON at ${this.#at}`)
  }

  #endOfText(start: number): number {
    for (let at = start + 1; at < this.#json.length; at++) {
      const character = this.#json[at]
      if (character === '"') return at
      if (character === '\\') at++
    }
    throw this.problem()
  }
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

/** Letters, digits and signs; not a number at the end of the text. */
function isOfLiteral(code: number): boolean {
  return code > 0x20 && code !== 0x2c && code !== 0x5d && code !== 0x7d
}
