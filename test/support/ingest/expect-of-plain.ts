/** Expectation of a store that remembers no person: plain events change nothing. */
import { isOrdered } from '../../../src/ingest/ordering.ts'
import type { IngestStore } from '../../../src/ingest/store-port.ts'

export const expectOfPlain: IngestStore['expect'] = (_project, event) =>
  isOrdered(event) ? undefined : { names: '', set: '' }
