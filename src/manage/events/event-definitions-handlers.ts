/** Handlers of `EventDefinitionService`. */
import type { EventDefinitionServiceDefinition } from '../../../proto/gen/sluice/v1/EventDefinitionService.ts'
import { rowId, rowUuid } from '../../access/access.ts'
import { accepted, found, unknownObject } from '../../access/errors.ts'
import type { Clock } from '../../core/clock.ts'
import { type OrganizationId, type ProjectId, userId } from '../../core/ids.ts'
import { EVENT_QUERY_TIMEOUT_MS } from '../../core/limits/limits-query.ts'
import { withinBudget } from '../../event-store/postgres/reads/event-page.ts'
import { readEvents } from '../../postgres/bounded-reads.ts'
import type { Sql } from '../../postgres/connect.ts'
import type { Db } from '../../postgres/db.ts'
import { inTime } from '../../query/list/events-list.ts'
import type { QueryLimiter } from '../../query/query-limiter.ts'
import { createTimeBudget } from '../../query/time-budget.ts'
import {
  countDefinitions,
  findDefinition,
  listDefinitions,
  lockDefinition,
  type StoredDefinition,
  updateDefinition,
} from '../../store/definitions/event-definition-store.ts'
import { findOrganizationLevel } from '../../store/people/organization-store.ts'
import { insertChatMessages, projectWithChat } from '../../store/projects/chat-outbox-store.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import { auditorOf } from '../audit.ts'
import { verifiedText } from '../chat/chat-templates.ts'
import type { LookAtVolumes } from '../looked-volumes.ts'
import type { Management } from '../management.ts'
import { toUserSummary } from '../people/user-message.ts'
import {
  DEFINITION_TYPE,
  mergeDefinition,
  toEventDefinition,
  toOrder,
  toSelection,
} from './event-definition-message.ts'

const SERVICE = '/sluice.v1.EventDefinitionService'
/** Error detail of a list that took too long. */
const SEARCH = 'The query took too long. Search for other words.'

export type EventDefinitionHandlersDeps = {
  readonly management: Management
  readonly sql: Sql
  /** Connections for queries alone. */
  readonly scanSql: Sql
  readonly queryLimiter: QueryLimiter
  readonly clock: Clock
  readonly lookAtVolumes: LookAtVolumes
}

export function createEventDefinitionHandlers({
  management,
  sql,
  scanSql,
  queryLimiter,
  clock,
  lookAtVolumes,
}: EventDefinitionHandlersDeps): ServiceHandlers<EventDefinitionServiceDefinition> {
  return {
    ListEventDefinitions: management.underProject(`${SERVICE}/ListEventDefinitions`, {
      async run({ request, access, context }) {
        const selection = toSelection(access.projectId, request)
        const order = toOrder(request.ordering)
        await lookAtVolumes(access.projectId)
        const read = async () => {
          const budget = createTimeBudget(clock, EVENT_QUERY_TIMEOUT_MS)
          return await readEvents(scanSql.withSignal(context.signal), async (tx) => {
            const count = () => countDefinitions(tx, selection)
            const list = () => listDefinitions(tx, selection, order, request)
            const counted = await withinBudget(tx, budget, count)
            return { value: { counted, listed: await withinBudget(tx, budget, list) } }
          })
        }
        const scans = queryLimiter.of(access.organizationId)
        const { counted, listed } = accepted(await inTime(scans.run(context.signal, read), SEARCH))
        return { count: counted, results: listed.map(toEventDefinition) }
      },
    }),

    GetEventDefinition: management.underProject(`${SERVICE}/GetEventDefinition`, {
      async find({ request, access }) {
        await lookAtVolumes(access.projectId)
        return await definitionOf(sql, access.projectId, request.id)
      },
      run: async (_call, definition) => toEventDefinition(definition),
    }),

    // A definition is no part of the compiled state of its project: it needs no actor and no new
    // revision, which would void what every gateway has cached. The lock of its row orders changes.
    UpdateEventDefinition: management.underProject(`${SERVICE}/UpdateEventDefinition`, {
      find: ({ request, access }) => definitionOf(sql, access.projectId, request.id),
      async run({ request, access, principal }, { id }) {
        const { projectId, organizationId } = access
        const definition = await sql.begin(async (tx) => {
          const stored = found(await lockDefinition(tx, projectId, id))
          if (request.owner !== undefined)
            await requireOrganizationMember(tx, organizationId, request.owner)
          const settings = mergeDefinition(stored, request)
          await updateDefinition(tx, id, principal.userId, settings)
          const updated = found(await findDefinition(tx, projectId, id))
          const change = { before: stored, after: updated }
          await auditDefinition(tx, { principal, access }, change)
          if (!stored.verified) await tellVerified(tx, projectId, updated)
          return updated
        })
        return toEventDefinition(definition)
      },
    }),
  }
}

const auditDefinition = auditorOf<StoredDefinition>({
  scope: 'EventDefinition',
  type: DEFINITION_TYPE,
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  // The entry itself has the author of the change.
  show: (definition) => toEventDefinition({ ...definition, updatedBy: null }),
})

/** Notifies the project's chat, if the definition asks for it. */
async function tellVerified(
  tx: Db,
  projectId: ProjectId,
  { name, verified, postToChat, verifiedBy }: StoredDefinition,
): Promise<void> {
  if (!verified || !postToChat) return
  const project = await projectWithChat(tx, projectId)
  if (project === undefined) return
  const by = verifiedBy === null ? null : toUserSummary(verifiedBy)
  const person = by && { first_name: by.first_name ?? '', email: by.email ?? '' }
  const body = verifiedText({ event: name, project, by: person })
  await insertChatMessages(tx, [{ projectId, body }])
}

async function definitionOf(db: Db, project: ProjectId, text: string): Promise<StoredDefinition> {
  const id = rowUuid(text)
  return found(id === undefined ? undefined : await findDefinition(db, project, id))
}

/** @throws {AppError} `invalid_argument` as for an unknown user, so that guesses reveal nothing. */
async function requireOrganizationMember(
  tx: Db,
  organization: OrganizationId,
  owner: number,
): Promise<void> {
  const id = rowId(String(owner))
  const member =
    id === undefined ? undefined : await findOrganizationLevel(tx, organization, userId(id))
  if (member !== undefined && member.level !== null) return
  throw unknownObject(owner, 'owner')
}
