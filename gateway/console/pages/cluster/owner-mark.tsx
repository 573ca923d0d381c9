import type { Owner } from './model.ts'

/** The letter and the colour of an owner; nothing for who owns no shards. */
export function OwnerMark({ of }: { readonly of: Owner | undefined }) {
  if (of === undefined) return null
  return <span class={`cluster-mark tone-${of.tone}`}>{of.letter}</span>
}
