/**
 * `JSON.parse` for texts that others wrote. V8 since 12.8 (Node 24 and 26) may read the name of a
 * member that is written with an escape as another name, one that holds a backslash and that an
 * object of the same shape had before (nodejs/node issue 63785). Anybody could so change the names
 * in the events of others. Names with an escape are therefore written without one before V8 sees
 * them.
 */
import { randomUUID } from 'node:crypto'
import { isList, isObject, type Json, setOwn } from '../json.ts'
import { isBeforeColon } from './json-characters.ts'

const QUOTE = 34
const BACKSLASH = 92
/** Characters that a name must escape; a lone surrogate would not survive UTF-8. */
const NEEDS_ESCAPE = /["\\\p{Cc}\p{Cs}]/u
/** Prefix for the number of a name that needs an escape; random, so that no client knows it. */
const ALIAS = randomUUID()

const isAffected = Number.parseFloat(process.versions.v8) >= 12.8

/** As `JSON.parse`. @throws {SyntaxError} when the text is no JSON. */
export const parseJson: (text: string) => Json = isAffected ? parseWithPlainNames : JSON.parse

/** Replaces `JSON.parse` where V8 needs it; exported for its tests. */
export function parseWithPlainNames(text: string): Json {
  if (!text.includes('\\')) return JSON.parse(text)
  const { parts, names } = withPlainNames(text)
  const value: Json = JSON.parse(parts.join(''))
  return names.length === 0 ? value : withNames(value, names)
}

/** The text in parts, with aliases in place of names, and the names by alias number. */
function withPlainNames(text: string): { parts: string[]; names: readonly string[] } {
  const parts: string[] = []
  const aliases = new Map<string, string>()
  let kept = 0
  for (let start = text.indexOf('"'); start !== -1; ) {
    const { end, isEscaped } = stringAt(text, start)
    if (isEscaped && isBeforeColon(text, end + 1)) {
      const name = String(JSON.parse(text.slice(start, end + 1)))
      parts.push(
        text.slice(kept, start + 1),
        NEEDS_ESCAPE.test(name) ? aliasOf(name, aliases) : name,
      )
      kept = end
    }
    start = text.indexOf('"', end + 1)
  }
  parts.push(text.slice(kept))
  return { parts, names: [...aliases.keys()] }
}

/** The closing quote of the string that opens at `start`, or the end of the text. */
function stringAt(text: string, start: number): { end: number; isEscaped: boolean } {
  let isEscaped = false
  for (let at = start + 1; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === QUOTE) return { end: at, isEscaped }
    if (unit === BACKSLASH) {
      isEscaped = true
      at += 1
    }
  }
  return { end: text.length, isEscaped }
}

function aliasOf(name: string, aliases: Map<string, string>): string {
  const alias = aliases.get(name) ?? `${ALIAS}${aliases.size}`
  aliases.set(name, alias)
  return alias
}

/** The same value with aliases replaced by their names. */
function withNames(value: Json, names: readonly string[]): Json {
  if (isList(value)) return value.map((each) => withNames(each, names))
  if (!isObject(value)) return value
  const named: Record<string, Json> = {}
  for (const [key, each] of Object.entries(value)) {
    const name = key.startsWith(ALIAS) ? names[Number(key.slice(ALIAS.length))] : undefined
    setOwn(named, name ?? key, withNames(each, names))
  }
  return named
}
