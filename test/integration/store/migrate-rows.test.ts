import t from 'tap'
import { checkOldSchemas } from '../../support/store/old-schemas.ts'

// A start of the product takes seconds: `old-schemas.fault.ts` has one on each schema.
t.test('rows of each older schema are in the newest one, and the product serves them', (t) =>
  checkOldSchemas(t, (index, last) => index === 0 || index === last),
)
