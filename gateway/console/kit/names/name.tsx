import { labelOf } from '../../../../src/core/charts/label.ts'

/** The display name of an event or a property; the name itself is on hover. */
export function Name({ of }: { readonly of: string }) {
  const label = labelOf(of)
  return <bdi title={label === of ? undefined : of}>{label}</bdi>
}
