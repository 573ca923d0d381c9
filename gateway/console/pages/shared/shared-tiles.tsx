import { isAnswered } from '../../data/questions.ts'
import type { Resource } from '../../data/resource.ts'
import { UnansweredNote } from '../../kit/unanswered.tsx'
import type { Answered } from '../../questions/answer.ts'
import { InsightResult } from '../../questions/result.tsx'
import { widthOf } from '../../questions/tiles.ts'
import { type SharedProps, type SharedTile, useAnswers } from './shared-data.ts'
import { SharedFoot } from './shared-foot.tsx'
import { SHARED_TEXTS as TEXTS } from './texts.ts'

type Answers = NonNullable<ReturnType<typeof useAnswers>['data']>

const CHART_PX = 240
const LARGE_CHART_PX = 360

/** Tiles of a dashboard, or the one of an insight. */
export function SharedTiles(props: SharedProps) {
  const { kind, tiles = [] } = props.page
  const places = tiles.flatMap(({ query }, place) => (query === undefined ? [] : [place]))
  const answers = useAnswers(
    props,
    places.map((tile) => ({ tile })),
  )
  const isOne = kind === 'insight'
  return (
    <>
      <ul class="tiles" aria-label={TEXTS.tiles}>
        {tiles.map((tile, place) => (
          <li key={place} class={`tile tile-${isOne ? 12 : columnsOf(tile)}`}>
            <Tile
              tile={tile}
              isOne={isOne}
              answers={answers}
              answer={answers.data?.[places.indexOf(place)]}
            />
          </li>
        ))}
      </ul>
      <SharedFoot answers={answers.data} />
    </>
  )
}

function columnsOf({ text, layouts }: SharedTile): number {
  return widthOf({ insight: text === undefined ? '' : null, text: null, layouts })
}

type TileProps = {
  readonly tile: SharedTile
  readonly isOne: boolean
  readonly answers: Resource<Answers>
  readonly answer: Answers[number] | undefined
}

function Tile({ tile, isOne, answers, answer }: TileProps) {
  const { name = '', text, query, reason } = tile
  if (text !== undefined) return <p class="tile-text">{text}</p>
  const isRefused = answer !== undefined && !isAnswered(answer)
  const data: Answered | undefined =
    query !== undefined && isAnswered(answer) ? { question: query, answer } : undefined
  return (
    <>
      {!isOne && (
        <header class="tile-head shared-tile-head">
          <h2>{name}</h2>
        </header>
      )}
      {query === undefined ? (
        <p class="result-note">{reason}</p>
      ) : isRefused ? (
        <UnansweredNote answers={[answer]} onRetry={answers.reload} />
      ) : (
        <InsightResult
          of={{ ...answers, data, set: () => undefined }}
          title={name}
          height={isOne ? LARGE_CHART_PX : CHART_PX}
          isTile
          isShared
        />
      )}
    </>
  )
}
