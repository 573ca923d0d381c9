/** Reads the members of a question; a problem names the member by its path. */
import { cleanText } from '../../../core/clean-text.ts'
import { isList, isObject, type Json, type JsonObject, own } from '../../../core/json.ts'
import { INSIGHT_TEXT_CHARS_MAX } from '../../../core/limits/limits-query.ts'

/** Ends the reading of a question. `readQuestion` catches it. */
export class QuestionProblem extends Error {
  /** Dotted path of the member, such as `series.0.math`. */
  readonly attr: string
  readonly code: 'invalid_input' | 'unsupported_query'

  constructor(attr: string, detail: string, code: QuestionProblem['code'] = 'invalid_input') {
    super(detail)
    this.attr = attr
    this.code = code
  }
}

/** Members of one object. A null member counts as absent. */
export type Members = {
  readonly path: string
  /** @returns the path of a member. */
  at(name: string): string
  json(name: string): Json | undefined
  /** @throws {QuestionProblem} when it is no text of at most `lengthMax` characters. */
  text(name: string, lengthMax?: number): string | undefined
  flag(name: string): boolean
  /** @throws {QuestionProblem} when it is no whole number within the bounds. */
  whole(name: string, minimum: number, maximum: number): number | undefined
  choice<C extends string>(name: string, choices: readonly C[]): C | undefined
  members(name: string, allowed: readonly string[]): Members | undefined
  list(name: string): readonly Json[] | undefined
}

/** Path of a member of the value at `path`. */
export function pathIn(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

/**
 * @param allowed the members that the object may have; any other is a problem.
 * @throws {QuestionProblem}
 */
export function membersOf(value: Json, path: string, allowed: readonly string[]): Members {
  if (!isObject(value)) throw new QuestionProblem(path, 'Must be an object.')
  const unknown = Object.keys(value).find((name) => !allowed.includes(name))
  if (unknown !== undefined) throw new QuestionProblem(pathIn(path, unknown), 'Unknown member.')
  return new ObjectMembers(value, path)
}

/**
 * Members of an object whose kind decides which members it may have, so the kind is checked first.
 * @throws {QuestionProblem}
 */
export function membersOfKind(
  value: Json,
  kind: string,
  path: string,
  allowed: readonly string[],
): Members {
  if (isObject(value) && own(value, 'kind') !== kind) {
    throw new QuestionProblem(pathIn(path, 'kind'), `Must be ${kind}.`)
  }
  return membersOf(value, path, allowed)
}

class ObjectMembers implements Members {
  readonly path: string
  readonly #object: JsonObject

  constructor(object: JsonObject, path: string) {
    this.#object = object
    this.path = path
  }

  at(name: string): string {
    return pathIn(this.path, name)
  }

  json(name: string): Json | undefined {
    return own(this.#object, name) ?? undefined
  }

  text(name: string, lengthMax = INSIGHT_TEXT_CHARS_MAX): string | undefined {
    const value = this.json(name)
    if (value === undefined) return undefined
    if (typeof value !== 'string' || value.length > lengthMax) {
      throw new QuestionProblem(this.at(name), `Must be a text of at most ${lengthMax} characters.`)
    }
    return cleanText(value)
  }

  flag(name: string): boolean {
    const value = this.json(name) ?? false
    if (typeof value !== 'boolean') {
      throw new QuestionProblem(this.at(name), 'Must be true or false.')
    }
    return value
  }

  whole(name: string, minimum: number, maximum: number): number | undefined {
    const value = this.json(name)
    if (value === undefined) return undefined
    const isWhole = typeof value === 'number' && Number.isSafeInteger(value)
    if (!isWhole || value < minimum || value > maximum) {
      const detail = `Must be a whole number from ${minimum} to ${maximum}.`
      throw new QuestionProblem(this.at(name), detail)
    }
    return value
  }

  choice<C extends string>(name: string, choices: readonly C[]): C | undefined {
    const value = this.json(name)
    if (value === undefined) return undefined
    const found = choices.find((choice) => choice === value)
    if (found === undefined) {
      throw new QuestionProblem(this.at(name), `Must be one of ${choices.join(', ')}.`)
    }
    return found
  }

  members(name: string, allowed: readonly string[]): Members | undefined {
    const value = this.json(name)
    return value === undefined ? undefined : membersOf(value, this.at(name), allowed)
  }

  list(name: string): readonly Json[] | undefined {
    const value = this.json(name)
    if (value === undefined) return undefined
    if (!isList(value)) throw new QuestionProblem(this.at(name), 'Must be a list.')
    return value
  }
}
