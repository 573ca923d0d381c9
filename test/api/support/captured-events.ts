/** A project of its own with four stored events, for the families about them. */
import type { ApiCase } from './case.ts'

export const EVENTS = '/api/projects/{own}/events/'
export const FIRST_ID = '0190a0b0-0000-7000-8000-000000000001'
export const EVENT_FIELDS = [
  ...['id', 'distinct_id', 'properties', 'event', 'timestamp', 'person', 'elements'],
  'elements_chain',
]
export const CSV = { 'content-type': 'text/csv; charset=utf-8' }

/** Saves `own` and `own_token`. */
export const project: readonly ApiCase[] = [
  {
    name: 'a project to store events in',
    endpoint: 'POST /api/projects/',
    shows: 'success',
    path: '/api/projects/',
    body: { name: 'Events', anonymize_ips: true },
    expect: { status: 201 },
    save: { own: 'id', own_token: 'api_token' },
  },
]

/** Events of `ann` and `ben`, from 2024 but for the last. */
export const captured: readonly ApiCase[] = [
  {
    name: 'four events are captured, one of them just now',
    endpoint: 'POST /batch/',
    shows: 'success',
    as: 'anonymous',
    path: '/batch/',
    body: {
      api_key: '{own_token}',
      batch: [
        {
          event: 'signed up',
          distinct_id: 'ann',
          uuid: FIRST_ID,
          timestamp: '2024-03-01T10:00:00Z',
          properties: { plan: 'pro', seats: 12, tags: ['a', 'b'], note: 'x,"y"', none: null },
        },
        {
          event: '$identify',
          distinct_id: 'ben',
          timestamp: '2024-03-02T10:00:00.5Z',
          properties: { $set: { email: 'ben@example.com', plan: 'team' }, plan: 'free' },
        },
        {
          event: 'left',
          distinct_id: 'ben',
          timestamp: '2024-03-03T10:00:00Z',
          properties: { seats: '3', url: 'https://example.com/Shop' },
        },
        {
          event: 'came back',
          distinct_id: 'ann',
          properties: { plan: ['pro', { b: 1, a: true }], seats: 7 },
        },
      ],
    },
    expect: { status: 200, body: { status: 1 } },
  },
]
