import { formatSeconds } from '../../../src/core/charts/duration.ts'
import { PathsChart } from '../charts/paths-chart.tsx'
import { nameOfItem } from '../charts/paths-layout.ts'
import type { Answer } from '../data/questions.ts'
import { actorsOf, type ResultProps } from './answer.ts'
import { RESULT_TEXTS as TEXTS } from './texts.ts'

type PathEdge = {
  readonly source: string
  readonly target: string
  readonly value: number
  /** Milliseconds. */
  readonly average_conversion_time: number
}

/** Paths of persons. */
export function PathsResult({ title, question, answer, height, onOpen }: ResultProps) {
  const edges = (answer as Answer<PathEdge>).results
  if (edges.length === 0) return <p class="result-note">{TEXTS.nothing}</p>
  return (
    <PathsChart
      title={title}
      edges={edges}
      height={height ?? 360}
      more={{
        title: TEXTS.average,
        cell: ({ average_conversion_time: ms }) => formatSeconds(ms / 1000),
      }}
      onOpen={
        onOpen &&
        (({ source, target }) =>
          onOpen({
            title: `${nameOfItem(source)} → ${nameOfItem(target)}`,
            source: actorsOf(question, { pathStartKey: source, pathEndKey: target }),
          }))
      }
    />
  )
}
