/** The examples of the reference, as a product answers them now and as they are recorded. */
import { writeFileSync } from 'node:fs'
import type { Test } from 'tap'
import { type Example, examplesPath, readExamples } from '../../../scripts/api/examples.ts'
import { isObject, type Json } from '../../../src/core/json.ts'
import type { OnAnswer } from './api-runner.ts'

/** Replaces the address of the product in recorded texts. */
const ADDRESS = 'https://sluice.example.com'
/** Longer lists of an answer are cut: an example shows what an item is. */
const ITEMS_MAX = 2

export type ExampleBook = {
  readonly add: OnAnswer
  /** Replaces the recorded examples that were answered. */
  write(): void
  /** Each recorded example that was answered has the same status and members of the same types. */
  compare(t: Test): void
}

export function createExampleBook(url: string): ExampleBook {
  const found = new Map<string, Example>()
  return {
    add(apiCase, { verb, path, body }, reply) {
      if (apiCase.isExample !== true) return
      const sent = typeof body === 'string' && body !== '' ? { body: shown(body, url) } : {}
      const isShown = reply.text !== '' && !isPicture(reply)
      const text = isShown ? { body: shown(reply.text, url) } : {}
      const example = {
        endpoint: apiCase.endpoint,
        request: { verb, path: withoutSecrets(path, url), ...sent },
        answer: { status: reply.status, ...text },
      }
      found.set(nameOf(example), example)
    },
    write() {
      const all = new Map(readExamples().map((each) => [nameOf(each), each]))
      for (const [name, each] of found) all.set(name, each)
      const sorted = [...all.keys()].sort().map((name) => all.get(name))
      writeFileSync(examplesPath, `${JSON.stringify(sorted, null, 2)}\n`)
    },
    compare(t) {
      const recorded = readExamples()
      for (const [name, now] of found) {
        const then = recorded.find((each) => nameOf(each) === name)
        if (then === undefined) t.fail(`${name} is not recorded`)
        else t.same(unlike(then.answer.body, now.answer.body, 'body'), [], name)
      }
    },
  }
}

function isPicture({ headers }: { readonly headers: Readonly<Record<string, string>> }): boolean {
  return headers['content-type']?.startsWith('image/') === true
}

function nameOf({ endpoint, answer }: Example): string {
  return `${endpoint} ${answer.status}`
}

function shown(text: string, url: string): Json {
  return shortened(JSON.parse(withoutSecrets(text, url)) as Json)
}

/** Replaces keys, tokens and the address, which mean nothing to a reader. */
function withoutSecrets(text: string, url: string): string {
  return text
    .replaceAll(url, ADDRESS)
    .replaceAll(url.replace('http://', ''), ADDRESS.replace('https://', ''))
    .replace(/\bphx_[\w-]{20,}/g, 'phx_your_personal_key')
    .replace(/\bphc_[\w-]{20,}/g, 'phc_your_project_key')
    .replace(/("csrf_token":\s?")[\w-]{40,}/g, '$1the_token_of_the_session')
    .replace(/(\/shared\/|"access_token":\s?")[0-9A-Za-z]{43}/g, '$1the_token_of_the_link')
    .replace(/(\/unsubscribe\/)[0-9A-Za-z]{43}/g, '$1the_token_of_the_mail')
    .replace(/(\/signup\/|"token":\s?")[\w-]{40,}/g, '$1the_token_of_the_invite')
}

function shortened(value: Json): Json {
  if (Array.isArray(value)) return value.slice(0, ITEMS_MAX).map(shortened)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, shortened(each as Json)]),
  )
}

/** Paths at which two values differ in members or types. Null matches everything. */
function unlike(one: Json | undefined, other: Json | undefined, place: string): string[] {
  if (one === null || other === null) return []
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.flatMap((item, index) => unlike(item, other[index] ?? null, `${place}.${index}`))
  }
  if (isObject(one) && isObject(other)) {
    const [known, now] = [one, other] as const
    const keys = [...new Set([...Object.keys(known), ...Object.keys(now)])]
    return keys.flatMap((key) =>
      unlike(known[key] as Json | undefined, now[key] as Json | undefined, `${place}.${key}`),
    )
  }
  return kindOf(one) === kindOf(other) ? [] : [`${place}: ${kindOf(one)}, now ${kindOf(other)}`]
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'list'
  return typeof value
}
