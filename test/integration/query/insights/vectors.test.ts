import t from 'tap'
import { checkVectors } from '../../../support/insights/vectors.ts'

t.test('the vectors of the specification hold', (t) => checkVectors(t))
