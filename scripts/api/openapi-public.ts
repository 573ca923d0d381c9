/**
 * Describes the public routes. They have no annotations, because their bodies have too many forms
 * for a schema.
 */

import type { Example } from './examples.ts'

type Json = Readonly<Record<string, unknown>>
type ExampleOf = (endpoint: string) => Example | undefined

export const PUBLIC_TAG: Json = {
  name: 'Capture and decide',
  description: 'What clients call with the API key of a project, from any page or program.',
}

const error = { $ref: '#/components/schemas/Error' }
const failed = (description: string) => ({
  description,
  content: { 'application/json': { schema: error } },
})

const ERRORS = {
  '400': failed(
    'The body cannot be read, or names no key, event or distinct id. Nothing is stored.',
  ),
  '401': failed('The project API key is not valid.'),
  '413': failed('The body is 20 MB or larger (BODY_BYTES_MAX). A length is refused unread.'),
  '429': failed('The key has sent more than it may; `Retry-After` says when to come again.'),
  '431': {
    description:
      'Headers and request line have more than 16 kB. The HTTP server itself answers: the body is ' +
      'HTML or empty, not JSON, without CORS headers, and the connection ends.',
  },
  '503': failed('Cannot be stored right now: send it again after `Retry-After`.'),
}

type Call = {
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly body: string
  readonly answer: string
  readonly answerDescription: string
  readonly parameters?: readonly Json[]
}

const ENCODINGS =
  'The body is JSON, plain or gzip (`Content-Encoding: gzip`, or the query `compression=gzip`), ' +
  'base64, lz-string, or a form with the JSON in `data`. The key stands in `api_key` or `token`.'

const CALLS: readonly Call[] = [
  {
    path: '/capture/',
    operationId: 'capture',
    summary: 'Takes one event',
    description:
      `Takes one event. The answer comes after it is committed. ${ENCODINGS} The same answer ` +
      'has `/e/`, `/track/` and `/i/v0/e/`.',
    body: 'TrackedEvent',
    answer: 'Stored',
    answerDescription: 'Every event that the rules do not drop is committed.',
  },
  {
    path: '/batch/',
    operationId: 'batch',
    summary: 'Takes many events',
    description:
      'Takes many events. An item that is no object, or whose properties are none, is dropped alone, ' +
      'with an ingestion warning that has its index; a batch of nothing else is refused. The answer ' +
      `comes after the others are committed. ${ENCODINGS}`,
    body: 'TrackedBatch',
    answer: 'Stored',
    answerDescription: 'Every event that the rules do not drop is committed.',
  },
  {
    path: '/decide/',
    operationId: 'decide',
    summary: 'Evaluates the feature flags of a project',
    description:
      'Evaluates the feature flags of a project for one distinct id. A change of a flag holds for ' +
      `the next request. ${ENCODINGS}`,
    body: 'DecideBody',
    answer: 'Decision',
    answerDescription: 'The flags as they come out.',
    parameters: [
      {
        name: 'v',
        in: 'query',
        description:
          'Version of the answer: 1 lists the keys of flags that are on, 2 has the value of each flag, 3 payloads too, 4 reasons (`flags` instead of `featureFlags`).',
        schema: { type: 'integer', minimum: 1, maximum: 4, default: 1 },
      },
    ],
  },
]

export function publicPaths(exampleOf: ExampleOf): Json {
  return Object.fromEntries(
    CALLS.map((call) => [call.path, { post: operationOf(call, exampleOf) }]),
  )
}

function operationOf(call: Call, exampleOf: ExampleOf): Json {
  const { operationId, summary, description, parameters = [] } = call
  const example = exampleOf(`POST ${call.path}`)
  const content = (name: string, shown: unknown) => ({
    'application/json': {
      schema: { $ref: `#/components/schemas/${name}` },
      ...(shown === undefined ? {} : { example: shown }),
    },
  })
  return {
    operationId,
    tags: ['Capture and decide'],
    summary,
    description,
    security: [],
    ...(example === undefined ? {} : { 'x-example': { path: example.request.path } }),
    parameters,
    requestBody: { required: true, content: content(call.body, example?.request.body) },
    responses: {
      '200': {
        description: call.answerDescription,
        content: content(call.answer, example?.answer.body),
      },
      ...ERRORS,
    },
  }
}

const KEY = { type: 'string', description: 'The project API key.' }
const EVENT_NAME = { type: 'string', minLength: 1, description: 'Name of the event.' }
const PROPERTIES = {
  type: 'object',
  description: 'What is known of the event. `$set` and `$set_once` in it are of the person.',
}
const TIMESTAMP = {
  type: 'string',
  description:
    'When it happened: ISO 8601, or digits of seconds, milliseconds or microseconds since 1970; the ' +
    'time of receipt when absent.',
}
const UUID = {
  type: 'string',
  format: 'uuid',
  description: 'Sent again with the same one, the event is stored once.',
}
const DISTINCT_ID = { type: 'string', description: 'Whom the event is about.' }

export const PUBLIC_SCHEMAS: Json = {
  TrackedEvent: {
    type: 'object',
    description: 'One event.',
    required: ['api_key', 'event', 'distinct_id'],
    properties: {
      api_key: KEY,
      event: EVENT_NAME,
      distinct_id: DISTINCT_ID,
      properties: PROPERTIES,
      timestamp: TIMESTAMP,
      uuid: UUID,
      $set: { type: 'object', description: 'Properties of the person; they replace older ones.' },
      $set_once: {
        type: 'object',
        description: 'Properties of the person, for those that it has not yet.',
      },
    },
  },
  TrackedBatch: {
    type: 'object',
    description: 'Many events.',
    required: ['api_key', 'batch'],
    properties: {
      api_key: KEY,
      batch: {
        type: 'array',
        description: 'The events.',
        items: {
          type: 'object',
          required: ['event'],
          properties: {
            event: EVENT_NAME,
            distinct_id: {
              type: 'string',
              description: 'Whom the event is about; it may stand in `properties` too.',
            },
            properties: PROPERTIES,
            timestamp: TIMESTAMP,
            uuid: UUID,
          },
        },
      },
    },
  },
  DecideBody: {
    type: 'object',
    description: 'For whom flags are evaluated.',
    required: ['api_key', 'distinct_id'],
    properties: {
      api_key: KEY,
      distinct_id: { type: 'string', description: 'For whom.' },
      groups: { type: 'object', description: 'Group type to group key.' },
      person_properties: {
        type: 'object',
        description: 'Properties that hold for this request, over those that are stored.',
      },
      group_properties: {
        type: 'object',
        description: 'Group type to properties that hold for this request.',
      },
    },
  },
  Stored: {
    type: 'object',
    description: 'The events are committed.',
    required: ['status'],
    properties: { status: { const: 1, description: 'Always 1.' } },
  },
  Decision: {
    type: 'object',
    description: 'The flags as they come out, and settings for browser libraries.',
    additionalProperties: { description: 'Settings for browser libraries.' },
    properties: {
      featureFlags: {
        description: 'From version 2 on key to value; in version 1 the keys of those that are on.',
        oneOf: [
          { type: 'object', additionalProperties: { type: ['boolean', 'string'] } },
          { type: 'array', items: { type: 'string' } },
        ],
      },
      flags: {
        type: 'object',
        description: 'In version 4: key to value, variant, reason and payload.',
      },
      featureFlagPayloads: {
        type: 'object',
        description: 'In version 3: key to the JSON text of the payload.',
      },
      errorsWhileComputingFlags: {
        type: 'boolean',
        description: 'From version 3 on: some flag could not be evaluated, and is left out.',
      },
    },
  },
}
