/**
 * Reads JSON text as the cells of a table. Numbers keep all their digits, which `JSON.parse` would
 * round, and no objects are made.
 */

/** `path`: keys joined by dots, list items by index. `cell`: empty for null. */
export type VisitCell = (path: string, cell: string) => void

/**
 * Visits every string, number, boolean and null of a JSON text in order. Two keys may have the same
 * path: `{"a.b": 1, "a": {"b": 2}}`.
 * @throws {SyntaxError} when the text is not JSON; some malformed texts are accepted.
 */
export function flattenJson(json: string, visit: VisitCell): void {
  const reader = new JsonReader(json)
  flattenValue(reader, '', visit)
  reader.end()
}

/** An item of a list as a cell; lists and objects stay JSON. */
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

  /** The next character after blanks; empty at the end. */
  next(): string {
    while (isBlank(this.#json.charCodeAt(this.#at))) this.#at += 1
    return this.#json.charAt(this.#at)
  }

  /** Skips `mark` when it is next. */
  takes(mark: string): boolean {
    if (this.next() !== mark) return false
    this.#at += 1
    return true
  }

  /** Skips the comma after an item; false at the end of the list or object. */
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

  /** Reads a string and resolves its escapes. */
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

  /** Checks that only blanks follow. */
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
