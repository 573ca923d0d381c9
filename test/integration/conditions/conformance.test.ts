/**
 * The vectors of single conditions through HTTP, in projects of several zones: whoever a flag is on
 * for is in the cohort of its condition, in the lists with it and behind the trend with it.
 */
import t from 'tap'
import { checkConditions } from '../../support/conditions/conformance.ts'

/** Filters of each operator, with all their values: `conformance.fault.ts` has all of them. */
const FILTERS_MAX = 1

t.test('a flag, its cohort, the lists and a trend find the same persons', (t) =>
  checkConditions(t, FILTERS_MAX),
)
