import { useState } from 'preact/hooks'
import { Button } from '../../kit/button.tsx'
import { filtersOfExpression, joined } from '../../kit/filters/expression-filters.ts'
import type { PropertyFilter } from '../../kit/filters/filter.ts'
import { FilterChips } from '../../kit/filters/filter-chips.tsx'
import type { ExpressionProblem } from './expression-problem.ts'
import { EVENTS_TEXTS as TEXTS } from './texts.ts'
import { WhereText } from './where-text.tsx'

type WhereBarProps = {
  readonly where: readonly string[]
  /** Filters on properties, persons and cohorts. */
  readonly properties: readonly PropertyFilter[]
  /** Problem in the expression. */
  readonly problem: ExpressionProblem | undefined
  readonly onChange: (where: readonly string[]) => void
  readonly onFilters: (filters: readonly PropertyFilter[]) => void
}

/** Edits the conditions of the list: filters, and expressions each by itself or as one text. */
export function WhereBar({ where, properties, problem, onChange, onFilters }: WhereBarProps) {
  const whole = joined(where)
  const [chosen, choose] = useState<{ readonly isText: boolean; readonly of: string }>()
  // A problem opens the text editor, unless the user has left it for the filters.
  const isText =
    problem === undefined ? chosen?.isText === true : chosen?.of !== whole || chosen.isText
  const apply = (text: string, staysText: boolean) => {
    choose({ isText: staysText, of: text })
    if (text !== whole) onChange(text === '' ? [] : [text])
  }
  if (isText) {
    const start = problem === undefined ? 0 : Math.max(0, whole.indexOf(problem.text))
    return (
      <>
        <WhereText
          key={whole}
          text={whole}
          problem={problem && { message: problem.message, at: start + problem.at }}
          onApply={(text) => apply(text, true)}
          onLeave={(text) => apply(text, false)}
        />
        {properties.length > 0 && (
          <FilterChips
            of="events"
            filters={properties}
            onChange={(filters) => onFilters([...filtersOfWhere(where), ...filters])}
          />
        )}
      </>
    )
  }
  return (
    <div class="events-where">
      <FilterChips
        of="events"
        filters={[...filtersOfWhere(where), ...properties]}
        onChange={onFilters}
      />
      <Button tone="quiet" onClick={() => choose({ isText: true, of: whole })}>
        {TEXTS.asText}
      </Button>
    </div>
  )
}

function filtersOfWhere(where: readonly string[]): readonly PropertyFilter[] {
  return where.flatMap(filtersOfExpression)
}
