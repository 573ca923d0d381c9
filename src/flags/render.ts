import type { Fragments } from './flag-result.ts'

/**
 * Forms of the flag members of an answer, named after the decide version that introduced them;
 * `ofrep` is that of OpenFeature's remote evaluation protocol.
 */
export type MembersShape = 'v1' | 'v2' | 'v3' | 'v4' | 'ofrep'

type Answer = {
  readonly results: readonly { readonly value: unknown; readonly fragments: Fragments }[]
  readonly errorsWhileComputingFlags: boolean
}

/**
 * The flag members of an answer as JSON text, without braces around it:
 * v1 `"featureFlags":["key"]`, v2 only those that are on, v3 all with payloads, v4 `"flags":{…}`,
 * ofrep `"flags":[…]`.
 * Flags keep the order of `results`.
 */
export function renderMembers(shape: MembersShape, answer: Answer): string {
  const { results, errorsWhileComputingFlags } = answer
  const errors = `"errorsWhileComputingFlags":${errorsWhileComputingFlags}`
  switch (shape) {
    case 'v1':
      return `"featureFlags":[${joined(results, (result) => result.fragments.listed)}]`
    case 'v2': {
      const members = joined(results, ({ value, fragments }) =>
        value === false ? '' : fragments.valued,
      )
      return `"featureFlags":{${members}}`
    }
    case 'v3': {
      const values = joined(results, (result) => result.fragments.valued)
      const payloads = joined(results, (result) => result.fragments.payload)
      return `"featureFlags":{${values}},"featureFlagPayloads":{${payloads}},${errors}`
    }
    case 'v4':
      return `"flags":{${joined(results, (result) => result.fragments.detailed)}},${errors}`
    case 'ofrep':
      return `"flags":[${joined(results, (result) => result.fragments.openFeature())}]`
    default:
      return shape satisfies never
  }
}

function joined<T>(results: readonly T[], fragmentOf: (result: T) => string): string {
  let text = ''
  for (const result of results) {
    const fragment = fragmentOf(result)
    if (fragment === '') continue
    text += text === '' ? fragment : `,${fragment}`
  }
  return text
}
