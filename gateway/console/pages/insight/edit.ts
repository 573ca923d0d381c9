import type { JsonObject } from '../../../client/index.ts'

/** What each part of the builder is given. */
export type EditProps = {
  readonly question: JsonObject
  readonly onChange: (question: JsonObject) => void
}
