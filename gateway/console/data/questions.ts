/** Questions of `query/` and the parts of their answers that pages read. */
import type { TrendRow } from '../../../src/core/charts/trends.ts'
import { type Json, type JsonObject, runQuery } from '../../client/index.ts'
import { client } from './client.ts'
import { cut } from './format.ts'
import { isRecord } from './json.ts'

export type Answer<Row = TrendRow> = {
  readonly results: readonly Row[]
  readonly hasMore?: boolean
  readonly is_cached?: boolean
  /** Time of the computation. */
  readonly last_refresh?: string
  readonly timings?: readonly { readonly k: string; readonly t: number }[]
}

/**
 * @param isForced computes anew what is cached.
 * @throws {ApiError} whose `attr` is the path of what is wrong with the question.
 */
export async function ask<Row = TrendRow>(
  project: number,
  query: JsonObject,
  signal: AbortSignal,
  isForced = false,
): Promise<Answer<Row>> {
  const input = { project_id: project, query }
  const asked = isForced ? { ...input, refresh: 'force_blocking' as const } : input
  const answer: unknown = await runQuery(client, asked, { signal })
  return answer as Answer<Row>
}

/** Error that replaces an answer. */
export type Unanswered = { readonly error: { readonly detail: string; readonly code: string } }

/** Several questions in one call. */
export async function askAll(
  project: number,
  queries: readonly JsonObject[],
  signal: AbortSignal,
): Promise<readonly (Answer<never> | Unanswered)[]> {
  const body = { project_id: project, query: queries }
  const answer: unknown = await runQuery(client, body, { signal })
  return (answer as { readonly results: readonly Answer<never>[] }).results
}

export function isAnswered(answer: object | undefined): answer is Answer<never> {
  return answer !== undefined && !('error' in answer)
}

/** One actor of a number. */
export type Actor = {
  /** Null for a distinct id without a person. */
  readonly id: string | null
  readonly distinct_ids: readonly string[]
  readonly properties: Json
  readonly created_at: string | null
  /** Only for a group, which has no distinct ids. */
  readonly group_key?: string
  readonly group_type_index?: number
}

/** Rows of one actor each. */
export type ActorRow = readonly [Actor]

/** Longest duration of the statements that ran, and the time of the oldest answer. */
export function freshnessOf(answers: readonly object[]): string {
  const read = answers.filter(isAnswered)
  const seconds = read.flatMap(({ timings = [] }) => timings.map(({ t }) => t))
  const at =
    read
      .map(({ last_refresh = '' }) => last_refresh)
      .sort()
      .at(0) ?? ''
  const time = at.slice(11, 19)
  const counted = `Computed in ${Math.max(0, ...seconds).toFixed(2)} s`
  return time === '' ? counted : `${counted}, complete to ${time} UTC`
}

const NAME_CHARS_MAX = 200

/** Name of a person: a name or e-mail address among the properties, or a distinct id. */
export function nameOfActor({
  properties,
  distinct_ids,
}: Pick<Actor, 'properties' | 'distinct_ids'>) {
  const known = isRecord(properties) ? properties : {}
  const named = ['email', 'name', 'username'].map((key) => known[key]).find(isText)
  return cut(named ?? distinct_ids[0] ?? 'unknown', NAME_CHARS_MAX)
}

function isText(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== ''
}
