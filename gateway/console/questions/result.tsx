import type { ComponentType } from 'preact'
import { useState } from 'preact/hooks'
import { hasOneValue } from '../../../src/core/charts/trends.ts'
import { freshnessOf } from '../data/questions.ts'
import type { Resource } from '../data/resource.ts'
import { later } from '../kit/later.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { Skeleton } from '../kit/skeleton.tsx'
import type { Answered, Opened, ResultProps } from './answer.ts'
import { displayOf, type Kind, kindOf, memberOf, textIn } from './question.ts'
import './result.css'
import { RESULT_TEXTS as TEXTS } from './texts.ts'

/** Results by kind, each loaded when first shown: the question appears before its answer. */
const RESULTS: Readonly<Record<Kind, ComponentType<ResultProps>>> = {
  TrendsQuery: drawn(async () => (await import('./trend-result.tsx')).TrendResult),
  FunnelsQuery: drawn(async () => (await import('./funnel-result.tsx')).FunnelResult),
  RetentionQuery: drawn(async () => (await import('./retention-result.tsx')).RetentionResult),
  PathsQuery: drawn(async () => (await import('./paths-result.tsx')).PathsResult),
  StickinessQuery: drawn(async () => (await import('./activity-result.tsx')).StickinessResult),
  LifecycleQuery: drawn(async () => (await import('./activity-result.tsx')).LifecycleResult),
  EventsQuery: drawn(async () => (await import('./table-result.tsx')).TableResult),
}

/** Results of a funnel by graph type, other than its steps. */
const FUNNELS: Readonly<Record<string, ComponentType<ResultProps>>> = {
  trends: drawn(async () => (await import('./funnel-over-time.tsx')).FunnelTrend),
  time_to_convert: drawn(async () => (await import('./funnel-over-time.tsx')).FunnelTimes),
}
const ValuesResult = drawn(async () => (await import('./values-result.tsx')).ValuesResult)
const ActorsDrawer = later(
  async () => (await import('../kit/drawers/actors-drawer.tsx')).ActorsDrawer,
)

function drawn(load: () => Promise<ComponentType<ResultProps>>): ComponentType<ResultProps> {
  return later(load, ({ height = HEIGHT_PX }) => <Skeleton height={height + CHROME_PX} />)
}

const HEIGHT_PX = 320
const CHROME_PX = 44

type InsightResultProps = {
  readonly of: Resource<Answered>
  /** Sentence or name of the question. */
  readonly title: string
  readonly height?: number
  /** One of many on a page, which says for all how fresh they are. */
  readonly isTile?: boolean
  /** The numbers of the answer do not open. */
  readonly isShared?: boolean
}

/** The answer to a question: a drawing whose numbers open, and how fresh it is. */
export function InsightResult(props: InsightResultProps) {
  const { of, title, height = HEIGHT_PX, isTile = false, isShared = false } = props
  const [opened, setOpened] = useState<Opened>()
  return (
    <>
      <Loaded of={of} skeleton={<Skeleton height={height + CHROME_PX} />}>
        {(answered) => (
          <>
            <Drawn
              {...answered}
              title={title}
              height={height}
              isTile={isTile}
              onOpen={isShared ? undefined : setOpened}
            />
            {!isTile && <p class="result-foot">{freshnessOf([answered.answer])}</p>}
          </>
        )}
      </Loaded>
      {opened !== undefined && <ActorsDrawer {...opened} onClose={() => setOpened(undefined)} />}
    </>
  )
}

function Drawn(props: ResultProps) {
  const kind = kindOf(props.question)
  if (kind === undefined) {
    return (
      <>
        <p class="result-note">{TEXTS.unknown}</p>
        <pre class="result-answer">{JSON.stringify(props.answer, null, 2)}</pre>
      </>
    )
  }
  const shape = textIn(memberOf(props.question, 'funnelsFilter'), 'funnelVizType')
  if (kind === 'TrendsQuery' && hasOneValue(displayOf(props.question))) {
    return <ValuesResult {...props} />
  }
  const Kind = (kind === 'FunnelsQuery' ? FUNNELS[shape] : undefined) ?? RESULTS[kind]
  return <Kind {...props} />
}
