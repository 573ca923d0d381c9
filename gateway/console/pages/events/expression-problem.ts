/** Place of an error in an expression, as the server reports it. */
import { failureOf } from '../../data/failure.ts'
import type { Asked } from './events-question.ts'

export type ExpressionProblem = {
  readonly list: 'select' | 'where' | 'orderBy'
  readonly message: string
  /** The expression that is wrong, as it was sent. */
  readonly text: string
  /** Index of the first wrong character in it. */
  readonly at: number
}

const PLACE = /^(.*) at character (\d+) of "(.*)"\.$/s
const LISTS = ['select', 'where', 'orderBy'] as const

/** @returns undefined for other failures. */
export function expressionProblem(error: unknown, asked: Asked): ExpressionProblem | undefined {
  if (error === undefined) return undefined
  const { attr, detail } = failureOf(error)
  const list = LISTS.find((each) => attr === each || attr?.endsWith(`.${each}`))
  const [, message, character, echo] = PLACE.exec(detail) ?? []
  if (list === undefined || message === undefined || echo === undefined) return undefined
  const start = echo.endsWith('…') ? echo.slice(0, -1) : undefined
  const text = asked[list].find(
    (each) => each === echo || (start !== undefined && each.startsWith(start)),
  )
  if (text === undefined) return undefined
  // Characters are counted from 1, and a surrogate pair counts as one.
  const before = Array.from(text).slice(0, Number(character) - 1)
  return { list, message, text, at: before.join('').length }
}

/** The text before the wrong place, the word that is wrong, and what follows. */
export function splitAt(text: string, at: number): readonly [string, string, string] {
  const rest = text.slice(at)
  const word = /^(?:[\w$]+|'[^']*'?|\S)/u.exec(rest)?.[0] ?? ''
  return [text.slice(0, at), word, rest.slice(word.length)]
}
