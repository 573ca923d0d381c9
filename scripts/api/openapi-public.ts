/**
 * Describes the public routes. They have no annotations, because their bodies have too many forms
 * for a schema.
 */

type Json = Readonly<Record<string, unknown>>

const error = { $ref: '#/components/schemas/Error' }
const failed = (description: string) => ({
  description,
  content: { 'application/json': { schema: error } },
})

const ERRORS = {
  '400': failed('The body cannot be read.'),
  '401': failed('The project API key is not valid.'),
  '413': failed('The body is 20 MB or larger (BODY_BYTES_MAX). A length is refused unread.'),
  '431': {
    description:
      'Headers and request line have more than 16 kB. The HTTP server itself answers: the body is ' +
      'HTML or empty, not JSON, without CORS headers, and the connection ends.',
  },
  '503': failed('Cannot be stored right now: send it again after Retry-After.'),
}

const STORED = {
  description: 'Every event that the rules do not drop is committed.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Stored' } } },
}

function posted(operationId: string, description: string, body: string, answer: Json): Json {
  return {
    post: {
      operationId,
      tags: ['Capture and decide'],
      description,
      security: [],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { $ref: `#/components/schemas/${body}` } } },
      },
      responses: { '200': answer, ...ERRORS },
    },
  }
}

const DECIDED = {
  description: 'The flags as they come out.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Decision' } } },
}

const decide = posted('decide', 'Evaluates the feature flags of a project.', 'DecideBody', DECIDED)

export const PUBLIC_PATHS: Json = {
  '/capture/': posted('capture', 'Takes one event.', 'TrackedEvent', STORED),
  '/batch/': posted('batch', 'Takes many events.', 'TrackedBatch', STORED),
  '/decide/': {
    post: {
      ...Object(decide['post']),
      parameters: [
        {
          name: 'v',
          in: 'query',
          description: 'Version of the answer; 1 when absent.',
          schema: { type: 'integer' },
        },
      ],
    },
  },
}

export const PUBLIC_SCHEMAS: Json = {
  TrackedEvent: {
    type: 'object',
    required: ['api_key', 'event', 'distinct_id'],
    properties: {
      api_key: { type: 'string', description: 'The project API key.' },
      event: { type: 'string' },
      distinct_id: { type: 'string' },
      properties: { type: 'object' },
      timestamp: { type: 'string', description: 'ISO 8601; the time of receipt when absent.' },
      uuid: {
        type: 'string',
        format: 'uuid',
        description: 'Sent again with the same one, the event is stored once.',
      },
      $set: { type: 'object', description: 'Properties of the person.' },
      $set_once: { type: 'object' },
    },
  },
  TrackedBatch: {
    type: 'object',
    required: ['api_key', 'batch'],
    properties: {
      api_key: { type: 'string' },
      batch: {
        type: 'array',
        items: {
          type: 'object',
          required: ['event'],
          properties: {
            event: { type: 'string' },
            distinct_id: { type: 'string' },
            properties: { type: 'object' },
            timestamp: { type: 'string' },
            uuid: { type: 'string', format: 'uuid' },
          },
        },
      },
    },
  },
  DecideBody: {
    type: 'object',
    required: ['api_key', 'distinct_id'],
    properties: {
      api_key: { type: 'string' },
      distinct_id: { type: 'string' },
      groups: { type: 'object', description: 'Group type to group key.' },
      person_properties: { type: 'object' },
      group_properties: { type: 'object' },
    },
  },
  Stored: {
    type: 'object',
    required: ['status'],
    properties: { status: { const: 1 } },
  },
  Decision: {
    type: 'object',
    required: ['featureFlags'],
    properties: {
      featureFlags: {
        description: 'From version 2 on key to value; in version 1 the keys of those that are on.',
        oneOf: [
          { type: 'object', additionalProperties: { type: ['boolean', 'string'] } },
          { type: 'array', items: { type: 'string' } },
        ],
      },
    },
  },
}
