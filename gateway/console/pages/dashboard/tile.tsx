import { useContext, useEffect, useState } from 'preact/hooks'
import type { DashboardTile, JsonObject } from '../../../client/index.ts'
import { AnnotationsHere } from '../../data/annotations.ts'
import { isRecord } from '../../data/json.ts'
import { Icon } from '../../kit/icons.tsx'
import { Menu, type MenuItem } from '../../kit/menu.tsx'
import { useAnswer } from '../../questions/answer.ts'
import { InsightResult } from '../../questions/result.tsx'
import { widthOf } from '../../questions/tiles.ts'
import type { ConcurrencyPool } from './concurrency-pool.ts'
import { type Override, overridden } from './override.ts'
import { DASHBOARD_TEXTS as TEXTS, WIDTHS } from './texts.ts'

export type TileActions = {
  readonly move: (to: number) => void
  readonly widen: (w: number) => void
  /** Only for a text tile. */
  readonly edit: () => void
  readonly remove: () => void
}

export type Refreshed = {
  /** Number of refreshes that the user has asked for. */
  readonly round: number
  /** Called with the time of an answer. */
  readonly onAnswer: (time: string) => void
}

type TileProps = {
  readonly project: number
  readonly tile: DashboardTile
  readonly index: number
  readonly count: number
  readonly override: Override
  readonly pool: ConcurrencyPool
  readonly actions: TileActions
} & Refreshed

const DRAGGED = 'application/x-sluice-tile'
const CHART_PX = 240

/** One insight, or a text. It is moved by its menu, or by dragging its head onto another tile. */
export function TileView(props: TileProps) {
  const { project, tile, index, count, override, pool, actions, round, onAnswer } = props
  const [isTarget, setTarget] = useState(false)
  const here = useContext(AnnotationsHere)
  const name = tile.insight === null ? TEXTS.text : tile.name || tile.insight
  const isDrag = (event: DragEvent) => event.dataTransfer?.types.includes(DRAGGED) === true
  return (
    <li
      class={`tile tile-${widthOf(tile)}${isTarget ? ' tile-target' : ''}`}
      onDragOver={(event) => {
        if (!isDrag(event)) return
        event.preventDefault()
        setTarget(true)
      }}
      onDragLeave={() => setTarget(false)}
      onDrop={(event) => {
        setTarget(false)
        if (!isDrag(event)) return
        event.preventDefault()
        dropped.get(event.dataTransfer?.getData(DRAGGED) ?? '')?.(index)
      }}
    >
      {/* The menu moves it by keys. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: see above */}
      <header
        class="tile-head"
        draggable
        title={TEXTS.drag}
        onDragStart={(event) => startDrag(event, index, actions.move)}
      >
        <Icon name="grip" />
        {tile.text !== null && <p class="tile-text">{tile.text.body}</p>}
        {tile.insight !== null && (
          <h2>
            <a href={`/project/${project}/insights/${tile.insight}`} draggable={false}>
              {name}
            </a>
          </h2>
        )}
        <Menu
          label={`${TEXTS.more} ${name}`}
          icon="more"
          tone="quiet"
          items={itemsOf({ tile, index, count, actions })}
        />
      </header>
      {tile.text === null &&
        (isRecord(tile.query) ? (
          <AnnotationsHere.Provider value={{ ...here, insight: { shortId: tile.insight ?? '' } }}>
            <Answer
              project={project}
              pool={pool}
              title={name}
              round={round}
              onAnswer={onAnswer}
              question={overridden(tile.query, override)}
            />
          </AnnotationsHere.Provider>
        ) : (
          <p>{TEXTS.noQuestion}</p>
        ))}
    </li>
  )
}

/** Drop handler of the dragged tile, by its index. */
const dropped = new Map<string, (to: number) => void>()

function startDrag(event: DragEvent, index: number, move: (to: number) => void): void {
  dropped.clear()
  dropped.set(String(index), move)
  event.dataTransfer?.setData(DRAGGED, String(index))
}

type ItemsOf = Pick<TileProps, 'tile' | 'index' | 'count' | 'actions'>

function itemsOf({ tile, index, count, actions }: ItemsOf): readonly MenuItem[] {
  return [
    ...(index > 0 ? [{ label: TEXTS.earlier, onSelect: () => actions.move(index - 1) }] : []),
    ...(index < count - 1 ? [{ label: TEXTS.later, onSelect: () => actions.move(index + 1) }] : []),
    ...WIDTHS.map(({ w, label }) => ({
      label,
      isChosen: w === widthOf(tile),
      onSelect: () => actions.widen(w),
    })),
    ...(tile.text === null ? [] : [{ label: TEXTS.edit, onSelect: actions.edit }]),
    { label: TEXTS.remove, onSelect: actions.remove },
  ]
}

type AnswerProps = Refreshed & {
  readonly project: number
  readonly title: string
  readonly question: JsonObject
  readonly pool: ConcurrencyPool
}

function Answer({ project, title, question, pool, round, onAnswer }: AnswerProps) {
  const answer = useAnswer(project, question, pool, round)
  const time = answer.data?.answer.last_refresh
  useEffect(() => {
    if (time !== undefined) onAnswer(time)
  }, [time, onAnswer])
  return <InsightResult of={answer} title={title} height={CHART_PX} isTile />
}
