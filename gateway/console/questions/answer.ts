/** Answers as charts read them. An answer belongs to its question: another kind has other rows. */
import { useEffect, useRef } from 'preact/hooks'
import { hasTime } from '../../../src/core/charts/buckets.ts'
import type { TrendRow } from '../../../src/core/charts/trends.ts'
import type { JsonObject } from '../../client/index.ts'
import { type Answer, ask } from '../data/questions.ts'
import { type Resource, useResource } from '../data/resource.ts'
import { changed, intervalIn } from './question.ts'

export type Answered = { readonly question: JsonObject; readonly answer: Answer<never> }

/** Actors of a data point that the user opens. */
export type Opened = { readonly title: string; readonly source: JsonObject }

export type ResultProps = Answered & {
  /** Name for screen readers. */
  readonly title: string
  readonly height?: number
  readonly isTile?: boolean
  /** Undefined for viewers, who see no actors. */
  readonly onOpen: ((opened: Opened) => void) | undefined
}

type Asks = (signal: AbortSignal, ask: () => Promise<Answer<never>>) => Promise<Answer<never>>

/**
 * @param wait lets the question wait for its turn.
 * @param round asks anew, past the cache, when it changes.
 */
export function useAnswer(
  project: number,
  question: JsonObject,
  wait?: Asks,
  round = 0,
): Resource<Answered> {
  const key = JSON.stringify(question)
  const done = useRef(round)
  const answered = useResource(`insight ${project} ${key}`, async (signal) => {
    const isForced = done.current !== round
    const asks = () => ask<never>(project, question, signal, isForced)
    const answer = await (wait?.(signal, asks) ?? asks())
    done.current = round
    return { question, answer }
  })
  const { reload } = answered
  useEffect(() => {
    if (done.current !== round) reload()
  }, [round, reload])
  const { data, error } = answered
  const isOther = data !== undefined && JSON.stringify(data.question) !== key
  // The answer to another question says nothing about the one that has failed.
  return error !== undefined && isOther ? { ...answered, data: undefined } : answered
}

/** Names one number of the answer to a question. */
export function actorsOf(question: JsonObject, point: JsonObject): JsonObject {
  return { kind: 'InsightActorsQuery', source: question, ...point }
}

/** @param at undefined for the number of the whole range. */
export function pointOf(question: JsonObject, row: TrendRow, at: number | undefined): JsonObject {
  const days = daysOf(question, row)
  return changed(
    {},
    {
      series: row.action?.order,
      day: at === undefined ? undefined : days[at],
      breakdown: row.breakdown_value,
      compare: row.compare_label,
    },
  )
}

/** How questions name the buckets of a row. */
export function daysOf(question: JsonObject, { buckets, days }: TrendRow): readonly string[] {
  return hasTime(intervalIn(question)) ? buckets : days
}
