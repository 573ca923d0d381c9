/** Tokens of an expression, split as by the server. */

export type Token = {
  readonly kind: 'number' | 'text' | 'key' | 'name' | 'symbol'
  readonly at: number
  /** Without quotes and escapes; otherwise as `source`. */
  readonly value: string
  readonly source: string
}

const SPACE = /(?:\s|--[^\n]*)+/y
const KINDS = [
  ['text', /'(?:''|\\.|[^'])*'|"(?:""|\\.|[^"])*"/sy],
  ['key', /`(?:``|\\.|[^`])*`/sy],
  ['number', /\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/y],
  ['name', /[A-Za-z_$][A-Za-z0-9_$]*/y],
  ['symbol', /\|\||==|!=|<>|<=|>=|[()[\],.+\-*/%=<>]/y],
] as const

/** @returns undefined where the text cannot be split: the server reports the error. */
export function tokensOf(text: string): readonly Token[] | undefined {
  const tokens: Token[] = []
  let at = 0
  for (;;) {
    at += match(SPACE, text, at)?.length ?? 0
    if (at >= text.length) return tokens
    const found = tokenAt(text, at)
    if (found === undefined) return undefined
    tokens.push(found)
    at += found.source.length
  }
}

function tokenAt(text: string, at: number): Token | undefined {
  for (const [kind, pattern] of KINDS) {
    const source = match(pattern, text, at)
    if (source === undefined) continue
    const value = kind === 'text' || kind === 'key' ? unquoted(source) : source
    return { kind, at, value, source }
  }
  return undefined
}

/** A quote in it is doubled or follows a backslash, which may be doubled; others are themselves. */
function unquoted(source: string): string {
  const quote = source.charAt(0)
  const inner = source.slice(1, -1)
  return inner.replace(/(['"`\\])\1|\\(['"`])/g, (whole, twice: string, escaped: string) => {
    const character = twice ?? escaped
    return character === quote || character === '\\' ? character : whole
  })
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}
