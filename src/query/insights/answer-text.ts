/** Writes answers as JSON text. */
import { exactJson, parseExact } from '../../core/json-text/exact-numbers.ts'

/** A member of an answer that is JSON text already: its numbers keep all their digits. */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toJSON(): unknown {
    return parseExact(this.text)
  }
}

/** JSON text of an answer. Undefined members are left out. */
export function answerText(answer: Readonly<Record<string, unknown>>): string {
  const members: string[] = []
  for (const [name, value] of Object.entries(answer)) {
    if (value === undefined) continue
    const text = value instanceof JsonText ? value.text : exactJson(value)
    members.push(`${JSON.stringify(name)}:${text}`)
  }
  return `{${members.join()}}`
}

/** Collects the answers to a list of questions as JSON text, so many bytes at most. */
export function createAnswerList(bytesMax: number): {
  /** @param instead replaces an answer that no longer fits; it always fits. */
  add(answer: string, instead: string): void
  text(): string
} {
  const items: string[] = []
  let left = bytesMax
  return {
    add: (answer, instead) => {
      const bytes = Buffer.byteLength(answer)
      items.push(bytes <= left ? answer : instead)
      if (bytes <= left) left -= bytes
    },
    text: () => `{"results":[${items.join()}]}`,
  }
}
