/** The long form of conformance.test.ts: each request of half a thousand vectors. */
import t from 'tap'
import { checkConditions } from '../../support/conditions/conformance.ts'

t.test('all conditions through HTTP', (t) => checkConditions(t))
