import type { ComponentType } from 'preact'
import { later } from '../../kit/later.tsx'
import { asKind, KINDS, type Kind, kindOf } from '../../questions/question.ts'
import { KIND_NAMES } from '../../questions/texts.ts'
import type { EditProps } from './edit.ts'
import { Breakdown, Filters } from './filters.tsx'
import { SeriesList } from './series-list.tsx'
import { INSIGHT_TEXTS as TEXTS } from './texts.ts'
import { TrendSettings } from './trend-settings.tsx'

type Settings = typeof import('./settings.ts')

const FunnelSettings = settings(({ FunnelSettings: Part }) => Part)
const RetentionSettings = settings(({ RetentionSettings: Part }) => Part)
const PathsSettings = settings(({ PathsSettings: Part }) => Part)
const TableSettings = settings(({ TableSettings: Part }) => Part)

function settings(pick: (all: Settings) => ComponentType<EditProps>): ComponentType<EditProps> {
  return later(async () => pick(await import('./settings.ts')))
}

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
  return (
    <fieldset class="insight-kinds">
      <legend class="unseen">{TEXTS.kinds}</legend>
      {KINDS.map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={each === kind}
          onClick={() => each !== kind && onChange(asKind(question, each))}
        >
          {KIND_NAMES[each]}
        </button>
      ))}
    </fieldset>
  )
}

/** The question in parts; a kind that has none is changed as JSON. */
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
