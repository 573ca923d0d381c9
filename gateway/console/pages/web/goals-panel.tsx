import '../../styles/ranked.css'
import { useEffect, useState } from 'preact/hooks'
import { formatNumber, formatPercent } from '../../data/format.ts'
import { isAnswered } from '../../data/questions.ts'
import { Button } from '../../kit/button.tsx'
import { later } from '../../kit/later.tsx'
import { changeOf } from './panels.ts'
import { WEB_TEXTS as TEXTS } from './texts.ts'
import type { AskedWeb, GoalRow } from './web-questions.ts'

const GoalsDialog = later(async () => (await import('./goals-dialog.tsx')).GoalsDialog)

type GoalsPanelProps = {
  readonly asked: AskedWeb
  readonly answer: object | undefined
  /** Undefined for viewers. @param goal undefined for none. */
  readonly onChoose: ((goal: string | undefined) => void) | undefined
  /** The goals of the project have changed. */
  readonly onChange: () => void
  /** The answer may be of an earlier question. */
  readonly isStale: boolean
}

/** Goals of the project; a click shows the conversions of one on the whole page. */
export function GoalsPanel({ asked, answer, isStale, onChoose, onChange }: GoalsPanelProps) {
  const [isOpen, setOpen] = useState(false)
  const rows: readonly GoalRow[] = isAnswered(answer) ? answer.results : []
  const isKnown = asked.goal === undefined || rows.some(([name]) => name === asked.goal)
  const isGone = isAnswered(answer) && !isStale && !isKnown
  useEffect(() => {
    if (isGone) onChoose?.(undefined)
  }, [isGone])
  const most = Math.max(1, ...rows.map(([, [unique]]) => unique ?? 0))
  return (
    <section class="ranked web-panel" aria-label={TEXTS.goals}>
      <header class="web-panel-head">
        <h2>{TEXTS.goals}</h2>
      </header>
      {!isAnswered(answer) ? (
        <p class="ranked-empty">{TEXTS.notAnswered}</p>
      ) : rows.length === 0 ? (
        <>
          <p class="ranked-empty">{TEXTS.noGoals}</p>
          <div>
            <Button icon="plus" onClick={() => setOpen(true)}>
              {TEXTS.addGoal}
            </Button>
          </div>
        </>
      ) : (
        <>
          <p class="web-columns" aria-hidden="true">
            <span>{TEXTS.goal}</span>
            <span>{TEXTS.unique}</span>
          </p>
          <ol>
            {rows.map((row) => (
              <li key={row[0]}>
                <Goal row={row} most={most} chosen={asked.goal} onChoose={onChoose} />
              </li>
            ))}
          </ol>
          {onChoose !== undefined && (
            <button type="button" class="link web-more" onClick={() => setOpen(true)}>
              {TEXTS.editGoals}
            </button>
          )}
        </>
      )}
      {isOpen && (
        <GoalsDialog
          onChange={(from, to) => {
            if (from !== undefined && from !== to && from === asked.goal) onChoose?.(to)
            else onChange()
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </section>
  )
}

type GoalProps = Pick<GoalsPanelProps, 'onChoose'> & {
  readonly row: GoalRow
  readonly most: number
  readonly chosen: string | undefined
}

function Goal({ row: [name, [unique, before], , [rate]], most, chosen, onChoose }: GoalProps) {
  const count = unique ?? 0
  const isChosen = chosen === name
  const content = (
    <>
      <span class="ranked-bar" style={{ inlineSize: `${(count / most) * 100}%` }} />
      <span class="ranked-label">{name}</span>
      <span class="figure">
        <small class="web-change">
          {[
            before === null ? '' : changeOf(count, before),
            rate === null ? '' : formatPercent(rate),
          ]
            .filter(Boolean)
            .join(' · ')}
        </small>
        {formatNumber(count)}
      </span>
    </>
  )
  if (onChoose === undefined) return <div class="ranked-item web-plain">{content}</div>
  return (
    <button
      type="button"
      class="ranked-item"
      aria-pressed={isChosen}
      title={`${name}: ${TEXTS.goalHint}`}
      onClick={() => onChoose(isChosen ? undefined : name)}
    >
      {content}
    </button>
  )
}
