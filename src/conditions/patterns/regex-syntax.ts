/** Parser of the RE2 syntax plus look-around, for `look-around.ts`. Captures are plain groups. */

export type CharTest = (point: string) => boolean
export type Assertion =
  | 'start'
  | 'end'
  | 'line_start'
  | 'line_end'
  | 'word_boundary'
  | 'no_word_boundary'
  | 'look'
export type Node =
  | { readonly kind: 'char'; readonly test: CharTest }
  | { readonly kind: 'sequence' | 'choice'; readonly items: readonly Node[] }
  | {
      readonly kind: 'repeat'
      readonly item: Node
      readonly min: number
      readonly max: number | undefined
    }
  | { readonly kind: 'assertion'; readonly assertion: Exclude<Assertion, 'look'> }
  | {
      readonly kind: 'look'
      readonly item: Node
      readonly ahead: boolean
      readonly negated: boolean
    }

type Flags = { readonly i: boolean; readonly s: boolean; readonly m: boolean }
type Cursor = { readonly source: string; at: number }

/** As RE2: counted repeats beyond this are refused. */
const REPEAT_MAX = 1_000

class SyntaxFault extends Error {}

/** The tree of `source`, or `undefined` when it is malformed or uses what cannot run linearly. */
export function parseRegex(source: string): Node | undefined {
  const cursor = { source, at: 0 }
  try {
    const tree = parseChoice(cursor, { i: false, s: false, m: false })
    return cursor.at === source.length ? tree : undefined
  } catch {
    // SyntaxFault of ours, or SyntaxError of RegExp for a bad class: both mean no pattern.
    return undefined
  }
}

function parseChoice(cursor: Cursor, outer: Flags): Node {
  let flags = outer
  const branches: Node[] = []
  let items: Node[] = []
  while (cursor.at < cursor.source.length && cursor.source[cursor.at] !== ')') {
    if (take(cursor, '|')) {
      branches.push({ kind: 'sequence', items })
      items = []
      continue
    }
    const switched = parseFlagSwitch(cursor, flags)
    if (switched !== undefined) {
      flags = switched
      continue
    }
    items.push(parseRepeat(cursor, parseAtom(cursor, flags)))
  }
  branches.push({ kind: 'sequence', items })
  return { kind: 'choice', items: branches }
}

/** `(?i)` and the like apply until the end of their group. */
function parseFlagSwitch(cursor: Cursor, flags: Flags): Flags | undefined {
  const found = matchHere(cursor, /\(\?([ism]*)(?:-([ism]+))?\)/y)
  return found === undefined ? undefined : switchFlags(flags, found[1], found[2])
}

function switchFlags(flags: Flags, on = '', off = ''): Flags {
  const value = (name: keyof Flags) => (flags[name] || on.includes(name)) && !off.includes(name)
  return { i: value('i'), s: value('s'), m: value('m') }
}

function parseRepeat(cursor: Cursor, atom: Node): Node {
  let node = atom
  for (let count = 0; ; count++) {
    const found = matchHere(cursor, /([*+?])|\{(\d{1,4})(?:(,)(\d{1,4})?)?\}/y)
    if (found === undefined) return node
    // Nested repeats are refused, as RE2 does; `??` and `+?` are the lazy forms, taken below.
    if (count > 0) throw new SyntaxFault()
    const [, sign, low, comma, high] = found
    const min = sign === undefined ? Number(low) : Number(sign === '+')
    const max = maxOf(sign, min, comma, high)
    if (min > REPEAT_MAX || (max ?? 0) > REPEAT_MAX || (max ?? min) < min) throw new SyntaxFault()
    take(cursor, '?')
    node = { kind: 'repeat', item: node, min, max }
  }
}

function maxOf(
  sign: string | undefined,
  min: number,
  comma: string | undefined,
  high: string | undefined,
): number | undefined {
  if (sign !== undefined) return sign === '?' ? 1 : undefined
  if (comma === undefined) return min
  return high === undefined ? undefined : Number(high)
}

function parseAtom(cursor: Cursor, flags: Flags): Node {
  const sign = cursor.source[cursor.at]
  if (sign === '(') return parseGroup(cursor, flags)
  if (sign === '[') return charNode(takeClass(cursor), flags)
  if (sign === '\\') return parseEscape(cursor, flags)
  if (take(cursor, '.')) return charNode('.', flags)
  if (take(cursor, '^')) return { kind: 'assertion', assertion: flags.m ? 'line_start' : 'start' }
  if (take(cursor, '$')) return { kind: 'assertion', assertion: flags.m ? 'line_end' : 'end' }
  if (sign === '*' || sign === '+' || sign === '?') throw new SyntaxFault()
  const point = String.fromCodePoint(cursor.source.codePointAt(cursor.at) ?? 0)
  cursor.at += point.length
  return literal(point, flags)
}

function literal(point: string, flags: Flags): Node {
  if (flags.i) return charNode(/[\^$\\.*+?()[\]{}|/]/.test(point) ? `\\${point}` : point, flags)
  return { kind: 'char', test: (subject) => subject === point }
}

/** One character as a pattern of JavaScript: a single character cannot backtrack. */
function charNode(source: string, flags: Flags): Node {
  const pattern = new RegExp(`^${source}$`, `u${flags.i ? 'i' : ''}${flags.s ? 's' : ''}`)
  // `.` alone leaves out more line ends in JavaScript than in RE2, which knows the newline only.
  if (source === '.') return { kind: 'char', test: (point) => flags.s || point !== '\n' }
  return { kind: 'char', test: (point) => pattern.test(point) }
}

function parseGroup(cursor: Cursor, flags: Flags): Node {
  const found = matchHere(cursor, /\((?:\?(?:(<?[=!])|P?<[A-Za-z_]\w*>|([ism]*)(?:-([ism]+))?:))?/y)
  if (found === undefined || cursor.source[cursor.at] === '?') throw new SyntaxFault()
  const [, look, on, off] = found
  const item = parseChoice(cursor, switchFlags(flags, on, off))
  if (!take(cursor, ')')) throw new SyntaxFault()
  if (look === undefined) return item
  return { kind: 'look', item, ahead: !look.startsWith('<'), negated: look.endsWith('!') }
}

function parseEscape(cursor: Cursor, flags: Flags): Node {
  const anchor = matchHere(cursor, /\\([AzbB])/y)?.[1]
  if (anchor === 'A') return { kind: 'assertion', assertion: 'start' }
  if (anchor === 'z') return { kind: 'assertion', assertion: 'end' }
  if (anchor === 'b') return { kind: 'assertion', assertion: 'word_boundary' }
  if (anchor === 'B') return { kind: 'assertion', assertion: 'no_word_boundary' }
  const hex = matchHere(
    cursor,
    /\\[xu]\{([0-9A-Fa-f]{1,6})\}|\\x([0-9A-Fa-f]{2})|\\u([0-9A-Fa-f]{4})/y,
  )
  if (hex !== undefined) {
    const [, braced, short, long] = hex
    return literal(String.fromCodePoint(Number.parseInt(braced ?? short ?? long ?? '', 16)), flags)
  }
  const known = matchHere(cursor, /\\(?:[dDwWsSnrtfv]|[pP]\{[\w=]+\})/y)
  if (known !== undefined) return charNode(known[0], flags)
  const letter = matchHere(cursor, /\\([pP])([A-Z])/y)
  if (letter !== undefined) return charNode(`\\${letter[1]}{${letter[2]}}`, flags)
  const sign = matchHere(cursor, /\\([^A-Za-z0-9])/uy)?.[1]
  if (sign === undefined) throw new SyntaxFault()
  return literal(sign, flags)
}

/** A bracketed class in JavaScript's syntax; a leading `]` is an ordinary member. */
function takeClass(cursor: Cursor): string {
  const found = matchHere(cursor, /\[(\^?)(\]?)((?:\\[\s\S]|[^\]\\])*)\]/y)
  if (found === undefined) throw new SyntaxFault()
  const [, negation = '', bracket = '', members = ''] = found
  if (members.includes('[:')) throw new SyntaxFault()
  const plain = members.replace(/\\([^A-Za-z0-9])/gu, (whole, sign: string) =>
    /[\^$\\.*+?()[\]{}|/-]/.test(sign) ? whole : sign,
  )
  return `[${negation}${bracket === '' ? '' : '\\]'}${plain}]`
}

function take(cursor: Cursor, sign: string): boolean {
  if (cursor.source[cursor.at] !== sign) return false
  cursor.at++
  return true
}

function matchHere(cursor: Cursor, pattern: RegExp): RegExpExecArray | undefined {
  pattern.lastIndex = cursor.at
  const found = pattern.exec(cursor.source)
  if (found === null) return undefined
  cursor.at = pattern.lastIndex
  return found
}
