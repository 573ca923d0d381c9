/** All tools for assistants. */
import { isObject } from '../../src/core/json.ts'
import { QUESTION_TOOLS } from './question-tools.ts'
import {
  type Call,
  type Called,
  inputOf,
  projectPath,
  queryOf,
  type Tool,
  type ToolArguments,
  textOf,
} from './tool.ts'

const LIMIT = { type: 'integer', minimum: 1, maximum: 100, description: 'Items of a page.' }
const OFFSET = { type: 'integer', minimum: 0, description: 'Items to pass over.' }
const PAGE = { limit: LIMIT, offset: OFFSET }
const FLAG_ID = {
  type: ['integer', 'string'],
  description: 'Number of the flag, see list_flags.',
  examples: [1],
}
const FILTERS = {
  type: 'object',
  description: 'Conditions, groups that a flag is on for, variants and payloads.',
  examples: [{ groups: [{ properties: [], rollout_percentage: 50 }] }],
}

/** Items of a list: their names of the query. */
type Listing = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly path: string
  readonly parameters: Readonly<Record<string, object>>
}

const LISTS: readonly Listing[] = [
  {
    name: 'list_events',
    title: 'Stored events',
    description: 'Lists stored events, the newest first.',
    path: '/events/',
    parameters: {
      event: { type: 'string', description: 'Only events of this name.' },
      distinct_id: { type: 'string', description: 'Only events of this distinct id.' },
      after: { type: 'string', description: 'Only later ones: ISO 8601 or relative, -7d.' },
      before: { type: 'string', description: 'Only earlier ones.' },
      properties: { type: 'array', items: { type: 'object' }, description: 'Filters.' },
      where: { type: 'array', items: { type: 'string' }, description: 'Expressions.' },
    },
  },
  {
    name: 'list_persons',
    title: 'Persons',
    description: 'Finds persons by distinct id, e-mail address, name or property.',
    path: '/persons/',
    parameters: {
      search: { type: 'string', description: 'Text in distinct ids, e-mail or name.' },
      email: { type: 'string', description: 'Exactly this e-mail address.' },
      distinct_id: { type: 'string', description: 'Exactly this distinct id.' },
      properties: { type: 'array', items: { type: 'object' }, description: 'Filters.' },
    },
  },
  {
    name: 'list_event_definitions',
    title: 'Names of events',
    description: 'Lists which events exist, with what people wrote about them. Ask this first.',
    path: '/event_definitions/',
    parameters: { search: { type: 'string', description: 'Text in the name.' } },
  },
  {
    name: 'list_flags',
    title: 'Feature flags',
    description: 'Lists feature flags with their conditions.',
    path: '/feature_flags/',
    parameters: {},
  },
]

const LIST_TOOLS: readonly Tool[] = LISTS.map(({ path, parameters, ...words }) => ({
  ...words,
  isWrite: false,
  input: inputOf({ ...parameters, ...PAGE }),
  run: (args, call) => {
    const shape = path === '/events/' ? { shape: 'native' } : {}
    const limit = { limit: String(args['limit'] ?? 20) }
    const query = { ...queryOf(args, [...Object.keys(parameters), 'offset']), ...limit, ...shape }
    return call('GET', `${projectPath(args)}${path}`, { query })
  },
}))

const READS: readonly Tool[] = [
  {
    name: 'list_projects',
    title: 'Projects',
    description: 'Lists the projects that the key may see.',
    input: { type: 'object', properties: PAGE, additionalProperties: false },
    isWrite: false,
    run: (args, call) =>
      call('GET', '/api/projects/', { query: queryOf(args, ['limit', 'offset']) }),
  },
  {
    name: 'get_flag',
    title: 'One feature flag',
    description: 'Reads a feature flag.',
    input: inputOf({ id: FLAG_ID }, ['id']),
    isWrite: false,
    run: (args, call) => call('GET', flagPath(args), {}),
  },
  {
    name: 'evaluate_flag',
    title: 'What a flag is for somebody',
    description: 'Evaluates a feature flag for a distinct id, as the client libraries get it.',
    input: inputOf(
      {
        key: { type: 'string', description: 'Key of the flag.', examples: ['new-checkout'] },
        distinct_id: { type: 'string', description: 'Whom it is for.', examples: ['ann'] },
        person_properties: { type: 'object', description: 'Properties beside those stored.' },
        groups: { type: 'object', description: 'Groups by type.', examples: [{ company: 'acme' }] },
      },
      ['key', 'distinct_id'],
    ),
    isWrite: false,
    run: evaluateFlag,
  },
]

const FLAG_FIELDS = {
  name: { type: 'string', description: 'What the flag is for.' },
  active: { type: 'boolean', description: 'False is off for everybody.' },
  filters: FILTERS,
}

const WRITES: readonly Tool[] = [
  {
    name: 'create_flag',
    title: 'Make a feature flag',
    description: 'Makes a feature flag.',
    input: inputOf({ key: { type: 'string', description: 'Its key.' }, ...FLAG_FIELDS }, ['key']),
    isWrite: true,
    run: ({ project, ...body }, call) =>
      call('POST', `${projectPath({ project })}/feature_flags/`, { body }),
  },
  {
    name: 'update_flag',
    title: 'Change a feature flag',
    description: 'Changes the members of a feature flag that are given; the others stay.',
    input: inputOf({ id: FLAG_ID, ...FLAG_FIELDS }, ['id']),
    isWrite: true,
    run: ({ id, project, ...body }, call) => call('PATCH', flagPath({ id, project }), { body }),
  },
]

function flagPath(args: ToolArguments): string {
  return `${projectPath(args)}/feature_flags/${encodeURIComponent(textOf(args['id']))}/`
}

/** Asks the public route, after the key has shown that it may read the project and its flags. */
async function evaluateFlag(args: ToolArguments, call: Call): Promise<Called> {
  const flags = await call('GET', `${projectPath(args)}/feature_flags/`, { query: { limit: '1' } })
  if (flags.status !== 200) return flags
  const project = await call('GET', `${projectPath(args)}/`, {})
  if (project.status !== 200 || !isObject(project.json)) return project
  const { key, distinct_id, person_properties, groups } = args
  const asked = { api_key: project.json['api_token'], flag_keys_to_evaluate: [key] }
  const evaluated = await call('POST', '/flags/', {
    query: { v: '2' },
    body: { ...asked, distinct_id, person_properties, groups },
  })
  if (evaluated.status !== 200 || !isObject(evaluated.json)) return evaluated
  const { flags: found, errorsWhileComputingFlags } = evaluated.json
  const flag = isObject(found) && typeof key === 'string' ? found[key] : undefined
  if (flag === undefined) {
    const detail = 'No active flag has this key.'
    return {
      status: 404,
      json: { type: 'invalid_request', code: 'not_found', detail, attr: 'key' },
    }
  }
  return { status: 200, json: { flag, errorsWhileComputingFlags } }
}

/** @param allowsWrites the operator lets assistants change flags. */
export function toolsFor(allowsWrites: boolean): readonly Tool[] {
  return [...QUESTION_TOOLS, ...LIST_TOOLS, ...READS, ...(allowsWrites ? WRITES : [])]
}
