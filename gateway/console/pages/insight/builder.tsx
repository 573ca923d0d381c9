import type { ComponentType } from 'preact'
import { hasOneValue } from '../../../../src/core/charts/trends.ts'
import { Button } from '../../kit/button.tsx'
import { later } from '../../kit/later.tsx'
import { useAction } from '../../kit/use-action.ts'
import {
  changedIn,
  displayOf,
  KINDS,
  type Kind,
  kindOf,
  listIn,
  memberOf,
  textIn,
} from '../../questions/question.ts'
import { KIND_NAMES } from '../../questions/texts.ts'
import type { EditProps } from './edit.ts'
import { TextField } from './fields.tsx'
import { Breakdown, Filters } from './filters.tsx'
import { SeriesList } from './series-list.tsx'
import { INSIGHT_TEXTS as TEXTS } from './texts.ts'

const FunnelSettings = later(
  async () => (await import('./kinds/funnel-settings.tsx')).FunnelSettings,
)
const RetentionSettings = later(
  async () => (await import('./kinds/retention-settings.tsx')).RetentionSettings,
)
const PathsSettings = later(async () => (await import('./kinds/paths-settings.tsx')).PathsSettings)
const TableSettings = later(async () => (await import('./kinds/table-settings.tsx')).TableSettings)

/** As many as a question takes. */
const GOALS_MAX = 10

/** The parts of a question of each kind, from above. */
const PARTS: Readonly<Record<Kind, readonly ComponentType<EditProps>[]>> = {
  TrendsQuery: [SeriesList, Filters, Breakdown, TrendSettings],
  FunnelsQuery: [SeriesList, FunnelSettings, Filters, Breakdown],
  RetentionQuery: [RetentionSettings, Filters],
  PathsQuery: [PathsSettings, Filters],
  StickinessQuery: [SeriesList, Filters],
  LifecycleQuery: [SeriesList, Filters],
  EventsQuery: [TableSettings, Filters],
}

/** Chooses the kind; events, filters and days are kept. */
export function Kinds({ question, onChange }: EditProps) {
  const kind = kindOf(question)
  const { run } = useAction()
  const choose = async (next: Kind) => {
    const { asKind } = await import('../../questions/as-kind.ts')
    onChange(asKind(question, next))
  }
  return (
    <fieldset class="insight-kinds">
      <legend class="unseen">{TEXTS.kinds}</legend>
      {KINDS.map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={each === kind}
          onClick={() => each !== kind && run(() => choose(each))}
        >
          {KIND_NAMES[each]}
        </button>
      ))}
    </fieldset>
  )
}

/** Builder of the question; kinds without parts are edited as JSON. */
export function Builder({ question, onChange }: EditProps) {
  const kind = kindOf(question)
  if (kind === undefined) return null
  return (
    <>
      {PARTS[kind].map((Part, index) => (
        <Part key={`${kind} ${index}`} question={question} onChange={onChange} />
      ))}
    </>
  )
}

const GoalLines = later(async () => (await import('./goal-lines-editor.tsx')).GoalLines)

function TrendSettings({ question, onChange }: EditProps) {
  const filter = memberOf(question, 'trendsFilter')
  const goals = listIn(filter, 'goalLines')
  const addGoal = () =>
    onChange(
      changedIn(question, 'trendsFilter', {
        goalLines: [...goals, { label: TEXTS.goal, value: 0 }],
      }),
    )
  return (
    <fieldset class="insight-part">
      <legend>{TEXTS.settings}</legend>
      <TextField
        label={TEXTS.formula}
        hint={TEXTS.formulaHint}
        value={textIn(filter, 'formula')}
        onCommit={(formula) =>
          onChange(changedIn(question, 'trendsFilter', { formula: formula || undefined }))
        }
      />
      {goals.length > 0 && <GoalLines question={question} onChange={onChange} />}
      {!hasOneValue(displayOf(question)) && goals.length < GOALS_MAX && (
        <Button tone="quiet" icon="plus" onClick={addGoal}>
          {TEXTS.addGoal}
        </Button>
      )}
    </fieldset>
  )
}
