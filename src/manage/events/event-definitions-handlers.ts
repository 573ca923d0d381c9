import type { EventDefinitionServiceDefinition } from '../../../proto/gen/sluice/v1/EventDefinitionService.ts'
import { rowId, rowUuid } from '../../access/access.ts'
import { invalid, notFound } from '../../access/errors.ts'
import { type OrganizationId, type ProjectId, userId } from '../../core/ids.ts'
import {
  countDefinitions,
  findDefinition,
  listDefinitions,
  lockDefinition,
  type StoredDefinition,
  updateDefinition,
} from '../../store/events/event-definition-store.ts'
import { findOrganizationLevel } from '../../store/people/organization-store.ts'
import type { Sql } from '../../store/pool/connect.ts'
import type { Db } from '../../store/pool/db.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import { audit } from '../audit.ts'
import type { Management } from '../management.ts'
import {
  DEFINITION_TYPE,
  mergeDefinition,
  toEventDefinition,
  toOrder,
  toSelection,
} from './event-definition-message.ts'

const SERVICE = '/sluice.v1.EventDefinitionService'

export type EventDefinitionHandlersDeps = {
  readonly management: Management
  readonly sql: Sql
}

export function createEventDefinitionHandlers({
  management,
  sql,
}: EventDefinitionHandlersDeps): ServiceHandlers<EventDefinitionServiceDefinition> {
  return {
    ListEventDefinitions: management.underProject(`${SERVICE}/ListEventDefinitions`, {
      async run({ request, access }) {
        const selection = toSelection(access.projectId, request)
        const [count, definitions] = await Promise.all([
          countDefinitions(sql, selection),
          listDefinitions(sql, selection, toOrder(request.ordering), request),
        ])
        return { count, results: definitions.map(toEventDefinition) }
      },
    }),

    GetEventDefinition: management.underProject(`${SERVICE}/GetEventDefinition`, {
      find: ({ request, access }) => definitionOf(sql, access.projectId, request.id),
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
          if (request.owner !== undefined) await requireMember(tx, organizationId, request.owner)
          const settings = mergeDefinition(stored, request)
          await updateDefinition(tx, id, principal.userId, settings)
          const updated = found(await findDefinition(tx, projectId, id))
          await audit(tx, principal, access, {
            scope: 'EventDefinition',
            activity: 'updated',
            itemId: id,
            itemName: stored.name,
            type: DEFINITION_TYPE,
            before: toEventDefinition({ ...stored, updatedBy: null }),
            after: toEventDefinition({ ...updated, updatedBy: null }), // The entry says who.
          })
          return updated
        })
        return toEventDefinition(definition)
      },
    }),
  }
}

async function definitionOf(db: Db, project: ProjectId, text: string): Promise<StoredDefinition> {
  const id = rowUuid(text)
  return found(id === undefined ? undefined : await findDefinition(db, project, id))
}

function found(definition: StoredDefinition | undefined): StoredDefinition {
  if (definition === undefined) throw notFound()
  return definition
}

/** @throws {AppError} `invalid_argument` as for a user that does not exist: a guess tells nothing. */
async function requireMember(tx: Db, organization: OrganizationId, owner: number): Promise<void> {
  const id = rowId(String(owner))
  const standing =
    id === undefined ? undefined : await findOrganizationLevel(tx, organization, userId(id))
  if (standing !== undefined && standing.level !== null) return
  throw invalid(`Invalid pk "${owner}" - object does not exist.`, 'owner', 'does_not_exist')
}
