/** Goes through the tokens of one expression for the parser. */

import { EXPRESSION_NODES_MAX } from '../../core/limits/limits-query.ts'
import type { Token } from './lexer.ts'
import { ProblemRaised } from './problem.ts'
import type { Budget, Expression } from './tree.ts'

/** Levels of brackets, calls, `not` and `-`. */
export const EXPRESSION_DEPTH_MAX = 32

/** Reserved where a value begins. None of them can be the name of a field there. */
const KEYWORDS: ReadonlySet<string> = new Set(
  ['and', 'or', 'not', 'in', 'like', 'ilike', 'between', 'is', 'null', 'true'].concat('false'),
)

/** The position of the parser in the tokens of one text. It counts parts and depth. */
export class Cursor {
  readonly #tokens: readonly Token[]
  readonly #budget: Budget
  #place = 0
  #depth = 0

  constructor(tokens: readonly Token[], budget: Budget) {
    this.#tokens = tokens
    this.#budget = budget
  }

  /** The token at the position. Past the end it is the end token. */
  peek(ahead = 0): Token {
    const last = this.#tokens.length - 1
    const token = this.#tokens[Math.min(this.#place + ahead, last)]
    return token ?? { kind: 'end', at: 0, value: '', source: '' }
  }

  next(): Token {
    const token = this.peek()
    this.#place++
    return token
  }

  isSymbol(symbol: string, ahead = 0): boolean {
    const token = this.peek(ahead)
    return token.kind === 'symbol' && token.source === symbol
  }

  /** The keyword at the position, in lower case. */
  keyword(ahead = 0): string | undefined {
    const token = this.peek(ahead)
    const word = token.source.toLowerCase()
    return token.kind === 'name' && KEYWORDS.has(word) ? word : undefined
  }

  /** Skips the symbol if it is next. */
  takeSymbol(symbol: string): boolean {
    const isThere = this.isSymbol(symbol)
    if (isThere) this.next()
    return isThere
  }

  takeKeyword(word: string): boolean {
    const isThere = this.keyword() === word
    if (isThere) this.next()
    return isThere
  }

  expectSymbol(symbol: string): void {
    if (!this.takeSymbol(symbol)) this.fail(`Expected "${symbol}"`)
  }

  expectKeyword(word: string): void {
    if (!this.takeKeyword(word)) this.fail(`Expected "${word}"`)
  }

  /** @throws {ProblemRaised} that names the next token and what was expected. */
  fail(expected: string): never {
    const { kind, source, at } = this.peek()
    const found = kind === 'end' ? 'found the end' : `found ${source}`
    throw new ProblemRaised(`${expected} but ${found}`, at)
  }

  /** Counts a part of the tree against the budget. */
  made(expression: Expression): Expression {
    if (this.#budget.nodes-- <= 0) {
      const message = `The expressions have more than ${EXPRESSION_NODES_MAX} parts together`
      throw new ProblemRaised(message, expression.at)
    }
    return expression
  }

  /** Counts a level of nesting while `parse` runs. */
  nested<T>(parse: () => T): T {
    if (this.#depth >= EXPRESSION_DEPTH_MAX) {
      const message = `The expression has more than ${EXPRESSION_DEPTH_MAX} levels`
      throw new ProblemRaised(message, this.peek().at)
    }
    this.#depth++
    const result = parse()
    this.#depth--
    return result
  }
}
