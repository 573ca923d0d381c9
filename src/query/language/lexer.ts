/** Splits the text of an expression into tokens. */
import { err, ok, type Result } from '../../core/result.ts'
import type { Problem } from './tree.ts'

export type Token = {
  readonly kind: 'number' | 'text' | 'key' | 'name' | 'symbol' | 'end'
  readonly at: number
  /** The text without quotes and escapes; otherwise as `source`. */
  readonly value: string
  /** The token as it is written. */
  readonly source: string
}

const SPACE = /(?:\s|--[^\n]*)+/y
const NUMBER = /\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/y
const NAME = /[A-Za-z_$][A-Za-z0-9_$]*/y
/** Longer symbols come first. */
const SYMBOL = /\|\||==|!=|<>|<=|>=|[()[\],.+\-*/%=<>]/y

/**
 * Splits a text into tokens; the last one is the end. A comment runs from `--` to the end of its
 * line. Linear, and never throws.
 */
export function tokenize(text: string): Result<readonly Token[], Problem> {
  const tokens: Token[] = []
  let at = 0
  while (true) {
    at += match(SPACE, text, at)?.length ?? 0
    if (at >= text.length) break
    const token = nextToken(text, at)
    if (token === undefined) return err(problemAt(text, at))
    tokens.push(token)
    at += token.source.length
  }
  tokens.push({ kind: 'end', at: text.length, value: '', source: '' })
  return ok(tokens)
}

function nextToken(text: string, at: number): Token | undefined {
  const quote = text.charAt(at)
  if (quote === "'" || quote === '"' || quote === '`') return quoted(text, at, quote)
  for (const [kind, pattern] of PLAIN) {
    const source = match(pattern, text, at)
    if (source !== undefined) return { kind, at, value: source, source }
  }
  return undefined
}

const PLAIN = [
  ['number', NUMBER],
  ['name', NAME],
  ['symbol', SYMBOL],
] as const

/**
 * Reads a quoted text. A quote in it is doubled or follows a backslash, and a backslash may be
 * doubled. Any other backslash stands for itself, because patterns of `like` use it.
 */
function quoted(text: string, at: number, quote: string): Token | undefined {
  const parts: string[] = []
  let start = at + 1
  for (let end = start; end < text.length; end++) {
    const character = text.charAt(end)
    const next = text.charAt(end + 1)
    const isEscape = character === '\\' && (next === quote || next === '\\')
    if (isEscape || (character === quote && next === quote)) {
      parts.push(text.slice(start, end), next)
      start = end + 2
      end++
    } else if (character === quote) {
      parts.push(text.slice(start, end))
      const kind = quote === '`' ? 'key' : 'text'
      return { kind, at, value: parts.join(''), source: text.slice(at, end + 1) }
    }
  }
  return undefined
}

function problemAt(text: string, at: number): Problem {
  const [character = ''] = text.slice(at, at + 2)
  const isQuote = character === "'" || character === '"' || character === '`'
  return { message: isQuote ? 'Unclosed quote' : `Unexpected "${character}"`, at }
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}
