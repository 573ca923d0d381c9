/** Operator calls about organizations and their plugins. */
import type { AdminServiceDefinition } from '../../../proto/gen/sluice/v1/AdminService.ts'
import { rowUuid } from '../../access/access.ts'
import { invalid, notFound } from '../../access/errors.ts'
import { PLUGIN_LEVELS } from '../../access/policy.ts'
import type { ChangeFeed } from '../../core/change-feed.ts'
import { organizationId } from '../../core/ids.ts'
import type { KeyRing } from '../../core/secrets/key-ring.ts'
import type { Sql } from '../../postgres/connect.ts'
import { setPluginsAccessLevel } from '../../store/people/organization-store.ts'
import { raiseRevisionsOf } from '../../store/plugins/plugin-store.ts'
import { sealPage } from '../../store/secrets/seal-all.ts'
import { keepOnlySecretKey, listSecretKeys } from '../../store/secrets/secret-keys-store.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import { audit } from '../audit.ts'
import { auditOperator } from '../operator-audit.ts'

export type OperatorPluginsDeps = {
  readonly sql: Sql
  readonly feed: Pick<ChangeFeed, 'publish'>
  readonly secrets: KeyRing
}

/** Not guarded: `createAdminHandlers` does that. */
export function createOperatorPlugins({
  sql,
  feed,
  secrets,
}: OperatorPluginsDeps): Pick<
  ServiceHandlers<AdminServiceDefinition>,
  'SetPluginsLevel' | 'RotateSecrets'
> {
  return {
    async RotateSecrets({ after }) {
      const [first] = secrets.ids
      if (first === undefined) throw invalid('This worker has no SECRETS_KEY.', null)
      const { next, sealed } = await sealPage(sql, secrets, after)
      if (next === undefined) await endRotation(sql, first)
      return { key: first, sealed, next: next ?? 0 }
    },

    async SetPluginsLevel(request) {
      const { level } = request
      const text = rowUuid(request.organization_id.trim())
      if (text === undefined) throw invalid('Must be a valid UUID.', 'organization_id')
      if (!PLUGIN_LEVELS.includes(level)) {
        throw invalid('A plugins level is 0, 3, 6 or 9.', 'level')
      }
      const id = organizationId(text)
      const { was, raised } = await sql.begin(async (tx) => {
        // Projects before their organization, in the order of other changes.
        const raised = await raiseRevisionsOf(tx, id)
        const was = await setPluginsAccessLevel(tx, id, level)
        if (was === undefined) throw notFound('Organization not found.')
        const access = { organizationId: id }
        await audit(
          tx,
          { principal: null, access },
          {
            scope: 'Organization',
            activity: 'updated',
            itemId: id,
            itemName: was.name,
            type: 'sluice.v1.Organization',
            before: { plugins_access_level: was.before },
            after: { plugins_access_level: level },
          },
        )
        return { was, raised }
      })
      for (const { id: projectId, revision } of raised) {
        feed.publish({ kind: 'revision', projectId, revision })
      }
      return { organization_id: id, name: was.name, level_before: was.before, level }
    },
  }
}

/** Records that the database needs no other key from now on. */
async function endRotation(sql: Sql, key: string): Promise<void> {
  await sql.begin(async (tx) => {
    const before = await listSecretKeys(tx)
    await keepOnlySecretKey(tx, key)
    await auditOperator(tx, 'secrets_rotated', key, { keys_before: before })
  })
}
