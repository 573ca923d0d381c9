/**
 * Every reason for which an event is dropped, refused or changed on its way to the store. The names
 * are stable: the interface, the figures and docs/OPERATING.md have them.
 */

/**
 * `refused`: the client got an error and may send it again. `dropped`: the answer was 200, and the
 * event is not stored. `changed`: stored differently from how it was sent.
 */
export type WarningEffect = 'dropped' | 'refused' | 'changed'

export type ReasonForm = {
  readonly effect: WarningEffect
  /** One sentence. */
  readonly meaning: string
  /** Advice to the user on how to fix it. */
  readonly advice: string
}

export const WARNING_REASONS = {
  not_an_object: {
    effect: 'dropped',
    meaning: 'An item of the batch is no object.',
    advice: 'Send events as JSON objects; `index` is the place of the item, from 0.',
  },
  no_name: {
    effect: 'dropped',
    meaning: 'The event has no name.',
    advice: 'Send `event`, a text that is not empty.',
  },
  no_distinct_id: {
    effect: 'dropped',
    meaning: 'The event has no distinct id, or a blank one.',
    advice: 'Send `distinct_id`: who did it.',
  },
  not_analytics: {
    effect: 'dropped',
    meaning: 'Session recordings, heat maps and reports of clients are not stored.',
    advice: 'Switch them off in the client.',
  },
  unknown_type: {
    effect: 'dropped',
    meaning: 'The type of a Segment or Mixpanel message is none that is taken.',
    advice: 'Compare `type` with docs/CLIENTS.md.',
  },
  bad_properties: {
    effect: 'dropped',
    meaning: 'The properties of the event are no object.',
    advice: 'Send `properties` as a JSON object.',
  },
  too_large: {
    effect: 'refused',
    meaning: 'An event is larger than 1 MB.',
    advice: 'Send less with it; a protocol that answers for each event drops this one alone.',
  },
  unreadable: {
    effect: 'refused',
    meaning: 'The body, or each of its events, cannot be read.',
    advice: 'Compare the body with docs/CLIENTS.md; nothing of the request is stored.',
  },
  request_too_large: {
    effect: 'refused',
    meaning: 'The body is larger than BODY_BYTES_MAX.',
    advice: 'Send smaller batches.',
  },
  unknown_key: {
    effect: 'refused',
    meaning: 'The key is missing, unknown or not allowed to capture.',
    advice: 'Compare the key of the client with that of the project.',
  },
  over_limit: {
    effect: 'refused',
    meaning: 'The project is over its rate or its quota of events.',
    advice: 'Wait, send less, or raise the limit (CAPTURE_EVENTS_PER_S, CAPTURE_EVENTS_PER_DAY).',
  },
  overloaded: {
    effect: 'refused',
    meaning: 'A queue is full, or a bound of memory is reached.',
    advice: 'Look at the load of gateways, workers and Postgres; clients send it again.',
  },
  unavailable: {
    effect: 'refused',
    meaning: 'Neither the database nor a spill takes events, or no worker answers.',
    advice: 'Look at `sluice status`; clients send it again.',
  },
  spill_full: {
    effect: 'refused',
    meaning: 'The database takes no events, and the spill is full.',
    advice: 'Mend the database, or raise SPILL_BYTES_MAX; clients send it again.',
  },
  internal_error: {
    effect: 'refused',
    meaning: 'A defect of the server.',
    advice: 'The log of the gateway or the worker has it.',
  },
  grpc_refused: {
    effect: 'refused',
    meaning: 'A gRPC call to capture is larger, slower or has more fields than the bounds allow.',
    advice: 'Send smaller batches; `sluice_grpc_refused_total` says which bound.',
  },
  removed_project: {
    effect: 'dropped',
    meaning: 'The project was removed while its events were on their way.',
    advice: 'Stop the client.',
  },
  deleted_person: {
    effect: 'dropped',
    meaning: 'The person was deleted with its events while they were in the spill or dead letters.',
    advice: 'Nothing: docs/PRIVACY.md.',
  },
  plugin_dropped: {
    effect: 'dropped',
    meaning: 'A plugin of the project dropped the event.',
    advice: 'Look at the settings of the plugins of the project.',
  },
  plugin_capture_lost: {
    effect: 'dropped',
    meaning: 'An event that a plugin captured could not be stored in time.',
    advice: 'Look at the database and at the log of the plugin.',
  },
  dead_letter: {
    effect: 'dropped',
    meaning: 'Postgres refuses the event. It is kept as a dead letter.',
    advice: '`sluice deadletter list` has the error, `replay` stores it again.',
  },
  duplicate: {
    effect: 'dropped',
    meaning: 'An event with this uuid is stored for its day already: it was sent again.',
    advice: 'Nothing, unless the client gives one uuid to different events.',
  },
  bad_timestamp: {
    effect: 'changed',
    meaning:
      'The time of the event cannot be read or is far in the future: it is the time of receipt.',
    advice: 'Send `timestamp` as ISO 8601, and mend the clock of the client; `given` is what came.',
  },
  bad_uuid: {
    effect: 'changed',
    meaning: 'The uuid of the event is none, so it has got another one.',
    advice: 'Send a UUID, or none; a repeated event is stored twice otherwise.',
  },
  cut: {
    effect: 'changed',
    meaning: 'The name or the distinct id of the event is longer than 200 characters and was cut.',
    advice: 'Send shorter ones.',
  },
  unstorable_text: {
    effect: 'changed',
    meaning: 'The event holds characters that Postgres cannot store. They were replaced.',
    advice: 'Send no NUL and no half of a surrogate pair.',
  },
  cannot_merge_with_illegal_distinct_id: {
    effect: 'changed',
    meaning: 'A distinct id that many would share is not joined to another one.',
    advice: 'Send real ids to identify and alias, not `null`, `undefined`, `0` and the like.',
  },
  person_properties_size_violation: {
    effect: 'changed',
    meaning: 'The person would have more than 512 kB of properties: they were not set.',
    advice: 'Keep long values on events.',
  },
  group_properties_size_violation: {
    effect: 'changed',
    meaning: 'The group would have more than 512 kB of properties: they were not set.',
    advice: 'Keep long values on events.',
  },
} as const satisfies Readonly<Record<string, ReasonForm>>

export type WarningReason = keyof typeof WARNING_REASONS

/** Undefined for a reason of another release. */
export function reasonForm(reason: string): ReasonForm | undefined {
  return Object.hasOwn(WARNING_REASONS, reason)
    ? WARNING_REASONS[reason as WarningReason]
    : undefined
}
