/**
 * Handlers of `PersonalApiKeyService`. No key makes or changes a key that may do more than itself.
 */
import type { PersonalApiKeyServiceDefinition } from '../../../proto/gen/sluice/v1/PersonalApiKeyService.ts'
import { currentPlace } from '../../access/current-project.ts'
import { found, invalid, permissionDenied, unknownObject } from '../../access/errors.ts'
import { excessOver, type KeyLimits, knownScopes, UNRESTRICTED } from '../../access/key-limits.ts'
import { randomText } from '../../access/keys.ts'
import type { Principal } from '../../access/principal.ts'
import type { ChangeFeed } from '../../core/change-feed.ts'
import type { Clock } from '../../core/clock.ts'
import type { Sql } from '../../postgres/connect.ts'
import type { Db } from '../../postgres/db.ts'
import { listOrganizationMemberships } from '../../store/people/organization-membership-store.ts'
import {
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
import { deleteSessionsOfKey } from '../../store/people/session-store.ts'
import { lockUser } from '../../store/people/user-store.ts'
import { findVisibleProjects } from '../../store/projects/visible-projects-store.ts'
import { methods } from '../../wire/proto/proto.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import type { Management } from '../management.ts'
import {
  auditKey,
  KEY_ID,
  makeValue,
  requireFuture,
  requireKnown,
  requireRoom,
} from './key-rules.ts'
import {
  isEmptyChange,
  isGiven,
  KEY_DEFAULTS,
  type KeyFields,
  mergeKey,
  toPersonalApiKey,
} from './personal-api-key-message.ts'

const SERVICE = '/sluice.v1.PersonalApiKeyService'
/** Used as an id, names the key of the call. */
const CURRENT = '@current'
const FIELDS: Readonly<Record<keyof KeyLimits, string>> = {
  scopes: 'scopes',
  scopedProjects: 'scoped_teams',
  scopedOrganizations: 'scoped_organizations',
  expiresAt: 'expires_at',
}

export type PersonalApiKeyHandlersDeps = {
  readonly management: Management
  readonly sql: Sql
  readonly feed: Pick<ChangeFeed, 'publish'>
  readonly clock: Pick<Clock, 'now'>
}

export function createPersonalApiKeyHandlers(
  deps: PersonalApiKeyHandlersDeps,
): ServiceHandlers<PersonalApiKeyServiceDefinition> {
  const { management, sql, feed, clock } = deps
  const scopes = knownScopes(methods())

  /** Publishes the change, because gateways and workers remember keys. */
  const change = async (work: (tx: Db) => Promise<PersonalKey>): Promise<PersonalKey> => {
    const key = await sql.begin(work)
    feed.publish({ kind: 'keys' })
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
        requireFuture(clock, settings)
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
      async run({ request, principal }, stored) {
        if (isEmptyChange(request)) return toPersonalApiKey(stored)
        const wanted = mergeKey(stored, request)
        if (isGiven(request, 'scopes')) requireKnown(scopes, wanted)
        if (isGiven(request, 'expires_at')) requireFuture(clock, wanted)
        await requireVisible(sql, principal, request, wanted)
        const key = await change((tx) => changeKey(tx, principal, stored.id, request))
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
  await requireRoom(tx, principal.userId)
  const identity = { id: randomText(), user: principal.userId, ...trace }
  const key = await insertPersonalKey(tx, identity, settings)
  await record(tx, principal, { before: null, after: key })
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
  const key = found(await updatePersonalKey(tx, id, settings))
  await record(tx, principal, { before: stored, after: key })
  return key
}

async function rollKey(
  tx: Db,
  principal: Principal,
  id: string,
  trace: KeyTrace,
): Promise<PersonalKey> {
  const stored = await lockManaged(tx, principal, id)
  const key = found(await rollPersonalKey(tx, id, trace))
  // A session may have been started with the old value.
  await deleteSessionsOfKey(tx, id)
  await record(tx, principal, { activity: 'rolled', before: stored, after: key })
  return key
}

async function removeKey(tx: Db, principal: Principal, id: string): Promise<PersonalKey> {
  const stored = await lockManaged(tx, principal, id)
  await deletePersonalKey(tx, id)
  await record(tx, principal, { before: stored, after: null })
  return stored
}

/** @throws {AppError} `not_found`, also for the keys of others. */
async function keyOf(db: Db, { userId, keyId }: Principal, id: string): Promise<PersonalKey> {
  const named = id === CURRENT ? keyId : id
  const isId = named !== null && KEY_ID.test(named)
  return found(isId ? await findPersonalKey(db, userId, named) : undefined)
}

/**
 * A key that is about to change. The key of the call must hold no less: rolling a key gives its
 * value, and with it all its rights.
 * @throws {AppError} `not_found`, `permission_denied`.
 */
async function managedKeyOf(db: Db, principal: Principal, id: string): Promise<PersonalKey> {
  return managed(principal, await keyOf(db, principal, id))
}

/** Checks again under the lock: meanwhile the key may have gone or got more rights. */
async function lockManaged(tx: Db, principal: Principal, id: string): Promise<PersonalKey> {
  return managed(principal, found(await lockPersonalKey(tx, principal.userId, id)))
}

function managed(principal: Principal, key: PersonalKey): PersonalKey {
  if (excessOver(principal, key) === undefined) return key
  throw permissionDenied('API keys cannot change keys that hold more than they do.')
}

/**
 * Requires that the caller sees all projects and organizations to which the request restricts a
 * key. Restrictions that the key already has are not checked again: the caller may have left since.
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
    organizations.length === 0 ? [] : listOrganizationMemberships(db, userId, UNRESTRICTED),
  ])
  const hidden = projects.find((id) => !seen.some((project) => project.id === id))
  if (hidden !== undefined) throw unknownObject(hidden, FIELDS.scopedProjects)
  const foreign = organizations.find((id) => !joined.some((each) => each.id === id))
  if (foreign !== undefined) throw unknownObject(foreign, FIELDS.scopedOrganizations)
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

/** Keys belong to users, so that the entry is of the organization in which the caller works. */
async function record(
  tx: Db,
  principal: Principal,
  change: Parameters<typeof auditKey>[2],
): Promise<void> {
  const { organizationId } = await currentPlace(tx, principal.userId)
  await auditKey(tx, { principal, access: { organizationId } }, change)
}
