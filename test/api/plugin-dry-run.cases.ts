import { type ApiCase, type Expectation, invalidField } from './support/case.ts'
import {
  CREATE,
  call,
  ONE,
  OURS,
  ownProject,
  plugin,
  ROOT,
  WRITER,
} from './support/plugin-config-cases.ts'

const DRY_RUN = `POST ${ROOT}{id}/dry_run/`

const MARKER = `
export function processEvent(event) {
  console.log('seen', event.event)
  event.properties.marked = true
  event.properties.site = event.site_url
  return event
}`
const SIEVE = `
export function processEvent(event) {
  if (event.event === 'broken') throw new TypeError('not this one')
  return event.event === 'noise' ? null : event
}`

const event = (name: string) => ({ event: name, distinct_id: 'ann', properties: { plan: 'free' } })

function made(name: string, body: object, saved: string): ApiCase {
  return call(CREATE, OURS, name, { status: 201 }, { body, save: { [saved]: 'id' } })
}

const beforehand: readonly ApiCase[] = [
  ownProject,
  plugin('Marker', { 'index.js': MARKER }, 'marker'),
  plugin('Sieve', { 'index.js': SIEVE }, 'sieve'),
  made('a config is made', { plugin: '{marker}', order: 1, enabled: true }, 'first'),
  made('and one that is off', { plugin: '{sieve}', order: 2 }, 'config'),
]

/** Where the instance listens, on the port that it was given: none is set for it. */
const OWN_ADDRESS = /^http:\/\/127\.0\.0\.1:\d+$/

const MARKED = {
  config: '{first}',
  name: 'Marker',
  outcome: 'kept',
  error: null,
  event: {
    event: /./,
    distinct_id: 'ann',
    properties: { plan: 'free', marked: true, site: OWN_ADDRESS },
  },
  logs: [{ type: 'LOG', message: /^seen / }],
}
const SIEVED = { config: '{config}', name: 'Sieve', error: null, logs: [] }

function dryRun(name: string, body: unknown, expect: Expectation): ApiCase {
  const unlogged = expect.status === 200 ? { unlogged: 'nothing is changed' } : {}
  return call(DRY_RUN, `${ONE}dry_run/`, name, expect, { body, ...unlogged })
}

const runs: readonly ApiCase[] = [
  dryRun(
    'an event goes through the configs up to the one that is off',
    { event: event('kept') },
    {
      status: 200,
      keys: ['steps'],
      keysAt: { 'steps.0': ['config', 'name', 'outcome', 'event', 'error', 'logs'] },
      body: { steps: [MARKED, { ...SIEVED, outcome: 'kept', event: MARKED.event }] },
    },
  ),
  dryRun(
    'a step may drop it',
    { event: event('noise') },
    {
      status: 200,
      body: { steps: [MARKED, { ...SIEVED, outcome: 'dropped', event: null }] },
    },
  ),
  dryRun(
    'a step that fails says why, and leaves the event',
    { event: event('broken') },
    {
      status: 200,
      body: {
        steps: [
          MARKED,
          { ...SIEVED, outcome: 'failed', event: MARKED.event, error: /not this one/ },
        ],
      },
    },
  ),
  call(
    DRY_RUN,
    `${OURS}{first}/dry_run/`,
    'what comes after the config is not run',
    { status: 200, body: { steps: [MARKED] } },
    { as: 'member', body: { event: event('noise') }, unlogged: 'nothing is changed' },
  ),
  call(
    DRY_RUN,
    `${OURS}{first}/dry_run/`,
    'the scope to write is enough',
    { status: 200 },
    { shows: 'permission', as: WRITER, body: { event: event('a') }, unlogged: 'as above' },
  ),
  dryRun('an event is needed', {}, invalidField('required', 'event', 'This field is required.')),
  dryRun('an event is an object', { event: [] }, invalidField('invalid_input', 'event')),
  dryRun(
    'it has a name',
    { event: { distinct_id: 'ann' } },
    invalidField('required', 'event__event', 'This field is required.'),
  ),
  dryRun(
    'and somebody whom it is of',
    { event: { event: 'a' } },
    invalidField('required', 'event__distinct_id', 'This field is required.'),
  ),
]

export const cases: readonly ApiCase[] = [...beforehand, ...runs]
