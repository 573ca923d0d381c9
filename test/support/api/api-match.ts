/** Compares an answer with what an API case expects. */
import { isDeepStrictEqual } from 'node:util'
import { absent, type Expectation } from '../../api/support/case.ts'
import type { Reply } from '../http/http-call.ts'
import { fillText, fillValue, type Names, valueAt } from './placeholders.ts'

/** Sentences about differences from the expectation; none when the answer fits. */
export function differences(reply: Reply, expect: Expectation, names: Names): string[] {
  const problems: string[] = []
  if (reply.status !== expect.status) {
    problems.push(`status is ${reply.status}, not ${expect.status}`)
  }
  if (expect.body !== undefined) {
    compare(reply.body, fillValue(expect.body, names), 'body', problems)
  }
  if (expect.keys !== undefined) compareKeys(reply.body, expect.keys, 'body', problems)
  for (const [place, keys] of Object.entries(expect.keysAt ?? {})) {
    compareKeys(valueAt(reply.body, place), keys, `body.${place}`, problems)
  }
  for (const [name, wanted] of Object.entries(expect.headers ?? {})) {
    compareText(reply.headers[name], wanted, `header ${name}`, names, problems)
  }
  if (expect.text !== undefined) compareText(reply.text, expect.text, 'text', names, problems)
  return problems
}

function compare(found: unknown, wanted: unknown, place: string, problems: string[]): void {
  if (wanted instanceof RegExp) {
    const fits = typeof found === 'string' && wanted.test(found)
    if (!fits) problems.push(`${place} is ${show(found)}, which does not fit ${wanted}`)
  } else if (Array.isArray(wanted)) {
    if (!Array.isArray(found) || found.length !== wanted.length) {
      problems.push(`${place} is ${show(found)}, not a list of ${wanted.length}`)
      return
    }
    for (const [at, each] of wanted.entries()) compare(found[at], each, `${place}.${at}`, problems)
  } else if (typeof wanted === 'object' && wanted !== null) {
    if (typeof found !== 'object' || found === null || Array.isArray(found)) {
      problems.push(`${place} is ${show(found)}, not an object`)
      return
    }
    for (const [name, each] of Object.entries(wanted)) {
      const is = Object.hasOwn(found, name)
      if (each === absent) {
        if (is) problems.push(`${place}.${name} is there`)
      } else if (!is) problems.push(`${place}.${name} is missing`)
      else compare(Reflect.get(found, name), each, `${place}.${name}`, problems)
    }
  } else if (!isDeepStrictEqual(found, wanted)) {
    problems.push(`${place} is ${show(found)}, not ${show(wanted)}`)
  }
}

function compareKeys(
  found: unknown,
  wanted: readonly string[],
  place: string,
  problems: string[],
): void {
  const keys = typeof found === 'object' && found !== null ? Object.keys(found) : []
  const missing = wanted.filter((key) => !keys.includes(key))
  const extra = keys.filter((key) => !wanted.includes(key))
  if (missing.length > 0) problems.push(`${place} lacks ${missing.join(', ')}`)
  if (extra.length > 0) problems.push(`${place} has ${extra.join(', ')} too`)
}

function compareText(
  found: string | undefined,
  wanted: string | RegExp,
  place: string,
  names: Names,
  problems: string[],
): void {
  const text = wanted instanceof RegExp ? wanted : fillText(wanted, names)
  const fits = text instanceof RegExp ? text.test(found ?? '') : found === text
  if (!fits) problems.push(`${place} is ${show(found)}, not ${text}`)
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}
