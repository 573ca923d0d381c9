import type { JsonObject } from '../../../client/index.ts'

/** Properties of each part of the insight builder. */
export type EditProps = {
  readonly question: JsonObject
  readonly onChange: (question: JsonObject) => void
}
