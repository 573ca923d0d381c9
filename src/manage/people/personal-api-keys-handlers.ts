import type { PersonalApiKeyServiceDefinition } from '../../../proto/gen/sluice/v1/PersonalApiKeyService.ts'
import { currentPlace } from '../../access/current-project.ts'
import { invalid, notFound, permissionDenied } from '../../access/errors.ts'
import { excessOver, type KeyLimits, knownScopes, UNRESTRICTED } from '../../access/key-limits.ts'
import { keyDigest, makePersonalKey, maskKey, randomText } from '../../access/keys.ts'
import type { Principal } from '../../access/principal.ts'
import { assert } from '../../core/code.ts'
import { PERSONAL_KEYS_MAX } from '../../core/limits/limits.ts'
import type { NewsHub } from '../../core/project-news.ts'
import {
  findVisibleProjects,
  listMemberships,
} from '../../store/people/organization-membership-store.ts'
import {
  countPersonalKeys,
  deletePersonalKey,
  findPersonalKey,
  insertPersonalKey,
  type KeySettings,
  type KeyTrace,
  listPersonalKeys,
  lockPersonalKey,
  type PersonalKey,
  rollPersonalKey,
  updatePersonalKey,
} from '../../store/people/personal-key-store.ts'
import { lockUser } from '../../store/people/user-store.ts'
import type { Sql } from '../../store/pool/connect.ts'
import type { Db } from '../../store/pool/db.ts'
import { echo } from '../../wire/details.ts'
import { methods } from '../../wire/proto/proto.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import { audit } from '../audit.ts'
import type { Management } from '../management.ts'
import {
  isEmptyChange,
  isGiven,
  KEY_DEFAULTS,
  type KeyFields,
  mergeKey,
  toPersonalApiKey,
} from './personal-api-key-message.ts'

const SERVICE = '/sluice.v1.PersonalApiKeyService'
/** As an id: the key that the call is made with. */
const CURRENT = '@current'
/** As `randomText` makes ids. */
const KEY_ID = /^[0-9A-Za-z]{1,64}$/

const FIELDS: Readonly<Record<keyof KeyLimits, string>> = {
  scopes: 'scopes',
  scopedProjects: 'scoped_teams',
  scopedOrganizations: 'scoped_organizations',
}

export type PersonalApiKeyHandlersDeps = {
  readonly management: Management
  readonly sql: Sql
  readonly news: Pick<NewsHub, 'publish'>
}

export function createPersonalApiKeyHandlers({
  management,
  sql,
  news,
}: PersonalApiKeyHandlersDeps): ServiceHandlers<PersonalApiKeyServiceDefinition> {
  const scopes = knownScopes(methods())

  /** Tells the news: a caller may be let in by what is remembered of a key. */
  const change = async (work: (tx: Db) => Promise<PersonalKey>): Promise<PersonalKey> => {
    const key = await sql.begin(work)
    news.publish({ kind: 'keys' })
    return key
  }

  return {
    ListPersonalApiKeys: management.ofCaller(`${SERVICE}/ListPersonalApiKeys`, {
      async run({ principal }) {
        const keys = await listPersonalKeys(sql, principal.userId)
        return { results: keys.map((key) => toPersonalApiKey(key)) }
      },
    }),

    CreatePersonalApiKey: management.ofCaller(`${SERVICE}/CreatePersonalApiKey`, {
      async run({ request, principal }) {
        const settings = mergeKey(KEY_DEFAULTS, request)
        requireKnown(scopes, settings)
        await requireVisible(sql, principal, request, settings)
        requireWithin(principal, settings)
        const { value, trace } = makeValue()
        const key = await change((tx) => addKey(tx, principal, settings, trace))
        return toPersonalApiKey(key, value)
      },
    }),

    GetPersonalApiKey: management.ofCaller(`${SERVICE}/GetPersonalApiKey`, {
      find: ({ request, principal }) => keyOf(sql, principal, request.id),
      run: async (_call, key) => toPersonalApiKey(key),
    }),

    UpdatePersonalApiKey: management.ofCaller(`${SERVICE}/UpdatePersonalApiKey`, {
      find: ({ request, principal }) => managedKeyOf(sql, principal, request.id),
      async run({ request, principal }, found) {
        if (isEmptyChange(request)) return toPersonalApiKey(found)
        const wanted = mergeKey(found, request)
        if (isGiven(request, 'scopes')) requireKnown(scopes, wanted)
        await requireVisible(sql, principal, request, wanted)
        const key = await change((tx) => changeKey(tx, principal, found.id, request))
        return toPersonalApiKey(key)
      },
    }),

    RollPersonalApiKey: management.ofCaller(`${SERVICE}/RollPersonalApiKey`, {
      find: ({ request, principal }) => managedKeyOf(sql, principal, request.id),
      async run({ principal }, { id }) {
        const { value, trace } = makeValue()
        const key = await change((tx) => rollKey(tx, principal, id, trace))
        return toPersonalApiKey(key, value)
      },
    }),

    DeletePersonalApiKey: management.ofCaller(`${SERVICE}/DeletePersonalApiKey`, {
      find: ({ request, principal }) => managedKeyOf(sql, principal, request.id),
      async run({ principal }, { id }) {
        await change((tx) => removeKey(tx, principal, id))
        return {}
      },
    }),
  }
}

async function addKey(
  tx: Db,
  principal: Principal,
  settings: KeySettings,
  trace: KeyTrace,
): Promise<PersonalKey> {
  // Two calls at once must not both see room for one more.
  await lockUser(tx, principal.userId)
  await requireRoom(tx, principal)
  const identity = { id: randomText(), user: principal.userId, ...trace }
  const key = await insertPersonalKey(tx, identity, settings)
  await record(tx, principal, key, { activity: 'created', before: null })
  return key
}

async function changeKey(
  tx: Db,
  principal: Principal,
  id: string,
  request: KeyFields,
): Promise<PersonalKey> {
  const stored = await lockManaged(tx, principal, id)
  const settings = mergeKey(stored, request)
  requireWithin(principal, settings)
  const key = existing(await updatePersonalKey(tx, id, settings))
  await record(tx, principal, key, { activity: 'updated', before: stored })
  return key
}

async function rollKey(
  tx: Db,
  principal: Principal,
  id: string,
  trace: KeyTrace,
): Promise<PersonalKey> {
  const stored = await lockManaged(tx, principal, id)
  const key = existing(await rollPersonalKey(tx, id, trace))
  await record(tx, principal, key, { activity: 'rolled', before: stored })
  return key
}

async function removeKey(tx: Db, principal: Principal, id: string): Promise<PersonalKey> {
  const stored = await lockManaged(tx, principal, id)
  await deletePersonalKey(tx, id)
  await record(tx, principal, null, { activity: 'deleted', before: stored })
  return stored
}

/** @throws {AppError} `not_found`, also for the keys of others. */
async function keyOf(db: Db, { userId, keyId }: Principal, id: string): Promise<PersonalKey> {
  const named = id === CURRENT ? keyId : id
  return existing(KEY_ID.test(named) ? await findPersonalKey(db, userId, named) : undefined)
}

/**
 * A key that is about to change. The key of the call must hold no less: whoever rolls a key gets
 * its value, and with it all that it may do.
 * @throws {AppError} `not_found`, `permission_denied`.
 */
async function managedKeyOf(db: Db, principal: Principal, id: string): Promise<PersonalKey> {
  return managed(principal, await keyOf(db, principal, id))
}

/** Once more under its lock: the key may have gone or been given more in between. */
async function lockManaged(tx: Db, principal: Principal, id: string): Promise<PersonalKey> {
  return managed(principal, existing(await lockPersonalKey(tx, principal.userId, id)))
}

function managed(principal: Principal, key: PersonalKey): PersonalKey {
  if (excessOver(principal, key) === undefined) return key
  throw permissionDenied('API keys cannot change keys that hold more than they do.')
}

function existing(key: PersonalKey | undefined): PersonalKey {
  if (key === undefined) throw notFound()
  return key
}

/** @throws {AppError} `invalid_argument` of `scopes`. */
function requireKnown(known: ReadonlySet<string>, { scopes }: KeySettings): void {
  if (scopes.length === 0) throw invalid('A key needs at least one scope.', 'scopes')
  const unknown = scopes.find((scope) => !known.has(scope))
  if (unknown !== undefined) throw invalid(`"${echo(unknown)}" is not a known scope.`, 'scopes')
}

/**
 * What the request restricts a key to must be the caller's to see. What a key has been restricted
 * to before is not judged again: the caller may have left since.
 * @throws {AppError} `invalid_argument` of the list that holds another.
 */
async function requireVisible(
  db: Db,
  { userId }: Principal,
  request: KeyFields,
  { scopedProjects, scopedOrganizations }: KeySettings,
): Promise<void> {
  const projects = isGiven(request, 'scoped_teams') ? scopedProjects : []
  const organizations = isGiven(request, 'scoped_organizations') ? scopedOrganizations : []
  const [seen, joined] = await Promise.all([
    projects.length === 0 ? [] : findVisibleProjects(db, userId, projects),
    organizations.length === 0 ? [] : listMemberships(db, userId, UNRESTRICTED),
  ])
  const hidden = projects.find((id) => !seen.some((project) => project.id === id))
  if (hidden !== undefined) throw unknownItem(FIELDS.scopedProjects, String(hidden))
  const foreign = organizations.find((id) => !joined.some((each) => each.id === id))
  if (foreign !== undefined) throw unknownItem(FIELDS.scopedOrganizations, foreign)
}

function unknownItem(field: string, id: string) {
  return invalid(`Invalid pk "${echo(id)}" - object does not exist.`, field, 'does_not_exist')
}

/** @throws {AppError} `invalid_argument` of the field that holds more than the key of the call. */
function requireWithin(principal: Principal, settings: KeySettings): void {
  const excess = excessOver(principal, settings)
  if (excess === undefined) return
  throw invalid(
    'A key cannot hold more than the key that it is made or changed with.',
    FIELDS[excess],
  )
}

/** Under the lock of the user. @throws {AppError} `invalid_argument` at the most keys. */
async function requireRoom(tx: Db, { userId }: Principal): Promise<void> {
  if ((await countPersonalKeys(tx, userId)) < PERSONAL_KEYS_MAX) return
  const detail = `A user has at most ${PERSONAL_KEYS_MAX} personal API keys: delete one first.`
  throw invalid(detail, null)
}

function makeValue(): { value: string; trace: KeyTrace } {
  const value = makePersonalKey()
  return { value, trace: { digest: keyDigest(value), mask: maskKey(value) } }
}

async function record(
  tx: Db,
  principal: Principal,
  after: PersonalKey | null,
  { activity, before }: { activity: string; before: PersonalKey | null },
): Promise<void> {
  const key = after ?? before
  assert(key !== null, 'an entry is about a key')
  const { organizationId } = await currentPlace(tx, principal.userId)
  await audit(
    tx,
    principal,
    { organizationId },
    {
      scope: 'PersonalApiKey',
      activity,
      itemId: key.id,
      itemName: key.label,
      type: 'sluice.v1.PersonalApiKey',
      before: before === null ? null : toPersonalApiKey(before),
      after: after === null ? null : toPersonalApiKey(after),
    },
  )
}
