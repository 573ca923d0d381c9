import type { Owner } from './model.ts'

/** Letter and colour of an owner; nothing for a member without shards. */
export function OwnerMark({ of }: { readonly of: Owner | undefined }) {
  if (of === undefined) return null
  return <span class={`cluster-mark tone-${of.tone}`}>{of.letter}</span>
}
