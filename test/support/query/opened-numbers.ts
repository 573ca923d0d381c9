/** Opens the actors of the numbers of an answer. */
import type { Json } from '../../../src/core/json.ts'
import type { InsightAnswer } from '../../../src/query/insights/count-answers.ts'
import type { asker } from './questions.ts'

/** A row of a list of actors. */
export type OpenedActor = {
  readonly id: string | null
  readonly distinct_ids: readonly string[]
  readonly properties: Json
  readonly created_at: string | null
}

type OpenedPage = {
  readonly results: readonly (readonly [OpenedActor])[]
  readonly hasMore: boolean
}

/** @param point what names the number, such as `{ day: '2026-10-25' }`. */
export function opener({ ask }: ReturnType<typeof asker>) {
  const open = (source: Json, point: Record<string, Json>, more: Record<string, Json>) => {
    const kind = 'InsightActorsQuery'
    return ask({ kind: 'ActorsQuery', source: { kind, source, ...point }, ...more })
  }
  const page = async (
    source: Json,
    point: Record<string, Json>,
    more: Record<string, Json> = {},
  ) => {
    const answer = await open(source, point, more)
    if (!answer.ok) throw new Error(`${answer.error.attr}: ${answer.error.detail}`)
    return pageOf(answer.value)
  }
  return {
    page,
    /** The member for which the number is refused; undefined when it is not. */
    refused: async (source: Json, point: Record<string, Json>, more: Record<string, Json> = {}) => {
      const answer = await open(source, point, more)
      return answer.ok ? undefined : answer.error.attr
    },
    /** All actors, read as one page. */
    actors: async (source: Json, point: Record<string, Json>): Promise<readonly OpenedActor[]> =>
      actorsOf(await page(source, point, { limit: 1_000 })),
    /** All actors, read as pages of so many. */
    inPages: async (source: Json, point: Record<string, Json>, limit: number) => {
      const all: OpenedActor[] = []
      for (;;) {
        const { results, hasMore } = await page(source, point, { limit, offset: all.length })
        all.push(...actorsOf({ results, hasMore }))
        if (!hasMore) return all
      }
    },
  }
}

function pageOf(answer: InsightAnswer): OpenedPage {
  return JSON.parse(JSON.stringify(answer))
}

function actorsOf({ results }: OpenedPage): readonly OpenedActor[] {
  return results.map(([actor]) => actor)
}
