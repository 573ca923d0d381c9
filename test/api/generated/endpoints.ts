import { createPolicy, type MethodPolicy } from '../../../src/access/policy.ts'
import { type ContractMethod, methods } from '../../../src/wire/proto/proto.ts'
import { type RequestPlan, requestPlan } from '../../../src/wire/validation/request.ts'
import type { ApiCase } from '../support/case.ts'

/** One verb on one path, with what the contract says of it. */
export type Endpoint = {
  /** `GET /api/projects/{id}/`, as cases name it. */
  readonly name: string
  readonly verb: string
  readonly template: string
  /** The template with the objects of `things.ts` in the places of its parameters. */
  readonly path: string
  readonly method: ContractMethod
  readonly policy: MethodPolicy
  readonly body: RequestPlan['body']
}

/** Everything that REST serves, in the order of the contract. */
export function endpoints(): readonly Endpoint[] {
  const policies = createPolicy(methods())
  return methods().flatMap((method) =>
    method.bindings.map(({ verb, template }) => {
      const policy = policies.get(method.path)
      if (policy === undefined) throw new Error(`${method.path} has no policy`)
      const path = template.replace(/\{(\w+)\}/g, (whole) => objectAt(template, whole))
      const { body } = requestPlan(method)
      return { name: `${verb} ${template}`, verb, template, path, method, policy, body }
    }),
  )
}

/** The object of a path under it: the name under which its id is saved. */
const OBJECTS: readonly (readonly [place: string, name: string])[] = [
  ['/projects/{project_id}', '{project}'],
  ['/projects/{id}', '{project}'],
  ['/organizations/{organization_id}', '{organization}'],
  ['/organizations/{parent_lookup_organization_id}', '{organization}'],
  ['/organizations/{id}', '{organization}'],
  ['/personal_api_keys/{id}', '{thing_key}'],
  ['/personal_api_keys/{key_id}', '{thing_key}'],
  ['/members/{user}', '{owner_uuid}'],
  ['/users/{id}', '{owner_uuid}'],
  ['/sessions/{id}', '{thing_session}'],
  ['/plugins/{id}', '{thing_plugin}'],
  ['/plugin_configs/{id}', '{thing_config}'],
  ['/plugin_configs/{parent_lookup_plugin_config_id}', '{thing_config}'],
  ['/invites/{id}', '{thing_invite}'],
  ['/event_definitions/{id}', '{thing_definition}'],
  ['/events/{id}', '{thing_event}'],
  ['/deletions/{id}', '{thing_deletion}'],
  ['/persons/{id}', '{thing_person}'],
  ['/alerts/{id}', '{thing_alert}'],
  ['/sharing/{id}', '{thing_link}'],
  ['/shared/{token}', '{thing_link_token}'],
  ['/subscriptions/{id}', '{thing_subscription}'],
  // No case has a mail: whoever calls learns that the secret is none.
  ['/unsubscribe/{token}', 'no-secret-of-a-mail'],
  ['/insights/{id}', '{thing_insight}'],
  ['/cohorts/{id}', '{thing_cohort}'],
  ['/dashboards/{id}', '{thing_dashboard}'],
  ['/annotations/{id}', '{thing_annotation}'],
  ['/query/{client_query_id}', '{thing_query}'],
  ['/feature_flags/{id}', '{thing_flag}'],
  ['/feature_flags/{key}', '{thing_flag_key}'],
  ['/signup/{invite_id}', '{thing_invite_token}'],
]

function objectAt(template: string, parameter: string): string {
  const place = OBJECTS.find(([each]) => each.endsWith(parameter) && template.includes(each))
  if (place === undefined) throw new Error(`${template}: no object is made for ${parameter}`)
  return place[1]
}

/** The parameter of the object itself, below its parent; undefined where a path has none. */
export function objectParameter({ template, policy }: Endpoint): string | undefined {
  const own = template.match(/\{\w+\}/g) ?? []
  return policy.parent === 'project' || policy.parent === 'organization' ? own[1] : own[0]
}

/** The path with `text` in the place of one parameter. */
export function pathWith(endpoint: Endpoint, parameter: string, text: string): string {
  return endpoint.template.replace(/\{(\w+)\}/g, (whole) =>
    whole === parameter ? text : objectAt(endpoint.template, whole),
  )
}

/** A case about one endpoint, by anybody where it is open and else by the owner unless told. */
export function about(
  { name, path, policy }: Endpoint,
  sentence: string,
  rest: Omit<ApiCase, 'name' | 'endpoint' | 'path'> & { readonly path?: string },
): ApiCase {
  const as = policy.parent === 'public' ? 'anonymous' : 'owner'
  return { name: `${name}: ${sentence}`, endpoint: name, as, path, ...rest }
}
