import { useState } from 'preact/hooks'
import { isAnswered } from '../../data/questions.ts'
import { DEFAULT_RANGE, labelOfRange, RANGES, rangeOf, textOfRange } from '../../data/ranges.ts'
import { Select } from '../../kit/field.tsx'
import { Loaded } from '../../kit/loaded.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { UnansweredNote } from '../../kit/unanswered.tsx'
import { GoalsPanel } from '../web/goals-panel.tsx'
import { PANELS, tabOf } from '../web/panels.ts'
import { WebNumbers } from '../web/web-numbers.tsx'
import { WebPanel } from '../web/web-panel.tsx'
import { type AskedWeb, currentOf, figuresOf, visitorsOf } from '../web/web-questions.ts'
import { type SharedProps, useAnswers } from './shared-data.ts'
import { SharedFoot } from './shared-foot.tsx'
import { SHARED_TEXTS as TEXTS } from './texts.ts'

/** Numbers of a site, over a range that the viewer chooses. */
export function SharedWeb(props: SharedProps) {
  const own = textOfRange(props.page.dateRange ?? rangeOf(DEFAULT_RANGE))
  const [date, setDate] = useState(own)
  const [show, setShow] = useState('visitors')
  const [tabs, setTabs] = useState<AskedWeb['tabs']>({})
  const asked: AskedWeb = {
    date,
    filters: [],
    compare: 'before',
    isWithoutTests: false,
    goal: undefined,
    tabs,
  }
  const [first, ...others] = figuresOf(asked)
  const figure = others.find(({ key }) => key === show) ?? first
  const range = date === own ? {} : { dateRange: rangeOf(date) }
  const questions = [
    { kind: 'WebOverviewQuery', ...range },
    { kind: 'WebTrendsQuery', metrics: [figure?.key ?? ''], ...range },
    { current: true },
    { kind: 'WebGoalsQuery', ...range },
    ...PANELS.map((panel) => ({
      kind: 'WebStatsTableQuery',
      breakdownBy: tabOf(panel, tabs[panel.key] ?? null).by,
      ...range,
    })),
  ]
  const answers = useAnswers(props, questions)
  return (
    <>
      <div class="shared-range">
        <span>{currentOf(answers.data?.[2])}</span>
        <Select
          label={TEXTS.range}
          labelHidden={true}
          options={rangesWith(own)}
          value={date}
          onChange={({ currentTarget: { value } }) => setDate(value)}
        />
      </div>
      <Loaded of={answers} skeleton={<Skeleton height={640} />}>
        {([overview, trend, , goals, ...panels]) => (
          <UnansweredNote answers={answers.data ?? []} onRetry={answers.reload}>
            {figure !== undefined && (
              <WebNumbers
                asked={asked}
                overview={overview}
                trend={trend}
                figure={figure}
                onChoose={setShow}
              />
            )}
            <div class="web-panels">
              {PANELS.map((panel, index) => (
                <WebPanel
                  key={panel.key}
                  panel={panel}
                  asked={asked}
                  answer={panels[index]}
                  visitors={visitorsOf(overview)}
                  onTab={(by) => setTabs({ ...tabs, [panel.key]: by })}
                  onChoose={undefined}
                />
              ))}
              {isAnswered(goals) && goals.results.length > 0 && (
                <GoalsPanel
                  asked={asked}
                  answer={goals}
                  isStale={answers.isStale}
                  onChoose={undefined}
                  onChange={answers.reload}
                />
              )}
            </div>
          </UnansweredNote>
        )}
      </Loaded>
      <SharedFoot answers={answers.data} />
    </>
  )
}

/** The ranges that the link takes; all time is none. */
function rangesWith(own: string) {
  const known = RANGES.filter(({ value }) => value !== 'all')
  return known.some(({ value }) => value === own)
    ? known
    : [{ value: own, label: labelOfRange(own) }, ...known]
}
