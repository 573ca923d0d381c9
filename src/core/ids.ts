/**
 * Branded ids: a project id cannot be passed where a user id is meant. The `as` casts of the tree
 * live in these constructors and in parsers.
 */
declare const brand: unique symbol
type Branded<T, Name extends string> = T & { readonly [brand]: Name }

/** Positive 32-bit integer, `projects.id`. */
export type ProjectId = Branded<number, 'ProjectId'>
/** Positive 32-bit integer, `users.id`. */
export type UserId = Branded<number, 'UserId'>
/** UUID text in lower case, `organizations.id`. */
export type OrganizationId = Branded<string, 'OrganizationId'>
/** 0 to 255, the unit of ownership; see `cluster/shards/shard.ts`. */
export type ShardId = Branded<number, 'ShardId'>
/** Fencing token of a shard: rises with each change of owner. `bigint` end to end. */
export type Epoch = Branded<bigint, 'Epoch'>
/** Rises with each change of a project's flags, plugin configs or settings. */
export type Revision = Branded<number, 'Revision'>

const INT32_MAX = 2_147_483_647
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const LOOSE_UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i

/** Whether a text is a UUID with hyphens, in letters of any case. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** As `isUuid`; hyphens may be missing. */
export function isLooseUuid(text: string): boolean {
  return LOOSE_UUID.test(text)
}

/** @throws {RangeError} when `value` is not a positive 32-bit integer. */
export function projectId(value: number): ProjectId {
  if (!Number.isInteger(value) || value < 1 || value > INT32_MAX) {
    throw new RangeError(`not a project id: ${value}`)
  }
  return value as ProjectId
}

/** @throws {RangeError} when `value` is not a positive 32-bit integer. */
export function userId(value: number): UserId {
  if (!Number.isInteger(value) || value < 1 || value > INT32_MAX) {
    throw new RangeError(`not a user id: ${value}`)
  }
  return value as UserId
}

export function organizationId(value: string): OrganizationId {
  return value.toLowerCase() as OrganizationId
}

export function shardId(value: number): ShardId {
  return value as ShardId
}

export function epoch(value: bigint): Epoch {
  return value as Epoch
}

export function revision(value: number): Revision {
  return value as Revision
}

/** A cohort id as filters hold it: an integer, or its decimal text. */
export function cohortIdOf(value: unknown): number | undefined {
  const id = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof id === 'number' && Number.isSafeInteger(id) ? id : undefined
}
