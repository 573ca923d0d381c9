import fc from 'fast-check'
import t from 'tap'
import {
  excessOver,
  hasScope,
  type KeyLimits,
  knownScopes,
  reachesOrganization,
  reachesProject,
  refuseRestrictedKeys,
  UNRESTRICTED,
} from '../../../src/access/key-limits.ts'
import { AppError } from '../../../src/core/code.ts'
import { organizationId } from '../../../src/core/ids.ts'
import { methods } from '../../../src/wire/proto/proto.ts'

const ORGANIZATIONS = ['a', 'b', 'c'].map(organizationId)
const SCOPES = ['*', 'project:read', 'project:write', 'user:read', 'user:write']
const PROJECTS = [1, 2, 3, 4].map((id) => ({
  id,
  organizationId: ORGANIZATIONS[id % 3] ?? organizationId('a'),
}))

const limits: fc.Arbitrary<KeyLimits> = fc.record({
  scopes: fc.uniqueArray(fc.constantFrom(...SCOPES), { minLength: 1 }),
  scopedProjects: fc.uniqueArray(fc.constantFrom(1, 2, 3, 4)),
  scopedOrganizations: fc.uniqueArray(fc.constantFrom(...ORGANIZATIONS)),
  expiresAt: fc.constantFrom(null, '2026-01-01T00:00:00.000000Z', '2027-01-01T00:00:00.000000Z'),
})

t.test(
  'the known scopes are those of contract and capture, both actions of each object',
  async (t) => {
    const known = knownScopes(methods())
    const objects = [
      'event',
      'event_definition',
      'feature_flag',
      'organization',
      'organization_member',
    ]
    for (const object of [...objects, 'plugin', 'project', 'query', 'user']) {
      t.ok(known.has(`${object}:read`) && known.has(`${object}:write`), object)
    }
    t.ok(known.has('*'))
    for (const scope of [
      'project',
      'project:*',
      'personal_api_key:write',
      '*:read',
      '',
      'x:read',
    ]) {
      t.notOk(known.has(scope), scope)
    }
  },
)

t.test('a key that exceeds nothing does and reaches nothing more', async () => {
  fc.assert(
    fc.property(limits, limits, (own, wanted) => {
      if (excessOver(own, wanted) !== undefined) return
      for (const scope of SCOPES) {
        if (hasScope(wanted.scopes, scope) && !hasScope(own.scopes, scope)) throw new Error(scope)
      }
      for (const project of PROJECTS) {
        if (reachesProject(wanted, project) && !reachesProject(own, project)) {
          throw new Error(`reaches project ${project.id}`)
        }
      }
      for (const organization of ORGANIZATIONS) {
        if (reachesOrganization(wanted, organization) && !reachesOrganization(own, organization)) {
          throw new Error(`reaches organization ${organization}`)
        }
      }
      // Calls refused to every key with a restriction must stay refused.
      if (own.scopedProjects.length > 0 && wanted.scopedProjects.length === 0)
        throw new Error('all')
    }),
  )
})

t.test('no key exceeds itself, and none an unrestricted one', async () => {
  fc.assert(
    fc.property(limits, (own) => {
      return (
        excessOver(own, own) === undefined &&
        excessOver({ scopes: ['*'], ...UNRESTRICTED, expiresAt: null }, own) === undefined
      )
    }),
  )
})

t.test('the excess is named, scopes first', async (t) => {
  const own: KeyLimits = {
    scopes: ['user:write'],
    scopedProjects: [1],
    scopedOrganizations: ['a'],
    expiresAt: '2026-01-01T00:00:00.000000Z',
  }
  t.equal(excessOver(own, { ...own, scopes: ['*'] }), 'scopes')
  t.equal(excessOver(own, { ...own, scopes: ['user:read'] }), undefined)
  t.equal(excessOver(own, { ...own, scopedProjects: [] }), 'scopedProjects')
  t.equal(excessOver(own, { ...own, scopedProjects: [1, 2] }), 'scopedProjects')
  t.equal(excessOver(own, { ...own, scopedOrganizations: [] }), 'scopedOrganizations')
  t.equal(excessOver(own, { ...own, scopedOrganizations: ['b'] }), 'scopedOrganizations')
  t.equal(excessOver(own, { ...own, expiresAt: null }), 'expiresAt')
  t.equal(excessOver(own, { ...own, expiresAt: '2026-01-01T00:00:00.001000Z' }), 'expiresAt')
  t.equal(excessOver(own, { ...own, expiresAt: '2025-12-31T23:59:59.999000Z' }), undefined)
})

t.test('a call about the whole instance is refused to either restriction', async (t) => {
  const own = { scopes: ['*'], ...UNRESTRICTED }
  refuseRestrictedKeys(own)
  t.throws(() => refuseRestrictedKeys({ ...own, scopedProjects: [1] }), AppError)
  t.throws(() => refuseRestrictedKeys({ ...own, scopedOrganizations: ['a'] }), AppError)
})
