/** The examples of what flags come out as, and of what is known of their use. */
import type { ApiCase } from '../support/case.ts'
import { before, example } from '../support/example-case.ts'

const FLAGS = '/api/projects/{project_id}/feature_flags/'
const OURS = '/api/projects/{trials}/feature_flags/'

export const cases: readonly ApiCase[] = [
  before('a project for trying flags', 'POST /api/projects/', 201, '/api/projects/', {
    body: { name: 'Trials' },
    save: { trials: 'id' },
  }),
  before('a flag with a rollout', `POST ${FLAGS}`, 201, OURS, {
    body: {
      key: 'new-search',
      filters: {
        groups: [
          {
            properties: [{ key: 'plan', type: 'person', operator: 'exact', value: 'pro' }],
            rollout_percentage: 25,
          },
        ],
      },
    },
    save: { search: 'id' },
  }),
  example(`POST ${FLAGS}evaluate/`, 200, `${OURS}evaluate/`, {
    body: { flag_id: '{search}', distinct_id: 'ann', person_properties: { plan: 'pro' } },
    unlogged: 'an evaluation reads',
  }),
  example(`POST ${FLAGS}user_blast_radius/`, 200, `${OURS}user_blast_radius/`, {
    body: { condition: { properties: [{ key: 'plan', type: 'person', value: 'pro' }] } },
    unlogged: 'a count reads',
  }),
  example(`GET ${FLAGS}{id}/dependencies/`, 200, `${OURS}{search}/dependencies/`),
  example(`POST ${FLAGS}bulk/`, 200, `${OURS}bulk/`, {
    body: { ids: ['{search}'], active: false, add_tags: ['search'] },
  }),
]
