/** Formulas over the series of a question: `(A + B) / C`. */

import { INSIGHT_FORMULA_CHARS_MAX } from '../../core/limits/limits-query.ts'
import { err, ok, type Result } from '../../core/result.ts'

/** Levels of a formula's brackets and signs. */
const INSIGHT_FORMULA_DEPTH_MAX = 64

/** A checked formula. */
export type Formula =
  | { readonly kind: 'number'; readonly value: number }
  /** The series, from 0. */
  | { readonly kind: 'series'; readonly index: number }
  | { readonly kind: 'negative'; readonly of: Formula }
  | {
      readonly kind: 'operation'
      readonly operator: Operator
      readonly left: Formula
      readonly right: Formula
    }

type Operator = '+' | '-' | '*' | '/' | '%' | '**'

const TOKEN = /\s*(\*\*|[-+*/%()]|\d+(?:\.\d+)?|\.\d+|[A-Za-z]+)/y
const FIRST_LETTER = 65

/**
 * Reads a formula. `**` groups to the right and binds tighter than a minus before it.
 * @param seriesCount letters beyond it are errors.
 */
export function parseFormula(text: string, seriesCount: number): Result<Formula, string> {
  if (text.length > INSIGHT_FORMULA_CHARS_MAX)
    return err(`A formula has at most ${INSIGHT_FORMULA_CHARS_MAX} characters.`)
  const tokens = tokensOf(text)
  if (!tokens.ok) return tokens
  const parser = new Parser(tokens.value, seriesCount)
  try {
    return ok(parser.whole())
  } catch (error) {
    if (error instanceof FormulaProblem) return err(error.message)
    throw error
  }
}

class FormulaProblem extends Error {}

function tokensOf(text: string): Result<readonly string[], string> {
  const tokens: string[] = []
  const pattern = new RegExp(TOKEN)
  const end = text.trimEnd().length
  while (pattern.lastIndex < end) {
    const at = pattern.lastIndex
    const match = pattern.exec(text)
    if (match === null) return err(`A formula cannot have the character at ${at + 1}.`)
    tokens.push(match[1] ?? '')
  }
  return ok(tokens)
}

class Parser {
  readonly #tokens: readonly string[]
  readonly #seriesCount: number
  #at = 0
  #depth = 0

  constructor(tokens: readonly string[], seriesCount: number) {
    this.#tokens = tokens
    this.#seriesCount = seriesCount
  }

  whole(): Formula {
    const formula = this.#sum()
    const rest = this.#tokens[this.#at]
    if (rest !== undefined) throw new FormulaProblem(`A formula cannot go on with "${rest}".`)
    return formula
  }

  #sum(): Formula {
    let left = this.#product()
    for (let operator = this.#take('+', '-'); operator; operator = this.#take('+', '-')) {
      left = { kind: 'operation', operator, left, right: this.#product() }
    }
    return left
  }

  #product(): Formula {
    let left = this.#signed()
    for (let operator = this.#take('*', '/', '%'); operator; operator = this.#take('*', '/', '%')) {
      left = { kind: 'operation', operator, left, right: this.#signed() }
    }
    return left
  }

  #signed(): Formula {
    if (++this.#depth > INSIGHT_FORMULA_DEPTH_MAX) {
      throw new FormulaProblem(`A formula nests at most ${INSIGHT_FORMULA_DEPTH_MAX} levels.`)
    }
    const isNegative = this.#take('-') !== undefined
    const formula: Formula = isNegative ? { kind: 'negative', of: this.#signed() } : this.#power()
    this.#depth--
    return formula
  }

  #power(): Formula {
    const left = this.#atom()
    const operator = this.#take('**')
    return operator ? { kind: 'operation', operator, left, right: this.#signed() } : left
  }

  #atom(): Formula {
    const token = this.#tokens[this.#at++]
    if (token === undefined) throw new FormulaProblem('The formula ends too early.')
    if (token === '(') {
      const inner = this.#sum()
      if (this.#tokens[this.#at++] !== ')') throw new FormulaProblem('A bracket is not closed.')
      return inner
    }
    if (/^[\d.]/.test(token)) return { kind: 'number', value: Number(token) }
    if (/^[A-Za-z]$/.test(token)) {
      const index = token.toUpperCase().charCodeAt(0) - FIRST_LETTER
      if (index < this.#seriesCount) return { kind: 'series', index }
      throw new FormulaProblem(`There is no series ${token.toUpperCase()}.`)
    }
    throw new FormulaProblem(`A formula cannot have "${token}" here.`)
  }

  #take<O extends Operator>(...operators: readonly O[]): O | undefined {
    const found = operators.find((operator) => operator === this.#tokens[this.#at])
    if (found !== undefined) this.#at++
    return found
  }
}

/** The value of a formula. A quotient by zero is 0, and so is an outcome that is not finite. */
export function formulaValue(formula: Formula, series: readonly number[]): number {
  const value = compute(formula, series)
  return Number.isFinite(value) ? value + 0 : 0
}

function compute(formula: Formula, series: readonly number[]): number {
  switch (formula.kind) {
    case 'number':
      return formula.value
    case 'series':
      return series[formula.index] ?? 0
    case 'negative':
      return -compute(formula.of, series)
    case 'operation':
      return operate(
        formula.operator,
        compute(formula.left, series),
        compute(formula.right, series),
      )
    default:
      return formula satisfies never
  }
}

function operate(operator: Operator, left: number, right: number): number {
  switch (operator) {
    case '+':
      return left + right
    case '-':
      return left - right
    case '*':
      return left * right
    case '/':
      return right === 0 ? 0 : left / right
    case '%':
      return right === 0 ? 0 : left % right
    case '**':
      return left ** right
    default:
      return operator satisfies never
  }
}
