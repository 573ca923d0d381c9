/** The long form of migrate-rows: seconds of processor for each schema. */
import t from 'tap'
import { checkOldSchemas } from '../../support/store/old-schemas.ts'

t.test('the product serves the rows of each older schema', (t) => checkOldSchemas(t, () => true))
