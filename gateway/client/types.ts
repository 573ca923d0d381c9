// Generated from proto/sluice/v1 by `npm run gen`; changes here are lost.
import type { Json, JsonObject } from './runtime.ts'

export type AcceptInviteResponse = {
  /** Id of the user. */
  readonly id: number
  /** UUID of the user. */
  readonly uuid: string
  /** Distinct id of the user. */
  readonly distinct_id: string
  /** Name of the user. */
  readonly first_name: string
  /** Mail address of the user. */
  readonly email: string
  /** UUID of the organization that was joined. */
  readonly organization_id: string
  /** Project that is the user's current one; null where they see none. */
  readonly project_id: number | null
  /** Shown once; null for a user who existed already. */
  readonly personal_api_key: string | null
}

/** The effect of a change on one field. */
export type ActivityChange = {
  /** Name of the field. */
  readonly field: string
  /** created, changed or deleted. */
  readonly action: string
  /** Value before the change; null where there was none. Secrets are masked. */
  readonly before: Json
  /** Value after the change; null where there is none. Secrets are masked. */
  readonly after: Json
}

/** The kind of a change. */
export type ActivityDetail = {
  /** Name of the item at the time of the change. */
  readonly name: string | null
  /** Version of the flag after the change. */
  readonly version: number | null
  /** One entry for each field that the change touched. */
  readonly changes: readonly ActivityChange[]
}

/** One change. */
export type ActivityEntry = {
  /** UUID. */
  readonly id: string
  /** Null once the user is gone. */
  readonly user: UserSummary | null
  /** Id of the personal API key that was used; null when no key was used. */
  readonly key_id: string | null
  /** created, updated, deleted, or another word for what was done. */
  readonly activity: string
  /**
   * FeatureFlag, PluginConfig, Plugin, Project, Organization, OrganizationMembership, Invite,
   * EventDefinition, Cohort, Insight, Dashboard, PersonalApiKey, User, Deletion, Event or Person
   * (the last two: of exports).
   */
  readonly scope: string
  /** Id of the item that was changed, as text. */
  readonly item_id: string
  /** Project of the item; null where it belongs to none. */
  readonly project_id: number | null
  /** Organization of the item; null where it belongs to none. */
  readonly organization_id: string | null
  /** The object that was changed. */
  readonly detail: ActivityDetail | null
  /** ISO 8601, UTC, with microseconds. */
  readonly created_at: string
}

export type ChangeFeatureFlagsResponse = {
  /** Ids of the flags that have a new version. */
  readonly changed: readonly number[]
  /** Ids of the flags that were so already. */
  readonly unchanged: readonly number[]
}

/** A group of persons: those who meet conditions, or those who were named. */
export type Cohort = {
  /** Id of the cohort. */
  readonly id: number
  /** Name of the cohort. */
  readonly name: string
  /** A description of the cohort, in words. */
  readonly description: string
  /** The conditions: `{"properties": …}`. Without meaning for a static cohort. */
  readonly filters: Json
  /** True when members are named instead of following from conditions. */
  readonly is_static: boolean
  /** The cohort is hidden: lists leave it out, and nothing may refer to it. */
  readonly deleted: boolean
  /** How many persons are in; null when counting took too long, and for a hidden cohort. */
  readonly count: number | null
  /** How many distinct ids of this request nobody has; null when it brought none. */
  readonly not_found: number | null
  /** When the cohort was made. */
  readonly created_at: string
  /** The author of the cohort; null once that user is gone. */
  readonly created_by: UserSummary | null
  /** When the cohort was last changed. */
  readonly updated_at: string
}

/** How many persons conditions hold for. */
export type CohortCount = {
  /** Persons that the conditions hold for; null when counting took too long. */
  readonly count: number | null
  /** All persons of the project; null when counting took too long. */
  readonly total: number | null
}

/** A cohort that another object is tied to. */
export type CohortLink = {
  /** Id of the cohort. */
  readonly id: number
  /** Name of the cohort. */
  readonly name: string
}

/** Where a cohort is used. A list that the key has no scope for is empty, and `unread` names it. */
export type CohortUses = {
  /** Flags with a condition on it; deleted ones are left out. */
  readonly feature_flags: readonly FlagLink[]
  /** Cohorts with a condition on it. */
  readonly cohorts: readonly CohortLink[]
  /** Saved insights that filter or break down by it, the last changed first. */
  readonly insights: readonly InsightLink[]
  /** Dashboards whose filters name it, the last changed first. */
  readonly dashboards: readonly DashboardLink[]
  /** The project's filters of internal and test users name it. */
  readonly test_accounts: boolean
  /** Members of this message that the key may not read. */
  readonly unread: readonly string[]
}

/** A month of which ClickHouse lacks events, or the distinct ids. */
export type CopyGap = {
  /** `y2026m03`; `old` is before 2000, `far` from 2100 on; `persons` are the distinct ids. */
  readonly month: string
  /** Why, in words. */
  readonly reason: string
  /** Whether it is being filled. */
  readonly asked: boolean
}

/** The copy of the events in ClickHouse, as Postgres knows it. */
export type CopyStatus = {
  /** False without EVENTS_URL; the rest is then empty. */
  readonly configured: boolean
  /**
   * shipping, or why it is not: starting, unreachable, refused, too_old, foreign_table,
   * broken_block, failed.
   */
  readonly state: string
  /** In words; empty while it ships. */
  readonly problem: string
  /** The worker that keeps the copy; empty when none does. */
  readonly holder: string
  /** Blocks that were recorded. */
  readonly blocks: number
  /** Events that ClickHouse does not have yet. */
  readonly waiting_events: number
  /** The flushes that hold them, and removals of events that ClickHouse has yet to make. */
  readonly waiting_flushes: number
  /** Their compressed bytes. */
  readonly waiting_bytes: number
  /** How long the oldest of them waits. */
  readonly lag_ms: number
  /** Months that the copy lacks events of. */
  readonly gaps: readonly CopyGap[]
  /** All months that have a partition in Postgres. */
  readonly months: readonly string[]
  /** Properties that have columns of their own, as questions ask for them often. */
  readonly columns: readonly string[]
  /**
   * In how many parts ClickHouse has the events. Each insert is one until ClickHouse has merged
   * it. 0 when it does not say.
   */
  readonly parts: number
  /** At most in one month: ClickHouse takes no more events of a month that has too many. */
  readonly parts_most: number
  /** Months whose events have left Postgres. */
  readonly ledger_months: readonly string[]
  /**
   * Whether the outbox takes no more, as ClickHouse has taken nothing for long: captures wait in
   * the spill.
   */
  readonly full: boolean
  /** Store that answers: postgres until the events have moved, then clickhouse. */
  readonly home: string
}

/** A page of saved insights and texts. */
export type Dashboard = {
  /** Id of the dashboard. */
  readonly id: number
  /** Name of the dashboard. */
  readonly name: string
  /** A description of the dashboard, in words. */
  readonly description: string
  /** Tags, in lower case, sorted. */
  readonly tags: readonly string[]
  /**
   * Settings of all tiles: `date_from` and `date_to` in place of their own range, `properties`
   * beside their own filters.
   */
  readonly filters: Json
  /** The tiles, in this order. Tiles of hidden insights are left out. */
  readonly tiles: readonly DashboardTile[]
  /** The dashboard is hidden: lists leave it out. */
  readonly deleted: boolean
  /** When the dashboard was made. */
  readonly created_at: string
  /** The author of the dashboard; null once that user is gone. */
  readonly created_by: UserSummary | null
  /** When the dashboard was last changed. */
  readonly last_modified_at: string
  /** The user that last changed the dashboard; null once that user is gone. */
  readonly last_modified_by: UserSummary | null
}

/** A dashboard that refers to something. */
export type DashboardLink = {
  /** Id of the dashboard. */
  readonly id: number
  /** Name of the dashboard. */
  readonly name: string
}

/** A dashboard without its tiles. */
export type DashboardSummary = {
  /** Id of the dashboard. */
  readonly id: number
  /** Name of the dashboard. */
  readonly name: string
  /** A description of the dashboard, in words. */
  readonly description: string
  /** Tags, in lower case, sorted. */
  readonly tags: readonly string[]
  /** When the dashboard was made. */
  readonly created_at: string
  /** The author of the dashboard; null once that user is gone. */
  readonly created_by: UserSummary | null
  /** When the dashboard was last changed. */
  readonly last_modified_at: string
  /** The user that last changed the dashboard; null once that user is gone. */
  readonly last_modified_by: UserSummary | null
}

/** A text between insights. */
export type DashboardText = {
  /** The text. */
  readonly body: string
}

/** One part of a dashboard: an insight or a text. */
export type DashboardTile = {
  /** The `short_id` of the insight; null for a text. */
  readonly insight: string | null
  /** The text; null for an insight. */
  readonly text: DashboardText | null
  /** Where the tile stands, as clients have written it. */
  readonly layouts: Json
  /** Name of the insight; null for a text. */
  readonly name: string | null
  /** The insight's question with the dashboard's `filters`, ready to be asked; null for a text. */
  readonly query: Json
}

/** An event that the database refuses. */
export type DeadLetter = {
  /** Number of the dead letter. */
  readonly id: number
  /** Id of the project. */
  readonly project_id: number
  /** UUID of the event. */
  readonly uuid: string
  /** Name of the event. */
  readonly event: string
  /** Distinct id of the event. */
  readonly distinct_id: string
  /** SQLSTATE of the last refusal. */
  readonly sqlstate: string
  /** The message of the database. */
  readonly error: string
  /** How often it was refused. */
  readonly attempts: number
  /** When it was refused first: ISO 8601, UTC, with microseconds. */
  readonly created_at: string
  /** The whole event as JSON text; with GetDeadLetter only. */
  readonly payload?: string
}

/** Why the database refuses events. */
export type DeadLetterCause = {
  /** SQLSTATE of the database. */
  readonly sqlstate: string
  /** The message of the database about the newest of them. */
  readonly error: string
  /** Dead letters of this cause. */
  readonly count: number
  /** The number of projects. */
  readonly projects: number
  /** When the first of them was refused first: ISO 8601, UTC. */
  readonly oldest_at: string
  /** When the last of them was refused first: ISO 8601, UTC. */
  readonly newest_at: string
}

/** The result of an operation on a page of dead letters. */
export type DeadLettersDone = {
  /** Rows of this page that match. */
  readonly matched: number
  /** The ones stored, now or before, and removed. */
  readonly stored: number
  /** Refused again and kept with one more attempt. */
  readonly refused: number
  /** Removed without being stored. */
  readonly discarded: number
  /** For the next call; 0 at the end. */
  readonly cursor: number
}

/** A deletion of events in the background. */
export type Deletion = {
  /** UUID; null for a dry run. */
  readonly id: string | null
  /** person, events or retention. */
  readonly kind: string
  /** running, completed, cancelled or dry_run. */
  readonly state: string
  /** UUID of the deleted person. */
  readonly person_uuid: string | null
  /** False when a person is deleted and its events are kept. */
  readonly delete_events: boolean
  /**
   * JSON object: the filters as they were sent, with the timezone of their dates; null but for the
   * kind events.
   */
  readonly filters: Json
  /** Events of earlier UTC days go, YYYY-MM-DD; null but for the kind retention. */
  readonly cutoff: string | null
  /** Events that were found when it was asked for; null when they were not counted. */
  readonly total: number | null
  /** Events that are deleted by now. */
  readonly deleted: number
  /** The error of the last turn; it is tried again. */
  readonly error: string | null
  /** Id of a user. */
  readonly created_by: number | null
  /** When it was asked for; null for a dry run. */
  readonly created_at: string | null
  /** When it ended; null while it runs. */
  readonly finished_at: string | null
  /** Until when backups may hold what is deleted; null when the operator has not said. */
  readonly backups_hold_until: string | null
}

/** The result of a drain. */
export type DrainResponse = {
  /** Id of the member. */
  readonly member_id: string
  /** Its address. */
  readonly address: string
  /** Shards that it gave up. */
  readonly released: number
}

/** Events of a project that were not stored as they came. */
export type DroppedCount = {
  /** 0: no project is known, as with an unknown key. */
  readonly project_id: number
  /** As ingestion warnings name it. */
  readonly reason: string
  /** dropped, refused or changed. */
  readonly effect: string
  /** Events of the hour. */
  readonly count: number
}

export type DroppedEvents = {
  /** Stable; docs/OPERATING.md has them all. */
  readonly reason: string
  /**
   * dropped: answered with 200 and not stored. refused: the client was told. changed: stored
   * otherwise than it was sent.
   */
  readonly effect: string
  /** A request that was refused before its events were read counts as one. */
  readonly count: number
  /** The meaning of the reason. */
  readonly meaning: string
  /** A remedy. */
  readonly advice: string
}

export type DryRunPluginConfigResponse = {
  /** In the order in which the plugins are called. */
  readonly steps: readonly PluginDryStep[]
}

export type EvaluateFlagsResponse = {
  /** One entry for each flag that was evaluated, in the order of ids. */
  readonly results: readonly FlagOutcome[]
}

/** The name of an event, and what is known and said of it. */
export type EventDefinition = {
  /** UUID. */
  readonly id: string
  /** Name of the event. */
  readonly name: string
  /** Id of a user. */
  readonly owner: number | null
  /** A description of the event, in words; null where there is none. */
  readonly description: string | null
  /** Tags, in lower case, sorted. */
  readonly tags: readonly string[]
  /** Events of this name in the last 30 days; null before the first count. */
  readonly volume_30_day: number | null
  /** Lists of events in the last 30 days that asked for it; null before the first count. */
  readonly query_usage_30_day: number | null
  /** When the first event of this name came. */
  readonly created_at: string | null
  /** When what is said of it was last changed. */
  readonly updated_at: string | null
  /** The user that last changed the description; null when nobody has. */
  readonly updated_by: UserSummary | null
  /** When the last event of this name came. */
  readonly last_seen_at: string | null
  /** The same as `updated_at`. */
  readonly last_updated_at: string | null
  /** A member has confirmed that the event is meant. */
  readonly verified: boolean
  /** When it was verified; null when it is not. */
  readonly verified_at: string | null
  /** The user that verified it; null when nobody has. */
  readonly verified_by: UserSummary | null
  /** The text false: there are no actions. */
  readonly is_action: string
  /** Null: there are no actions. */
  readonly action_id: number | null
  /** False: there are no actions. */
  readonly is_calculating: boolean
  /** Null: there are no actions. */
  readonly last_calculated_at: string | null
  /** Null: an event made it, not a user. */
  readonly created_by: UserSummary | null
  /** A message goes to the chat of the project when the definition is verified. */
  readonly post_to_chat: boolean
}

/** How often an event comes and is asked for. */
export type EventNameUsage = {
  /** Name of the event. */
  readonly event: string
  /** Event lists of the last 30 days that asked for it. */
  readonly usage_count: number | null
  /** Events in the last 30 days. */
  readonly volume: number | null
}

/** A property of events. */
export type EventPropertyUsage = {
  /** Name of the property. */
  readonly key: string
  /** Null: not counted for properties. */
  readonly usage_count: number | null
  /** Null: not counted for properties. */
  readonly volume: number | null
}

/** A page of a table, one column for each expression. */
export type EventTable = {
  /** The expressions as sent. */
  readonly columns: readonly string[]
  /** Type of each column. */
  readonly types: readonly string[]
  /** JSON list of rows, each a list of cells. */
  readonly results: Json
  /** There is a next page. */
  readonly hasMore: boolean
  /** How many items there are on all pages. */
  readonly count: number
  /** Link to the next page; null on the last one. */
  readonly next: string | null
  /** Link to the page before; null on the first one. */
  readonly previous: string | null
}

/** One value. */
export type EventValue = {
  /** The value as text. */
  readonly name: string
}

export type ExportPersonResponse = {
  /**
   * JSON object: the person with all but its events. A long list continues in the next pieces,
   * whose objects hold nothing but further lists and further items; null once all were given.
   */
  readonly person: Json
  /** JSON list of events. */
  readonly events: Json
  /** Cursor of the next piece; empty after the last one. A piece without events may have one. */
  readonly cursor: string
}

/** A named switch of a project. */
export type FeatureFlag = {
  /** Id of the flag. */
  readonly id: number
  /** A description of the flag, in words. */
  readonly name: string
  /** The name by which programs ask for the flag; unique in the project. */
  readonly key: string
  /**
   * Condition sets (`groups`), variants (`multivariate`), payloads. Each filter of
   * `groups[].properties` has a `type`. One without a type is an event filter, which flags do not
   * take.
   */
  readonly filters: Json
  /** The flag is gone for lists and decides, and its key is free. */
  readonly deleted: boolean
  /** The flag is switched on. One that is not comes out false for everybody. */
  readonly active: boolean
  /** The author of the flag; null once that user is gone. */
  readonly created_by: UserSummary | null
  /** ISO 8601, UTC, with microseconds. */
  readonly created_at: string
  /**
   * The flag is about persons and has one condition set, which has no conditions:
   * `rollout_percentage` says all of its rollout.
   */
  readonly is_simple_flag: boolean
  /** A number from 0 to 100, or null when the flag is not simple. */
  readonly rollout_percentage: number | null
  /** A flag keeps a person's outcome when the person logs in. */
  readonly ensure_experience_continuity: boolean
  /** Empty: there are no experiments. */
  readonly experiment_set: readonly number[]
  /** Stored for clients; nothing here reads them. */
  readonly rollback_conditions: Json
  /** Stored for clients: nothing here switches a flag off by itself. */
  readonly performed_rollback: boolean
  /** True: every member of the project may change flags. */
  readonly can_edit: boolean
  /** Tags, trimmed and in lower case. */
  readonly tags: readonly string[]
  /** Rises with each change. */
  readonly version: number
  /** The unit that the rollout is counted over: distinct ids, or devices (`$device_id`). */
  readonly bucketing_identifier: string
  /** Which libraries get the flag: of servers, of clients, or all. */
  readonly evaluation_runtime: string
  /** Only libraries that name one of these contexts get the flag; empty is all. */
  readonly evaluation_contexts: readonly string[]
  /**
   * True: payloads are sealed where they are stored, and masked here. Only GetRemoteConfig and the
   * definitions for server libraries have them in clear.
   */
  readonly has_encrypted_payloads: boolean
  /** Conditions that nothing can meet, saved before such were refused: a sentence each. Read only. */
  readonly warnings: readonly string[]
}

/** One condition of a set. */
export type FlagCondition = {
  /** The condition as it is stored. */
  readonly property: Json
  /** True when the person meets it. */
  readonly holds: boolean
  /** The person's value; null for nothing, for cohorts, and for keys without `person:read`. */
  readonly actual: Json
}

/** The result of a condition set for the person. */
export type FlagConditionSet = {
  /** False where the flag was decided before. */
  readonly reached: boolean
  /**
   * The result by itself: `condition_match`, `no_condition_match`, `out_of_rollout_bound` or
   * `no_group_type`.
   */
  readonly outcome: string
  /** Its conditions, in the order in which they are stored. */
  readonly properties: readonly FlagCondition[]
  /** Where the hash puts who is asked about, from 0 to 1; null when their group is not known. */
  readonly bucket: number | null
  /** Buckets up to this one are let through. */
  readonly threshold: number
  /** The outcome of the flag by this set; null when the set does not match. */
  readonly value: Json
  /** Where the hash puts them among the variants; null when it does not choose. */
  readonly variant_bucket: number | null
}

/** Dependencies of a flag, and its dependants. */
export type FlagDependencies = {
  /** Flags that its conditions name. */
  readonly depends_on: readonly FlagLink[]
  /** Flags whose conditions name it. */
  readonly dependents: readonly FlagLink[]
  /** Cohorts that its conditions name. */
  readonly cohorts: readonly CohortLink[]
}

/** A check before the condition sets of a flag. */
export type FlagGate = {
  /** It holds for who is asked about; null when it does not apply to them. */
  readonly holds: boolean | null
  /** Its conditions, in the order in which they are stored. */
  readonly properties: readonly FlagCondition[]
  /** Where the hash puts who is asked about, from 0 to 1; null where it is not asked. */
  readonly bucket: number | null
  /** Buckets up to this one are let through. */
  readonly threshold: number
}

/** A flag that another object is tied to. */
export type FlagLink = {
  /** Id of the flag. */
  readonly id: number
  /** Key of the flag. */
  readonly key: string
  /** The flag is switched on. */
  readonly active: boolean
}

/** The outcome of a flag, and how it came to that. */
export type FlagOutcome = {
  /** Id of the flag; null for a draft of a new one. */
  readonly flag_id: number | null
  /** Key of the flag. */
  readonly key: string
  /** Version of the flag; null for a draft. */
  readonly version: number | null
  /** The flag is switched on. One that is not is evaluated as if it were. */
  readonly active: boolean
  /** true, false or the key of a variant. */
  readonly value: Json
  /** JSON text of the payload; null when there is none, or when it is secret. */
  readonly payload: string | null
  /** Why the flag came out so. */
  readonly reason: FlagReason | null
  /** The flag could not be evaluated, and is off. */
  readonly failed: boolean
  /** The early access opt-in, where the flag has one and was asked for alone. */
  readonly opt_in: FlagGate | null
  /** The holdout, where the flag has one and was asked for alone. */
  readonly holdout: FlagGate | null
  /** Each condition set, where the flag was asked for alone. */
  readonly condition_sets: readonly FlagConditionSet[]
}

/** How many persons or groups a condition set holds for. */
export type FlagReach = {
  /** For how many it holds; null when counting took too long. */
  readonly users_affected: number | null
  /** How many there are; null when counting took too long. */
  readonly total_users: number | null
}

/** Why a flag came out as it did. */
export type FlagReason = {
  /** Such as `condition_match` or `out_of_rollout_bound`. */
  readonly code: string
  /** The condition set that decided, counted from 0; null when none was looked at. */
  readonly condition_index: number | null
  /** The reason in words. */
  readonly description: string
}

/** How often programs asked for a flag, as their libraries report it in `$feature_flag_called`. */
export type FlagUsage = {
  /** As in FlagUsageStatus. */
  readonly status: string
  /** The status in a sentence. */
  readonly reason: string
  /** How many calls were reported in these days. */
  readonly count: number
  /** Time of the newest report within 90 days; null when there is none. */
  readonly last_called_at: string | null
  /** The UTC days, as YYYY-MM-DD, oldest first. */
  readonly days: readonly string[]
  /** The values that programs got, the most frequent first. */
  readonly values: readonly FlagUsageValue[]
}

/** Whether a flag is in use. */
export type FlagUsageStatus = {
  /** Id of the flag. */
  readonly id: number
  /** Key of the flag. */
  readonly key: string
  /**
   * `active`: called in the last 30 days. `stale`: not called for 30 days, or never although it
   * could have been. `new`: never called and younger than that. `off`: switched off. `unknown`: no
   * library reports calls of any flag of the project.
   */
  readonly status: string
  /** The status in a sentence. */
  readonly reason: string
  /** How many calls were reported in the last 30 days. */
  readonly count: number
  /** Time of the newest report within 90 days; null when there is none. */
  readonly last_called_at: string | null
}

/** The calls in which a flag had one value. */
export type FlagUsageValue = {
  /**
   * `true`, `false` or the key of a variant; null stands for all values that the flag does not
   * have.
   */
  readonly value: string | null
  /** How many calls were reported in these days. */
  readonly count: number
  /** Time of the newest report. */
  readonly last_called_at: string
  /** The calls of each of `days`. */
  readonly data: readonly number[]
}

export type GetFlagDefinitionsResponse = {
  /** Every flag that is not deleted. */
  readonly flags: readonly LocalFlag[]
  /** Index of a group type, as text, to its name. */
  readonly group_type_mapping: JsonObject | null
  /** Id of a cohort, as text, to its definition. */
  readonly cohorts?: JsonObject
  /** Version of the rules by which values are compared with true and false. */
  readonly property_matching_version: number
  /** True asks for fewer properties on `$feature_flag_called`. */
  readonly minimal_flag_called_events: boolean
}

export type GetLocalEvaluationResponse = {
  /** Every flag that is not deleted. */
  readonly flags: readonly LocalFlag[]
  /** Index of a group type, as text, to its name. */
  readonly group_type_mapping: JsonObject | null
  /** Id of a cohort, as text, to its definition. */
  readonly cohorts?: JsonObject
}

/** The state of a cluster. */
export type GetStatusResponse = {
  /** Release of the worker that was asked. */
  readonly version: string
  /** Name of the cluster. */
  readonly cluster_name: string
  /** Workers first, then gateways, each by their addresses. */
  readonly members: readonly Member[]
  /** Writer of the worker that was asked. */
  readonly writer: WriterStatus | null
  /** Projects that are active in it. */
  readonly activations: number
  /** -1 when the database does not answer. */
  readonly dead_letters: number
  /**
   * State of the called worker's writer: up, down, closing or closed. Also down when the writer is
   * up and the database does not answer this call.
   */
  readonly database: string
  /** Where events wait while the database is away. */
  readonly spill: SpillStatus | null
  /** memory, connected or frozen (NATS does not answer: nobody joins or leaves). */
  readonly membership: string
  /**
   * memory, up, unsteady (up, and it failed several times within a minute), down or none (this
   * worker uses no shared cache).
   */
  readonly redis: string
  /** Version of the list of members that the worker knows. */
  readonly view_version: number
  /** Read from the database; empty when it does not answer. */
  readonly shards: readonly ShardStatus[]
  /** Members that did not answer in time, and anything else that an operator should act on. */
  readonly problems: readonly string[]
  /**
   * Events that were dropped, refused or changed in the last hour, over all workers and gateways,
   * the most first. At most 100; empty while the database does not answer.
   */
  readonly dropped: readonly DroppedCount[]
  /** Events of further projects and reasons. */
  readonly dropped_others: number
  /** When that hour began; empty while the database does not answer. */
  readonly dropped_since: string
  /** Keys that nobody has. */
  readonly refused_keys: RefusedKeys | null
  /**
   * Flags with conditions that nothing can meet, saved before such were refused, as counted within
   * the last ten minutes. Null while they are counted for the first time.
   */
  readonly warned_flags: WarnedFlags | null
  /** Cohorts with such conditions. Null as `warned_flags`, and from a worker of an older release. */
  readonly warned_cohorts: WarnedCohorts | null
}

/** Samples of one type about one distinct id or group are counted together. */
export type IngestionWarning = {
  /** The reason, as in last_hour. */
  readonly type: string
  /** The newest one: the event, its distinct id, and a message. No properties. */
  readonly details: JsonObject | null
  /** How often it happened. */
  readonly count: number
  /** When it happened first. */
  readonly first_seen_at: string
  /** When it happened last. */
  readonly last_seen_at: string
}

/** A saved insight that refers to something. */
export type InsightLink = {
  /** Short id of the insight. */
  readonly short_id: string
  /** Name of the insight. */
  readonly name: string
}

/** An invitation of an address to an organization. */
export type Invite = {
  /** UUID. */
  readonly id: string
  /** The invited address. */
  readonly target_email: string
  /** Name of the invited person; empty where it was not given. */
  readonly first_name: string
  /** A mail was handed to the mail server. */
  readonly emailing_attempt_made: boolean
  /** The invite is more than three days old. */
  readonly is_expired: boolean
  /** The inviter; null once that user is gone. */
  readonly created_by: UserSummary | null
  /** ISO 8601, UTC, with microseconds. */
  readonly created_at: string
  /** ISO 8601, UTC, with microseconds. */
  readonly updated_at: string
  /** Words of whoever invited; null where there are none. */
  readonly message: string | null
  /**
   * Accepts the invite: hand it to the invited person where no mail is sent. Only where the invite
   * is made; the mail has another one.
   */
  readonly token?: string
}

export type ListActivityResponse = {
  /** How many items there are on all pages. */
  readonly count: number
  /** Link to the next page; null on the last one. */
  readonly next: string | null
  /** Link to the page before; null on the first one. */
  readonly previous: string | null
  /** The items of this page. */
  readonly results: readonly ActivityEntry[]
}

export type ListCohortsResponse = {
  /** How many items there are on all pages. */
  readonly count: number
  /** Link to the next page; null on the last one. */
  readonly next: string | null
  /** Link to the page before; null on the first one. */
  readonly previous: string | null
  /** The items of this page. */
  readonly results: readonly Cohort[]
}

export type ListDashboardsResponse = {
  /** How many items there are on all pages. */
  readonly count: number
  /** Link to the next page; null on the last one. */
  readonly next: string | null
  /** Link to the page before; null on the first one. */
  readonly previous: string | null
  /** The items of this page. */
  readonly results: readonly DashboardSummary[]
}

/** A page of dead letters. */
export type ListDeadLettersResponse = {
  /** Oldest first. */
  readonly results: readonly DeadLetter[]
  /** Number of all dead letters that match. */
  readonly count: number
  /** For the next page; 0 at the end. */
  readonly cursor: number
}

export type ListDeletionsResponse = {
  /** How many items there are on all pages. */
  readonly count: number
  /** Link to the next page; null on the last one. */
  readonly next: string | null
  /** Link to the page before; null on the first one. */
  readonly previous: string | null
  /** The items of this page. */
  readonly results: readonly Deletion[]
}

export type ListEventDefinitionsResponse = {
  /** How many items there are on all pages. */
  readonly count: number
  /** Link to the next page; null on the last one. */
  readonly next: string | null
  /** Link to the page before; null on the first one. */
  readonly previous: string | null
  /** The items of this page. */
  readonly results: readonly EventDefinition[]
}

export type ListEventsResponse = {
  /** How many events fit, exactly. */
  readonly count: number
  /** Link to the next page; null on the last one. */
  readonly next: string | null
  /** Link to the page before; null on the first one. */
  readonly previous: string | null
  /** The items of this page. */
  readonly results: readonly StoredEvent[]
}

export type ListFeatureFlagsResponse = {
  /** How many items there are on all pages. */
  readonly count: number
  /** Link to the next page; null on the last one. */
  readonly next: string | null
  /** Link to the page before; null on the first one. */
  readonly previous: string | null
  /** The items of this page. */
  readonly results: readonly FeatureFlag[]
}

export type ListFlagUsageResponse = {
  /** How many items there are on all pages. */
  readonly count: number
  /** Link to the next page; null on the last one. */
  readonly next: string | null
  /** Link to the previous page; null on the first one. */
  readonly previous: string | null
  /** The flags. */
  readonly results: readonly FlagUsageStatus[]
}

export type ListIngestionWarningsResponse = {
  /** How many items there are on all pages. */
  readonly count: number
  /** Link to the next page; null on the last one. */
  readonly next: string | null
  /** Link to the page before; null on the first one. */
  readonly previous: string | null
  /** The items of this page. */
  readonly results: readonly IngestionWarning[]
  /** All events of the project since `since`, over all workers and gateways, the most first. */
  readonly last_hour: readonly DroppedEvents[]
  /** When the first minute of last_hour began. Counts come about a second late. */
  readonly since: string
}

export type ListInvitesResponse = {
  /** How many items there are on all pages. */
  readonly count: number
  /** Link to the next page; null on the last one. */
  readonly next: string | null
  /** Link to the page before; null on the first one. */
  readonly previous: string | null
  /** The items of this page. */
  readonly results: readonly Invite[]
}

export type ListOrganizationMembersResponse = {
  /** How many items there are on all pages. */
  readonly count: number
  /** Link to the next page; null on the last one. */
  readonly next: string | null
  /** Link to the page before; null on the first one. */
  readonly previous: string | null
  /** The items of this page. */
  readonly results: readonly OrganizationMember[]
}

export type ListOrganizationsResponse = {
  /** How many items there are on all pages. */
  readonly count: number
  /** Link to the next page; null on the last one. */
  readonly next: string | null
  /** Link to the page before; null on the first one. */
  readonly previous: string | null
  /** The items of this page. */
  readonly results: readonly Organization[]
}

export type ListPersonCohortsResponse = {
  /** The cohorts that the person is in. */
  readonly results: readonly PersonCohort[]
  /** Cohorts of which only flags can say who is in. */
  readonly unknown: readonly UnknownCohort[]
}

export type ListPersonsResponse = {
  /** How many persons fit. */
  readonly count: number
  /** Link to the next page; null on the last one. */
  readonly next: string | null
  /** Link to the page before; null on the first one. */
  readonly previous: string | null
  /** The items of this page. */
  readonly results: readonly Person[]
}

export type ListPluginConfigLogsResponse = {
  /** How many items there are on all pages. */
  readonly count: number
  /** Link to the next page; null on the last one. */
  readonly next: string | null
  /** Link to the page before; null on the first one. */
  readonly previous: string | null
  /** The items of this page. */
  readonly results: readonly PluginLogEntry[]
}

export type ListPluginConfigsResponse = {
  /** How many items there are on all pages. */
  readonly count: number
  /** Link to the next page; null on the last one. */
  readonly next: string | null
  /** Link to the page before; null on the first one. */
  readonly previous: string | null
  /** The items of this page. */
  readonly results: readonly PluginConfig[]
}

export type ListPluginsResponse = {
  /** How many items there are on all pages. */
  readonly count: number
  /** Link to the next page; null on the last one. */
  readonly next: string | null
  /** Link to the page before; null on the first one. */
  readonly previous: string | null
  /** The items of this page. */
  readonly results: readonly Plugin[]
}

export type ListProjectsResponse = {
  /** How many items there are on all pages. */
  readonly count: number
  /** Link to the next page; null on the last one. */
  readonly next: string | null
  /** Link to the page before; null on the first one. */
  readonly previous: string | null
  /** The items of this page. */
  readonly results: readonly ProjectSummary[]
}

export type ListSavedInsightsResponse = {
  /** How many items there are on all pages. */
  readonly count: number
  /** Link to the next page; null on the last one. */
  readonly next: string | null
  /** Link to the page before; null on the first one. */
  readonly previous: string | null
  /** The items of this page. */
  readonly results: readonly SavedInsight[]
}

export type ListUsersResponse = {
  /** How many items there are on all pages. */
  readonly count: number
  /** Link to the next page; null on the last one. */
  readonly next: string | null
  /** Link to the page before; null on the first one. */
  readonly previous: string | null
  /** The items of this page. */
  readonly results: readonly UserListItem[]
}

/** A flag as a library needs it to evaluate it itself. */
export type LocalFlag = {
  /** Id of the flag. */
  readonly id: number
  /** Id of the project. */
  readonly team_id: number
  /** A description of the flag, in words. */
  readonly name: string
  /** The name by which programs ask for the flag; unique in the project. */
  readonly key: string
  /**
   * Condition sets (`groups`), variants (`multivariate`), payloads. Each filter of
   * `groups[].properties` has a `type`. One without a type is an event filter, which flags do not
   * take.
   */
  readonly filters: Json
  /** The flag is gone for lists and decides, and its key is free. */
  readonly deleted: boolean
  /** The flag is switched on. One that is not comes out false for everybody. */
  readonly active: boolean
  /** A flag keeps a person's outcome when the person logs in. */
  readonly ensure_experience_continuity: boolean
  /** Rises with each change. */
  readonly version: number
  /** The unit that the rollout is counted over: distinct ids, or devices (`$device_id`). */
  readonly bucketing_identifier: string
  /** Which libraries get the flag: of servers, of clients, or all. */
  readonly evaluation_runtime: string
  /** Only libraries that name one of these contexts get the flag; empty is all. */
  readonly evaluation_contexts: readonly string[]
  /**
   * Payloads are sealed where they are stored, and masked in answers but those to server
   * libraries.
   */
  readonly has_encrypted_payloads: boolean
}

/** A process of the cluster. */
export type Member = {
  /** Id of this process; another one after a restart. */
  readonly id: string
  /** Where other members dial it. */
  readonly address: string
  /** gateway, worker or standalone. */
  readonly role: string
  /** active, draining or drained. */
  readonly state: string
  /** Shards owned. */
  readonly shards: number
  /** Its release. */
  readonly version: string
  /** False for a gateway and for a worker that did not answer in time; then the rest is empty. */
  readonly answered: boolean
  /** Its writer. */
  readonly writer: WriterStatus | null
  /** Projects that are active in it. */
  readonly activations: number
  /** Events that it stores. */
  readonly events_per_second: number
  /** Questions for flags that it answers. */
  readonly decides_per_second: number
  /** closed (events go to the database) or open (to the spill). */
  readonly breaker: string
  /** Version of the list of members that it knows. */
  readonly view_version: number
  /** Name of its machine; empty where it is of an older release, as the next two. */
  readonly host: string
  /** Its process on that machine. */
  readonly pid: number
  /** When it started: ISO 8601, UTC. */
  readonly started_at: string
}

export type MergePersonsResponse = {
  /** The person after the merge. */
  readonly person: Person | null
  /** UUIDs of the persons that have ended. */
  readonly merged: readonly string[]
  /** Distinct ids that had no person. */
  readonly attached: readonly string[]
  /** True when nothing was changed. */
  readonly dry_run: boolean
}

/** A flag, and how it comes out for the caller. */
export type MyFlag = {
  /** The flag. */
  readonly feature_flag: FeatureFlag | null
  /** true, false or the key of a variant. */
  readonly value: Json
}

/** A page of events whose properties are JSON. */
export type NativeEvents = {
  /** How many items there are on all pages. */
  readonly count: number
  /** Link to the next page; null on the last one. */
  readonly next: string | null
  /** Link to the page before; null on the first one. */
  readonly previous: string | null
  /** JSON list of events. */
  readonly results: Json
}

/** Owns projects and plugins, and has members. */
export type Organization = {
  /** UUID. */
  readonly id: string
  /** Name of the organization. */
  readonly name: string
  /** The name as it stands in addresses; unique. */
  readonly slug: string
  /** ISO 8601, UTC, with microseconds. */
  readonly created_at: string
  /** ISO 8601, UTC, with microseconds. */
  readonly updated_at: string
  /** Level of the caller: 1 member, 8 administrator, 15 owner; null when not a member. */
  readonly membership_level: number | null
  /**
   * The rights of its members over plugins: 0 nothing, 3 configure, 6 install, 9 install for all
   * organizations. The operator sets it.
   */
  readonly plugins_access_level: number
  /** Projects that the caller can see. */
  readonly teams: readonly ProjectSummary[]
  /** Empty: there are no plans. */
  readonly available_features: readonly string[]
  /** Members get a mail when a user joins. */
  readonly is_member_join_email_enabled: boolean
  /** Figures of the organization. */
  readonly metadata: OrganizationMetadata | null
  /** Null: there is no billing. */
  readonly customer_id: string | null
}

/** A user in an organization. */
export type OrganizationMember = {
  /** Id of the membership. */
  readonly id: string
  /** The user. */
  readonly user: UserSummary | null
  /** 1 member, 8 administrator, 15 owner. */
  readonly level: number
  /** When the user joined. */
  readonly joined_at: string
  /** When the level was last changed. */
  readonly updated_at: string
  /** False for a user who was deactivated: none of their keys works. */
  readonly is_active: boolean
  /** The user has shown that the address is theirs. */
  readonly is_email_verified: boolean
}

/** Figures of an organization. */
export type OrganizationMetadata = {
  /** Events of its projects that have a description or tags. */
  readonly taxonomy_set_events_count: number
  /** 0: properties have no descriptions. */
  readonly taxonomy_set_properties_count: number
  /** Null. */
  readonly instance_tag: string | null
}

/** A person: one human behind one or more distinct ids. */
export type Person = {
  /** Number of the person. */
  readonly id: number
  /** UUID of the person. */
  readonly uuid: string
  /** A name for lists: the person's property email, name or username, else a distinct id. */
  readonly name: string
  /** Distinct ids, at most 100 of them, in order. */
  readonly distinct_ids: readonly string[]
  /** How many distinct ids there are. */
  readonly distinct_id_count: number
  /** JSON object. */
  readonly properties: Json
  /** True once an event has identified the person. */
  readonly is_identified: boolean
  /** Time of the first event, ISO 8601, UTC. */
  readonly created_at: string
}

/** A key with which a user calls the management interface. */
export type PersonalApiKey = {
  /** Id of the key. */
  readonly id: string
  /** A description of the key, in words. */
  readonly label: string
  /** ISO 8601, UTC, with microseconds. */
  readonly created_at: string
  /** When a call was last made with it, to the hour; null when none was. */
  readonly last_used_at: string | null
  /** Id of the user whose key it is. */
  readonly user_id: number
  /** The scopes of the key, such as `feature_flag:read`; `*` is all. */
  readonly scopes: readonly string[]
  /** Ids of the projects that the key reaches; empty is no restriction. */
  readonly scoped_teams: readonly number[]
  /** UUIDs of the organizations that the key reaches; empty is no restriction. */
  readonly scoped_organizations: readonly string[]
  /** The first and the last characters of the value, by which its owner knows the key. */
  readonly mask_value: string
  /** When the key got its present value; null when it has its first. */
  readonly last_rolled_at: string | null
  /** Only where the key is made or rolled. */
  readonly value?: string
  /** The key is refused from then on; null is never. */
  readonly expires_at: string | null
}

/** A cohort that a person is in. */
export type PersonCohort = {
  /** Id of the cohort. */
  readonly id: number
  /** Name of the cohort. */
  readonly name: string
  /** True when members are named instead of following from conditions. */
  readonly is_static: boolean
}

/** Code that changes, drops or exports events. */
export type Plugin = {
  /** Id of the plugin. */
  readonly id: number
  /** local, custom, repository or source. */
  readonly plugin_type: string
  /** Name of the plugin. */
  readonly name: string
  /** A description of the plugin, in words. */
  readonly description: string | null
  /** Where its source is from; null for source that was written here. */
  readonly url: string | null
  /** Address of a picture. */
  readonly icon: string | null
  /** List of settings, or object of them by key. */
  readonly config_schema: Json
  /** The installed version of a repository. */
  readonly tag: string | null
  /** The newest known version of the repository. */
  readonly latest_tag: string | null
  /** All organizations can use it. */
  readonly is_global: boolean
  /** Null for a plugin that comes with the product. */
  readonly organization_id: string | null
  /** Name of the organization that installed it. */
  readonly organization_name: string | null
  /** methods, jobs, scheduled_tasks. */
  readonly capabilities: Json
  /** The metrics that it declares: name to kind. */
  readonly metrics: Json
  /** The jobs that a caller may start: name to what they take. */
  readonly public_jobs: Json
}

/** The settings, order and files of a plugin in one project. */
export type PluginConfig = {
  /** Id of the config. */
  readonly id: number
  /** Id of the plugin. */
  readonly plugin: number
  /** Events go through the plugin. */
  readonly enabled: boolean
  /** Place among the configs of the project: the smallest comes first. */
  readonly order: number
  /** JSON text of the settings, secrets masked. */
  readonly config: string
  /** Object or null. */
  readonly error: Json
  /** Id of the project. */
  readonly team_id: number
  /** JSON text of the plugin; only where one config is read. */
  readonly plugin_info: string | null
  /** Decimal text; null while the config ran nothing for 24 hours. */
  readonly delivery_rate_24h: string | null
  /** ISO 8601, UTC, with microseconds. */
  readonly created_at: string
  /** Version of the plugin's source that the config runs. */
  readonly plugin_version: number
  /**
   * The newest version, where the config runs an older one: send it as `plugin_version` to take
   * it.
   */
  readonly plugin_update: number | null
}

/** One line that a plugin wrote. */
export type PluginDryLog = {
  /** DEBUG, LOG, INFO, WARN or ERROR. */
  readonly type: string
  /** The text. */
  readonly message: string
}

/** The result of one plugin for the event. */
export type PluginDryStep = {
  /** Id of the plugin config. */
  readonly config: number
  /** The id of the plugin. */
  readonly name: string
  /** kept, dropped or failed. A failed step leaves the event as it was. */
  readonly outcome: string
  /** The event after the step; null when it was dropped. */
  readonly event: Json
  /** Message of the failure. */
  readonly error: string | null
  /** Log lines of the plugin. */
  readonly logs: readonly PluginDryLog[]
}

/** One entry of a log. */
export type PluginLogEntry = {
  /** UUID. */
  readonly id: string
  /** Id of the project. */
  readonly team_id: number
  /** Id of the plugin. */
  readonly plugin_id: number
  /** Id of the plugin config. */
  readonly plugin_config_id: number
  /** When it was written: ISO 8601, UTC. */
  readonly timestamp: string
  /** SYSTEM, PLUGIN or CONSOLE. */
  readonly source: string
  /** DEBUG, LOG, INFO, WARN or ERROR. */
  readonly type: string
  /** The text. */
  readonly message: string
  /** The worker process that wrote it. */
  readonly instance_id: string
}

/** A project with all its settings. */
export type Project = {
  /** Id of the project. */
  readonly id: number
  /** UUID. */
  readonly uuid: string
  /** UUID of the organization that owns it. */
  readonly organization: string
  /** The project API key, with which clients send events and ask for flags. */
  readonly api_token: string
  /** Addresses of the applications. */
  readonly app_urls: Json
  /** Name of the project. */
  readonly name: string
  /** Webhook URL of a chat that gets messages of new and verified events; null for none. */
  readonly chat_incoming_webhook: string | null
  /** ISO 8601, UTC, with microseconds. */
  readonly created_at: string
  /** ISO 8601, UTC, with microseconds. */
  readonly updated_at: string
  /** Addresses of clients are not kept with events. */
  readonly anonymize_ips: boolean
  /** Stored for clients; nothing here reads it. */
  readonly completed_snippet_onboarding: boolean
  /** An event of the project was stored at some time. */
  readonly ingested_event: boolean
  /** Filters of questions that leave test accounts out. */
  readonly test_account_filters: Json
  /** Stored for clients; nothing here reads it. */
  readonly test_account_filters_default_checked: boolean | null
  /** Stored for clients; nothing here reads it. */
  readonly path_cleaning_filters: Json
  /** Stored for clients; nothing here reads it. */
  readonly is_demo: boolean
  /**
   * Time zone of the project, an IANA name such as `Europe/Paris`. Days, weeks and months are cut
   * in it; times in answers are UTC.
   */
  readonly timezone: string
  /** Stored for clients; nothing here reads it. */
  readonly data_attributes: Json
  /** Stored for clients; nothing here reads it. */
  readonly person_display_name_properties: Json
  /** Stored for clients; nothing here reads it. */
  readonly correlation_config: Json
  /** Browser libraries are told to record sessions, which are then refused. */
  readonly session_recording_opt_in: boolean
  /** Browser libraries are told to record the console with sessions. */
  readonly capture_console_log_opt_in: boolean | null
  /** Browser libraries are told to send timings of the network. */
  readonly capture_performance_opt_in: boolean | null
  /** Level of the caller in it: 1 member, 8 administrator, 15 owner. */
  readonly effective_membership_level: number | null
  /** Only administrators and owners may see the project. Only they may set it. */
  readonly access_control: boolean
  /** Events of the project have named groups. */
  readonly has_group_types: boolean
  /** Id of the dashboard that is shown first; null where there is none. */
  readonly primary_dashboard: number | null
  /** Stored for clients; nothing here reads it. */
  readonly live_events_columns: Json
  /**
   * Addresses of the pages that record sessions, such as `https://*.example.com`; none is any
   * page.
   */
  readonly recording_domains: Json
  /** False: events are read with the person as it is now. */
  readonly person_on_events_querying_enabled: boolean
  /** False: events are read with the groups as they are now. */
  readonly groups_on_events_querying_enabled: boolean
  /** Events of earlier days than so many before today (UTC) are deleted; null keeps all. */
  readonly events_retention_days: number | null
  /** Day that weeks begin with in answers: 0 Sunday, 1 Monday. */
  readonly week_start_day: number
  /**
   * When a shorter `events_retention_days` begins to delete: until then events stay as they did
   * before it. Null where it holds already.
   */
  readonly events_retention_from: string | null
  /** Hours before a retention that is made shorter deletes the first event. */
  readonly events_retention_wait_hours: number
}

/** The reduced representation of lists. */
export type ProjectSummary = {
  /** Id of the project. */
  readonly id: number
  /** UUID. */
  readonly uuid: string
  /** UUID of the organization that owns it. */
  readonly organization: string
  /** The project API key, with which clients send events and ask for flags. */
  readonly api_token: string
  /** Name of the project. */
  readonly name: string
  /** Stored for clients; nothing here reads it. */
  readonly completed_snippet_onboarding: boolean
  /** An event of the project was stored at some time. */
  readonly ingested_event: boolean
  /** Stored for clients; nothing here reads it. */
  readonly is_demo: boolean
  /**
   * Time zone of the project, an IANA name such as `Europe/Paris`. Days, weeks and months are cut
   * in it; times in answers are UTC.
   */
  readonly timezone: string
  /** Only administrators and owners may see the project. Only they may set it. */
  readonly access_control: boolean
  /** Level of the caller in it: 1 member, 8 administrator, 15 owner. */
  readonly effective_membership_level: number | null
}

/** How far a change has come. */
export type Propagation = {
  /**
   * The revision that the project had after the change; null when the worker that owns the project
   * knows of no such change, because it was made long ago or by another worker.
   */
  readonly revision: number | null
  /** How many gateways are members now. */
  readonly gateways: number
  /** How many of them hold the revision; null when that is not known. */
  readonly confirmed: number | null
  /** Milliseconds from the commit until the last of them had said so; null while one is missing. */
  readonly elapsed_ms: number | null
}

/** Keys that nobody has, as the called worker saw them since its start. Gateways remember answers. */
export type RefusedKeys = {
  /** Project API keys. */
  readonly project: number
  /** Personal API keys. */
  readonly personal: number
  /** Wrong operator tokens. */
  readonly operator: number
}

/** A question about events that a project keeps under a name. */
export type SavedInsight = {
  /** Id of the insight. */
  readonly id: number
  /** The name by which addresses and dashboards mean the insight: ten letters and digits. */
  readonly short_id: string
  /** Name of the insight. */
  readonly name: string
  /** A description of the insight, in words. */
  readonly description: string
  /** The question, see docs/INSIGHTS.md. */
  readonly query: Json
  /** Tags, in lower case, sorted. */
  readonly tags: readonly string[]
  /** Members have marked the insight. */
  readonly favorited: boolean
  /** The insight is hidden: lists and dashboards leave it out. */
  readonly deleted: boolean
  /** When the insight was made. */
  readonly created_at: string
  /** The author of the insight; null once that user is gone. */
  readonly created_by: UserSummary | null
  /** When the insight was last changed. */
  readonly last_modified_at: string
  /** The user that last changed the insight; null once that user is gone. */
  readonly last_modified_by: UserSummary | null
}

/** A session of a user. */
export type Session = {
  /** The user; null where nobody is signed in. */
  readonly user: SessionUser | null
  /** The user's current project; null when there is none that the session reaches. */
  readonly project_id?: number
  /** The scopes of the session: `*` is all that the user may. */
  readonly scopes?: readonly Json[]
  /** When the session ends unless it is used: ISO 8601, UTC, with microseconds. */
  readonly expires_at?: string
  /** Goes with each unsafe call, in the header `X-CSRF-Token`. */
  readonly csrf_token?: string
}

/** The user of a session. */
export type SessionUser = {
  /** Id of the user. */
  readonly id: number
  /** UUID. */
  readonly uuid: string
  /** Distinct id of the user. */
  readonly distinct_id: string
  /** Name of the user. */
  readonly first_name: string
  /** Mail address of the user. */
  readonly email: string
  /** The user is staff of the instance. */
  readonly is_staff: boolean
  /** The user has a password. */
  readonly has_password: boolean
}

/** The owner of a part of the projects. */
export type ShardStatus = {
  /** 0 to 255. */
  readonly shard: number
  /** Raised whenever a worker takes the shard. */
  readonly epoch: number
  /** Id of the member that took it last. */
  readonly owner: string
  /** The owner has given it up, and nobody has taken it yet. */
  readonly released: boolean
}

/** The subject of an invite. */
export type Signup = {
  /** UUID of the invite. */
  readonly id: string
  /** The invited address. */
  readonly target_email: string
  /** Name of the invited person; empty where it was not given. */
  readonly first_name: string
  /** Name of the organization. */
  readonly organization_name: string
}

/** Events that wait outside of the database. */
export type SpillStatus = {
  /** False without NATS; the rest is then empty. */
  readonly configured: boolean
  /** False while NATS does not answer; the sizes are then the last known ones. */
  readonly connected: boolean
  /** closed: events go to the database. open: to the spill. */
  readonly breaker: string
  /** Batches of events in the spill. */
  readonly messages: number
  /** Their size. */
  readonly bytes: number
  /** Size at which the spill is full. */
  readonly bytes_max: number
  /** How long the oldest batch waits. */
  readonly oldest_age_ms: number
  /** Events that were written into it since the worker's start. */
  readonly spilled_events: number
  /** Events that were stored from it since the start. */
  readonly drained_events: number
  /** The ones that the database had already. */
  readonly repeated_events: number
  /** Batches of events that a worker was handed once more. */
  readonly redelivered_messages: number
}

/**
 * All eight fields are texts; properties, person and elements hold JSON. The person has `id` and
 * `uuid`, by which lists of events find it; it is the text `null` where nobody is the person.
 */
export type StoredEvent = {
  /** UUID of the event. */
  readonly id: string
  /** The distinct id of the event, as it was sent. */
  readonly distinct_id: string
  /** JSON text of the properties. */
  readonly properties: string
  /** Name of the event. */
  readonly event: string
  /** When it happened: ISO 8601, UTC, with microseconds. */
  readonly timestamp: string
  /** JSON text of the person. */
  readonly person: string | null
  /** JSON text of the elements that were clicked. */
  readonly elements: string
  /** The elements as the browser library sent them; empty where there are none. */
  readonly elements_chain: string
}

/** A cohort of which a list cannot say who is in. */
export type UnknownCohort = {
  /** Id of the cohort. */
  readonly id: number
  /** Name of the cohort. */
  readonly name: string
  /** Why, in a sentence. */
  readonly reason: string
}

/** A user with their settings. */
export type User = {
  /** Id of the user. */
  readonly id: number
  /** UUID. */
  readonly uuid: string
  /** Distinct id of the user. */
  readonly distinct_id: string
  /** Name of the user. */
  readonly first_name: string
  /** Mail address of the user. */
  readonly email: string
  /** When the user was made: ISO 8601, UTC. */
  readonly date_joined: string
  /** The user wants news by mail. */
  readonly email_opt_in: boolean
  /** Stored for clients; nothing here reads it. */
  readonly anonymize_data: boolean
  /** toolbar or disabled. */
  readonly toolbar_mode: string
  /** Which mails the user wants: `plugin_disabled`, true or false. */
  readonly notification_settings: Json
  /** Stored for clients; nothing here reads it. */
  readonly events_column_config: Json
  /** The user has a password. */
  readonly has_password: boolean
  /** The user is staff of the instance. */
  readonly is_staff: boolean
  /** False: nobody can act as another user. */
  readonly is_impersonated: boolean
  /** The current project; null when there is none. */
  readonly team: UserTeam | null
  /** The current organization; null when there is none. */
  readonly organization: Organization | null
  /** All organizations of the user. */
  readonly organizations: readonly UserOrganization[]
  /** Semantic version of this instance. */
  readonly service_version: string
  /** False: none of the user's keys works. */
  readonly is_active: boolean
  /** The user has shown that the address is theirs, or the operator has vouched for it. */
  readonly is_email_verified: boolean
  /** The address that the user has asked for and has not confirmed yet. */
  readonly pending_email: string | null
}

/** A user in a list. */
export type UserListItem = {
  /** Id of the user. */
  readonly id: number
  /** UUID. */
  readonly uuid: string
  /** Distinct id of the user. */
  readonly distinct_id: string
  /** Name of the user. */
  readonly first_name: string
  /** Mail address of the user. */
  readonly email: string
  /** When the user was made: ISO 8601, UTC. */
  readonly date_joined: string
  /** The user is staff of the instance. */
  readonly is_staff: boolean
  /** False: none of the user's keys works. */
  readonly is_active: boolean
  /** The user has shown that the address is theirs. */
  readonly is_email_verified: boolean
  /** The address that the user has asked for and has not confirmed yet. */
  readonly pending_email: string | null
}

/** An organization of a user. */
export type UserOrganization = {
  /** UUID. */
  readonly id: string
  /** Name of the organization. */
  readonly name: string
  /** The name as it stands in addresses. */
  readonly slug: string
  /** 1 member, 8 administrator, 15 owner. */
  readonly membership_level: number
}

/** Where a user is signed in. */
export type UserSession = {
  /** UUID of the session. */
  readonly id: string
  /** The browser or program, as it calls itself. */
  readonly agent: string
  /** When the user signed in: ISO 8601, UTC, with microseconds. */
  readonly created_at: string
  /** When it was used last, to some minutes. */
  readonly last_seen_at: string
  /** When it ends unless it is used. */
  readonly expires_at: string
  /** It is the session of this call. */
  readonly is_current: boolean
  /** Id of the personal key that it was made from; null for a password or a link. */
  readonly key_id: string | null
}

/** The user that made or changed an object. */
export type UserSummary = {
  /** Id of the user. */
  readonly id: number
  /** UUID of the user. */
  readonly uuid: string
  /** Distinct id under which the user sends events about themselves. */
  readonly distinct_id: string
  /** Name of the user. */
  readonly first_name: string
  /** Mail address of the user. */
  readonly email: string
}

/** The current project of a user. */
export type UserTeam = {
  /** Id of the project. */
  readonly id: number
  /** UUID. */
  readonly uuid: string
  /** UUID of the organization that owns it. */
  readonly organization: string
  /** The project API key, with which clients send events and ask for flags. */
  readonly api_token: string
  /** Name of the project. */
  readonly name: string
  /** Stored for clients; nothing here reads it. */
  readonly completed_snippet_onboarding: boolean
  /** An event of the project was stored at some time. */
  readonly ingested_event: boolean
  /** Stored for clients; nothing here reads it. */
  readonly is_demo: boolean
  /**
   * Time zone of the project, an IANA name such as `Europe/Paris`. Days, weeks and months are cut
   * in it; times in answers are UTC.
   */
  readonly timezone: string
  /** Only administrators and owners may see the project. Only they may set it. */
  readonly access_control: boolean
  /** Level of the caller in it: 1 member, 8 administrator, 15 owner. */
  readonly effective_membership_level: number | null
  /** Addresses of the applications. */
  readonly app_urls: Json
  /** Addresses of clients are not kept with events. */
  readonly anonymize_ips: boolean
  /** Webhook URL of a chat that gets messages of new and verified events; null for none. */
  readonly chat_incoming_webhook: string | null
  /** Filters of questions that leave test accounts out. */
  readonly test_account_filters: Json
  /** Stored for clients; nothing here reads it. */
  readonly data_attributes: Json
  /** Browser libraries are told to record sessions, which are then refused. */
  readonly session_recording_opt_in: boolean
  /** Most used first, at most 2,000. */
  readonly event_names: readonly string[]
  /** Names of the newest events, most used first, at most 2,000. */
  readonly event_properties: readonly string[]
  /** The same names with how often they come and are asked for. */
  readonly event_names_with_usage: readonly EventNameUsage[]
  /** The same properties; how often they come is not counted. */
  readonly event_properties_with_usage: readonly EventPropertyUsage[]
}

export type VerifyEmailResponse = {
  /** The address that is confirmed. */
  readonly email: string
}

/** A cohort with a condition that nothing can meet. */
export type WarnedCohort = {
  /** Id of its project. */
  readonly project_id: number
  /** Its id. */
  readonly id: number
  /** Its name, which may be empty. */
  readonly name: string
}

/** Cohorts with a condition that nothing can meet, over all projects; deleted ones do not count. */
export type WarnedCohorts = {
  /** How many there are. */
  readonly count: number
  /** The first 10 of them, by id. */
  readonly first: readonly WarnedCohort[]
}

/** A flag with a condition that nothing can meet. */
export type WarnedFlag = {
  /** Id of its project. */
  readonly project_id: number
  /** Its key. */
  readonly key: string
}

/** Flags that say `warnings`, over all projects; deleted ones do not count. */
export type WarnedFlags = {
  /** How many there are. */
  readonly count: number
  /** The first 10 of them, by id. */
  readonly first: readonly WarnedFlag[]
}

/** The connections and queues that a worker stores events with. */
export type WriterStatus = {
  /** Events that wait to be stored. */
  readonly queued_events: number
  /** Their size. */
  readonly queued_bytes: number
  /** Events that were stored since its start. */
  readonly stored_events: number
  /** Events that were stored before, since its start. */
  readonly duplicate_events: number
  /** Events that the database refused, since its start. */
  readonly dead_letter_events: number
  /** How long the oldest event in the queue waits. */
  readonly oldest_wait_ms: number
  /** Why the last flush failed; empty when it did not. */
  readonly last_error: string
}

export type ListProjectActivityInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Only changes of this kind of item. */
  readonly scope?: 'Cohort' | 'Dashboard' | 'Deletion' | 'Event' | 'EventDefinition' | 'FeatureFlag' | 'Insight' | 'Invite' | 'Organization' | 'OrganizationMembership' | 'Person' | 'PersonalApiKey' | 'Plugin' | 'PluginConfig' | 'Project' | 'User'
  /** Only changes of the item with this id. */
  readonly item_id?: string
  /** Id or UUID of a user. */
  readonly user?: string
  readonly limit?: number
  readonly offset?: number
}

export type ListOrganizationActivityInput = {
  /** UUID of the organization, or @current. */
  readonly organization_id: string | number
  /** Only changes of this kind of item. */
  readonly scope?: 'Cohort' | 'Dashboard' | 'Deletion' | 'Event' | 'EventDefinition' | 'FeatureFlag' | 'Insight' | 'Invite' | 'Organization' | 'OrganizationMembership' | 'Person' | 'PersonalApiKey' | 'Plugin' | 'PluginConfig' | 'Project' | 'User'
  /** Only changes of the item with this id. */
  readonly item_id?: string
  /** Only changes by this user: id or UUID. */
  readonly user?: string
  readonly limit?: number
  readonly offset?: number
}

export type WatchEventsInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Only events of exactly this name. */
  readonly event?: string
  /** Only events of exactly this distinct id. */
  readonly distinct_id?: string
  /** Expressions that hold for each event: each a value, or one value that is a JSON list of them. */
  readonly where?: readonly string[]
  /**
   * JSON text: filters as a list of events takes them. Their cohorts have the criteria of the
   * stream's start.
   */
  readonly properties?: string
}

export type ListCohortsInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Words that name or description must contain, each of them. Case does not count. */
  readonly search?: string
  /** Leaves out `count`, which takes time: for lists to choose from. */
  readonly basic?: boolean
  readonly limit?: number
  readonly offset?: number
}

export type CreateCohortInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Name of the cohort. Empty when absent. */
  readonly name?: string
  /** A description of the cohort, in words. Empty when absent. */
  readonly description?: string
  /**
   * The conditions: `{"properties": {"type": "AND", "values": […]}}`, nested, or a list of
   * conditions as flags have them, of type person or cohort. Required unless `is_static`.
   */
  readonly filters?: JsonObject
  /** True when members are named. False when absent; it stays as it is made. */
  readonly is_static?: boolean
  /** Static cohorts: who is in, by distinct ids. */
  readonly distinct_ids?: readonly string[]
  /**
   * Static cohorts: who is in, as CSV: at most 100,000 distinct ids, one on each line, or those of
   * the column `distinct_id`, or of `person_id` (ids of persons), among others with `,`, `;` or
   * tabs between them. Several columns with neither heading are refused.
   */
  readonly csv?: string
}

export type GetCohortInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Id of the cohort. */
  readonly id: string | number
}

export type UpdateCohortInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Id of the cohort. */
  readonly id: string | number
  /** Name of the cohort. */
  readonly name?: string
  /** A description of the cohort, in words. */
  readonly description?: string
  /** The conditions, see CreateCohortRequest. */
  readonly filters?: JsonObject
  /** Hides the cohort, or shows it again. */
  readonly deleted?: boolean
  /** Static cohorts: who is in besides, by distinct ids. */
  readonly distinct_ids?: readonly string[]
  /** Static cohorts: who is in besides, see CreateCohortRequest. */
  readonly csv?: string
}

export type DeleteCohortInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Id of the cohort. */
  readonly id: string | number
}

export type ListCohortPersonsInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Id of the cohort. */
  readonly id: string | number
  readonly limit?: number
  readonly offset?: number
}

export type CountCohortInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** The conditions, see CreateCohortRequest. */
  readonly filters: JsonObject
}

export type ListCohortUsesInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Id of the cohort. */
  readonly id: string | number
}

export type ListPersonCohortsInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Integer id or UUID of the person, or one of its distinct ids: see `by`. */
  readonly id: string | number
  /** The kind of `id`; when missing, an id or UUID if it looks like one, else a distinct id. */
  readonly by?: 'id' | 'distinct_id'
}

export type ListPersonsInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /**
   * Text to look for: a distinct id, a UUID or an e-mail address, and what contains it, in
   * distinct ids and in the properties email, name and username. Case does not count.
   */
  readonly search?: string
  /** Only the person of exactly this distinct id. */
  readonly distinct_id?: string
  /** Only persons with exactly this property email. */
  readonly email?: string
  /** JSON text: a list of filters on properties and cohorts of persons, or a group of them. */
  readonly properties?: string
  readonly limit?: number
  readonly offset?: number
}

export type GetPersonInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Integer id or UUID of the person, or one of its distinct ids: see `by`. */
  readonly id: string | number
  /** The kind of `id`; when missing, an id or UUID if it looks like one, else a distinct id. */
  readonly by?: 'id' | 'distinct_id'
}

export type UpdatePersonInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Integer id or UUID of the person, or one of its distinct ids: see `by`. */
  readonly id: string | number
  /** The kind of `id`; when missing, an id or UUID if it looks like one, else a distinct id. */
  readonly by?: 'id' | 'distinct_id'
  /** Properties to set, by name. A number keeps all its digits over REST; over gRPC it is a double. */
  readonly properties?: JsonObject
  /** Names of properties to remove. */
  readonly unset?: readonly string[]
}

export type MergePersonsInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Integer id or UUID of the person that stays, or one of its distinct ids: see `by`. */
  readonly id: string | number
  /** The kind of `id`; when missing, an id or UUID if it looks like one, else a distinct id. */
  readonly by?: 'id' | 'distinct_id'
  /** Distinct ids whose persons end. One that has no person becomes an id of this one. */
  readonly distinct_ids: readonly string[]
  /** Shows what would be, and changes nothing. */
  readonly dry_run?: boolean
}

export type DeletePersonInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Integer id or UUID of the person, or one of its distinct ids with `by`. */
  readonly id: string | number
  /** Deletes the events of the person too. */
  readonly delete_events?: boolean
  /** The kind of `id`: an id or UUID of a person, or one of its distinct ids. */
  readonly by?: 'id' | 'distinct_id'
  /** Counts the events and deletes nothing. */
  readonly dry_run?: boolean
}

export type ExportPersonInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Integer id or UUID of the person, or one of its distinct ids with `by`. */
  readonly id: string | number
  /** The kind of `id`: an id or UUID of a person, or one of its distinct ids. */
  readonly by?: 'id' | 'distinct_id'
  /** Empty for the first piece, then the cursor of the previous answer. */
  readonly cursor?: string
}

export type ListDeletionsInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  readonly limit?: number
  readonly offset?: number
}

export type CreateDeletionInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Only events later than this: ISO 8601, or relative such as `-7d`. */
  readonly after?: string
  /** Only events earlier than this: ISO 8601, or relative. Now when empty. */
  readonly before?: string
  /** Only events of exactly this name. */
  readonly event?: string
  /** Only events of exactly this distinct id. */
  readonly distinct_id?: string
  /** Integer id or UUID of a person. */
  readonly person_id?: string
  /** JSON text: a list of filters, a group of them, or a flat object. */
  readonly properties?: string
  /** Expressions that hold for each event. */
  readonly where?: readonly string[]
  /** Counts the events and deletes none. */
  readonly dry_run?: boolean
}

export type GetDeletionInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** UUID of the deletion. */
  readonly id: string | number
}

export type CancelDeletionInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** UUID of the deletion. */
  readonly id: string | number
}

export type ListDashboardsInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Words that name, description or a tag must contain; case is ignored. */
  readonly search?: string
  /** name, created_at or last_modified_at, descending with `-`. */
  readonly order?: 'name' | '-name' | 'created_at' | '-created_at' | 'last_modified_at' | '-last_modified_at'
  readonly limit?: number
  readonly offset?: number
}

export type CreateDashboardInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Name of the dashboard. Empty when absent. */
  readonly name?: string
  /** A description of the dashboard, in words. Empty when absent. */
  readonly description?: string
  /** Tags; they are trimmed and put in lower case. None when absent. */
  readonly tags?: readonly string[]
  /** `date_from`, `date_to` and `properties` for all tiles. Empty when absent. */
  readonly filters?: JsonObject
  /**
   * Tiles in their order: `{"insight": short_id, "layouts": {…}}` or `{"text": {"body": …}}`. None
   * when absent.
   */
  readonly tiles?: readonly Json[]
  /** Hides the dashboard. False when absent. */
  readonly deleted?: boolean
}

export type GetDashboardInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Id of the dashboard. */
  readonly id: string | number
}

export type UpdateDashboardInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Id of the dashboard. */
  readonly id: string | number
  /** Name of the dashboard. */
  readonly name?: string
  /** A description of the dashboard, in words. */
  readonly description?: string
  /** All tags; they are trimmed and put in lower case. */
  readonly tags?: readonly string[]
  /** `date_from`, `date_to` and `properties` for all tiles, all that there are from now on. */
  readonly filters?: JsonObject
  /** All tiles, in their order. `name` and `query` of a tile as an answer has them are passed over. */
  readonly tiles?: readonly Json[]
  /** Hides the dashboard, or shows it again. */
  readonly deleted?: boolean
}

export type DeleteDashboardInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Id of the dashboard. */
  readonly id: string | number
}

export type ListEventDefinitionsInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Words that the name must contain; case is ignored. */
  readonly search?: string
  /** name, volume_30_day or query_usage_30_day, descending with `-`. */
  readonly ordering?: string
  /** `event_posthog` are names that begin with `$`, `event_custom` all others, `event` both. */
  readonly event_type?: 'event' | 'event_custom' | 'event_posthog'
  readonly limit?: number
  readonly offset?: number
}

export type GetEventDefinitionInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** UUID of the definition. */
  readonly id: string | number
}

export type UpdateEventDefinitionInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** UUID of the definition. */
  readonly id: string | number
  /** Id of a user of the organization. */
  readonly owner?: number | null
  /** A description of the event, in words. */
  readonly description?: string | null
  /** All tags; they are trimmed and put in lower case. */
  readonly tags?: readonly string[]
  /** True verifies the event in the caller's name. */
  readonly verified?: boolean
  /** Whether the chat gets a message when the definition is verified. */
  readonly post_to_chat?: boolean
}

export type ListEventsInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Only events later than this: ISO 8601, or relative such as `-7d`. */
  readonly after?: string
  /** Only events earlier than this: ISO 8601, or relative. Now + 5 s when empty. */
  readonly before?: string
  /** Only events of exactly this name. */
  readonly event?: string
  /** Only events of exactly this distinct id. */
  readonly distinct_id?: string
  /** Integer id or UUID of a person. */
  readonly person_id?: string
  /** JSON text: a list of filters, a group of them, or a flat object. */
  readonly properties?: string
  /** JSON text: ["-timestamp"] or ["timestamp"]; with `select`, expressions. */
  readonly orderBy?: string
  /** Expressions: each a value, or one value that is a JSON list of them. */
  readonly select?: readonly string[]
  /** Expressions that hold for each event: each a value, or one value that is a JSON list of them. */
  readonly where?: readonly string[]
  /** `native` gives properties, person and elements as JSON instead of texts of it. */
  readonly shape?: 'text' | 'native'
  readonly limit?: number
  readonly offset?: number
}

export type GetEventInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** UUID of the event. */
  readonly id: string | number
  /** The person is given in any case. */
  readonly include_person?: string
  /** `native` gives properties, person and elements as JSON instead of texts of it. */
  readonly shape?: 'text' | 'native'
}

export type ListEventValuesInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** `custom_event`, or the name of an event property. */
  readonly key?: string
  /** Only values that contain this text; case is ignored. */
  readonly value?: string
  /** Only events of any of these names. */
  readonly event_name?: readonly string[]
}

export type ListFeatureFlagsInput = {
  /** Decimal id, or @current. */
  readonly project_id: string | number
  /** Words that key or name must contain; case is ignored. */
  readonly search?: string
  readonly limit?: number
  readonly offset?: number
}

export type CreateFeatureFlagInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** The name by which programs ask for the flag; unique in the project. */
  readonly key: string
  /** A description of the flag, in words. Empty when absent. */
  readonly name?: string
  /**
   * Condition sets (`groups`), variants (`multivariate`), payloads. Each filter of
   * `groups[].properties` has a `type`. One without a type is an event filter, which flags do not
   * take. Without it, all persons get the flag.
   */
  readonly filters?: JsonObject
  /** The flag is gone for lists and decides, and its key is free. False when absent. */
  readonly deleted?: boolean
  /** The flag is switched on. One that is not comes out false for everybody. True when absent. */
  readonly active?: boolean
  /** A flag keeps a person's outcome when the person logs in. False when absent. */
  readonly ensure_experience_continuity?: boolean | null
  /** Stored for clients; nothing here reads them. */
  readonly rollback_conditions?: readonly Json[] | null
  /** Tags, trimmed and in lower case. None when absent. */
  readonly tags?: readonly string[]
  /**
   * The unit that the rollout is counted over: distinct ids, or devices (`$device_id`).
   * `distinct_id` when absent.
   */
  readonly bucketing_identifier?: 'distinct_id' | 'device_id'
  /** Which libraries get the flag: of servers, of clients, or all. `all` when absent. */
  readonly evaluation_runtime?: 'all' | 'server' | 'client'
  /** Only libraries that name one of these contexts get the flag; empty is all. None when absent. */
  readonly evaluation_contexts?: readonly string[]
  /**
   * Payloads are sealed where they are stored, and masked in answers but those to server
   * libraries. False when absent.
   */
  readonly has_encrypted_payloads?: boolean
}

export type GetFeatureFlagInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Id of the flag. */
  readonly id: string | number
}

export type UpdateFeatureFlagInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Id of the flag. */
  readonly id: string | number
  /** The name by which programs ask for the flag; unique in the project. */
  readonly key?: string
  /** A description of the flag, in words. */
  readonly name?: string
  /**
   * Each filter of `groups[].properties` has a `type`. One without a type is an event filter,
   * which flags do not take.
   */
  readonly filters?: JsonObject
  /** The flag is gone for lists and decides, and its key is free. */
  readonly deleted?: boolean
  /** The flag is switched on. One that is not comes out false for everybody. */
  readonly active?: boolean
  /** A flag keeps a person's outcome when the person logs in. */
  readonly ensure_experience_continuity?: boolean | null
  /** Stored for clients; nothing here reads them. */
  readonly rollback_conditions?: readonly Json[] | null
  /** Tags, trimmed and in lower case. */
  readonly tags?: readonly string[]
  /** The unit that the rollout is counted over: distinct ids, or devices (`$device_id`). */
  readonly bucketing_identifier?: 'distinct_id' | 'device_id'
  /** Which libraries get the flag: of servers, of clients, or all. */
  readonly evaluation_runtime?: 'all' | 'server' | 'client'
  /** Only libraries that name one of these contexts get the flag; empty is all. */
  readonly evaluation_contexts?: readonly string[]
  /**
   * Payloads are sealed where they are stored, and masked in answers but those to server
   * libraries.
   */
  readonly has_encrypted_payloads?: boolean
  /**
   * The version of the flag that the change was made from. When the flag has another one by now,
   * nothing is changed and the answer is 409. Without it, the flag is changed as it is.
   */
  readonly version?: number | null
}

export type GetMyFlagsInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Group type to group key. */
  readonly groups?: JsonObject
}

export type GetLocalEvaluationInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Any value adds the definitions of cohorts to the answer. */
  readonly send_cohorts?: string
}

export type GetLocalEvaluationByTokenInput = {
  /** Project API key of the project; empty means the caller's current project. */
  readonly token?: string
  /** Any value adds the definitions of cohorts to the answer. */
  readonly send_cohorts?: string
}

export type GetFlagDefinitionsInput = {
  /** Project API key of the project; empty means the caller's current project. */
  readonly token?: string
  /** Any value adds the definitions of cohorts to the answer. */
  readonly send_cohorts?: string
}

export type ListFeatureFlagsByTokenInput = {
  /** Project API key of the project; empty means the caller's current project. */
  readonly token?: string
  readonly limit?: number
  readonly offset?: number
}

export type GetRemoteConfigInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Key of the flag, or its id when no flag has that key. */
  readonly key: string | number
  /** Project API key that names the project when the path says @current. */
  readonly token?: string
}

export type ListFeatureFlagActivityInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Id of the flag. */
  readonly id: string | number
  readonly limit?: number
  readonly offset?: number
}

export type RollbackFeatureFlagInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Id of the flag. */
  readonly id: string | number
  /** The version whose settings come back. */
  readonly version: number
}

export type GetFlagReachInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** A condition set: `properties` of a flag's `filters.groups[]`. What else it has is left aside. */
  readonly condition: JsonObject
  /** Index of the group type whose groups are counted. Absent: persons are. */
  readonly group_type_index?: number | null
}

export type ChangeFeatureFlagsInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Ids of the flags: one at least, 500 at most. */
  readonly ids?: readonly number[]
  /** Switches the flags on or off. */
  readonly active?: boolean
  /** Deletes the flags, or restores them. */
  readonly deleted?: boolean
  /** Tags that each flag has then. */
  readonly add_tags?: readonly string[]
  /** Tags that no flag of them has then. */
  readonly remove_tags?: readonly string[]
}

export type GetFlagDependenciesInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Id of the flag. */
  readonly id: string | number
}

export type ListFlagUsageInput = {
  /** Decimal id, or @current. */
  readonly project_id: string | number
  readonly limit?: number
  readonly offset?: number
}

export type GetFlagUsageInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Id of the flag. */
  readonly id: string | number
  /** How many UTC days back, today among them. Default 30. */
  readonly days?: number
}

export type GetPropagationInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** The revision of the project in question. Absent: the newest. */
  readonly revision?: number
  /** How many milliseconds to wait at most for gateways that do not hold it yet. */
  readonly wait_ms?: number
}

export type EvaluateFlagsInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /**
   * Id of the flag to evaluate. Without it, `filters` make a flag of their own; without both,
   * every active flag is evaluated.
   */
  readonly flag_id?: number
  /** Filters of a draft, in place of those that the flag has. */
  readonly filters?: JsonObject
  /** Key of a draft, which decides its buckets. That of the flag when absent. */
  readonly key?: string
  /** A draft keeps a person's outcome when the person logs in. As the flag has it when absent. */
  readonly ensure_experience_continuity?: boolean
  /**
   * The unit that the rollout of a draft is counted over: distinct ids, or devices (`$device_id`).
   * As the flag has it when absent.
   */
  readonly bucketing_identifier?: 'distinct_id' | 'device_id'
  /**
   * Flags as they were: a version of the flag, or a time of ISO 8601. Properties of persons and
   * cohorts are as they are now.
   */
  readonly at?: Json
  /**
   * The person to evaluate for. Without it nothing stored of a person is read, and the rollout is
   * counted over an empty id.
   */
  readonly distinct_id?: string
  /** `$device_id` of who is asked about. */
  readonly device_id?: string
  /** Properties of the person, which win over those stored. */
  readonly person_properties?: JsonObject
  /** Group type to group key. */
  readonly groups?: JsonObject
  /** Group type to properties, which win over those stored. */
  readonly group_properties?: JsonObject
  /** The moment that relative dates are counted from, ISO 8601. Now when absent. */
  readonly time?: string
}

export type ListIngestionWarningsInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  readonly limit?: number
  readonly offset?: number
}

export type RunQueryInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** The question: an object with its `kind` and what that kind takes, or a list of such objects. */
  readonly query: JsonObject | readonly Json[]
  /**
   * How to answer: `blocking` waits for the answer, `force_blocking` too, past what is kept;
   * `async` answers at once with the `query_status` of one question. A list is always waited for.
   */
  readonly refresh?: 'blocking' | 'async' | 'force_blocking'
  /**
   * A name under which the question can be looked up and cancelled; another question of this name
   * ends.
   */
  readonly client_query_id?: string
}

export type GetQueryInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** The name that the question was asked under, or the id of its `query_status`. */
  readonly client_query_id: string | number
}

export type CancelQueryInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** The name that the question was asked under, or the id of its `query_status`. */
  readonly client_query_id: string | number
}

export type ListInvitesInput = {
  /** UUID, or @current. */
  readonly parent_lookup_organization_id: string | number
  readonly limit?: number
  readonly offset?: number
}

export type CreateInviteInput = {
  /** UUID of the organization, or @current. */
  readonly parent_lookup_organization_id: string | number
  /** The address to invite. */
  readonly target_email: string
  /** Name of the invited person. */
  readonly first_name?: string
  /** Message in the mail. So long that the longest page of invites fits into one message. */
  readonly message?: string | null
}

export type DeleteInviteInput = {
  /** UUID of the organization, or @current. */
  readonly parent_lookup_organization_id: string | number
  /** UUID of the invite. */
  readonly id: string | number
}

export type BulkCreateInvitesInput = {
  /** UUID of the organization, or @current. */
  readonly parent_lookup_organization_id: string | number
  /** The invites. */
  readonly invites: readonly { readonly target_email: string; readonly first_name?: string; readonly message?: string | null }[] | { readonly target_email: string; readonly first_name?: string; readonly message?: string | null }
}

export type GetSignupInput = {
  /** The token, or the id. */
  readonly invite_id: string | number
}

export type AcceptInviteInput = {
  /** The token, or the id. */
  readonly invite_id: string | number
  /** Name of the new user. Required without a personal key. */
  readonly first_name?: string
  /** Password of the new user. Required without a personal key. */
  readonly password?: string
  /** Must be the invited address when given. */
  readonly email?: string
  /** Whether the user wants news by mail. */
  readonly email_opt_in?: boolean
}

export type LoginInput = {
  /** Mail address of the user, in any case. */
  readonly email?: string
  /** Password of the user. */
  readonly password?: string
  /** A personal API key: the session can do what the key can, and ends with it. */
  readonly personal_api_key?: string
  /** The token of a login link, the part behind its `#`. */
  readonly login_token?: string
}

export type EndSessionInput = {
  /** UUID of the session. */
  readonly id: string | number
}

export type ListOrganizationMembersInput = {
  /** UUID, or @current. */
  readonly organization_id: string | number
  readonly limit?: number
  readonly offset?: number
}

export type GetOrganizationMemberInput = {
  /** UUID of the organization, or @current. */
  readonly organization_id: string | number
  /** UUID or id of a user, id of the membership, or @me. */
  readonly user: string | number
}

export type UpdateOrganizationMemberInput = {
  /** UUID of the organization, or @current. */
  readonly organization_id: string | number
  /** UUID or id of a user, or id of the membership. */
  readonly user: string | number
  /** 1 member, 8 administrator, 15 owner. */
  readonly level?: number
}

export type RemoveOrganizationMemberInput = {
  /** UUID of the organization, or @current. */
  readonly organization_id: string | number
  /** UUID or id of a user, id of the membership, or @me. */
  readonly user: string | number
}

export type ListMemberKeysInput = {
  /** UUID of the organization, or @current. */
  readonly organization_id: string | number
  /** UUID or id of a user, id of the membership, or @me. */
  readonly user: string | number
}

export type RevokeMemberKeyInput = {
  /** UUID of the organization, or @current. */
  readonly organization_id: string | number
  /** UUID or id of a user, or id of the membership. */
  readonly user: string | number
  /** Id of the key. */
  readonly id: string | number
}

export type CreatePersonalApiKeyInput = {
  /** A description of the key, in words. */
  readonly label: string
  /** The scopes of the key, such as `feature_flag:read`; `*` is all. `*` when absent. */
  readonly scopes?: readonly string[]
  /** Ids of the projects that the key reaches; empty is no restriction. */
  readonly scoped_teams?: readonly Json[] | null
  /** UUIDs of the organizations that the key reaches; empty is no restriction. */
  readonly scoped_organizations?: readonly string[] | null
  /** ISO 8601, in the future; null is never. */
  readonly expires_at?: string | null
}

export type GetPersonalApiKeyInput = {
  /** Id, or @current: the key of this call. */
  readonly id: string | number
}

export type UpdatePersonalApiKeyInput = {
  /** Id of the key, or @current: the key of this call. */
  readonly id: string | number
  /** A description of the key, in words. */
  readonly label?: string
  /** The scopes of the key, such as `feature_flag:read`; `*` is all. */
  readonly scopes?: readonly string[]
  /** Ids of the projects that the key reaches; empty is no restriction. */
  readonly scoped_teams?: readonly Json[] | null
  /** UUIDs of the organizations that the key reaches; empty is no restriction. */
  readonly scoped_organizations?: readonly string[] | null
  /** ISO 8601, in the future; null is never. */
  readonly expires_at?: string | null
}

export type RollPersonalApiKeyInput = {
  /** Id, or @current: the key of this call. */
  readonly id: string | number
}

export type DeletePersonalApiKeyInput = {
  /** Id, or @current: the key of this call. */
  readonly id: string | number
}

export type AskTrendInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** The question: an object of `events`, `date_from`, `interval` and the like. */
  readonly question: JsonObject
}

export type AskFunnelInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** The question: an object of `events`, `date_from`, `interval` and the like. */
  readonly question: JsonObject
}

export type AskRetentionInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** The question: an object of `events`, `date_from`, `interval` and the like. */
  readonly question: JsonObject
}

export type ListDeadLettersInput = {
  /** Only those of the project with this id. */
  readonly project?: number
  /** Only those that were refused first at this time or later, ISO 8601. */
  readonly since?: string
  /** Only those that were refused first before this time, ISO 8601. */
  readonly until?: string
  /** Only those with this SQLSTATE, or with this text in the error. */
  readonly reason?: string
  /** `cursor` of the page before; 0 begins. */
  readonly cursor?: number
  /** Most rows of the page, 1,000 at most; 0 is 100. */
  readonly limit?: number
}

export type ReplayDeadLettersInput = {
  /** Only those of the project with this id. */
  readonly project?: number
  /** Only those that were refused first at this time or later, ISO 8601. */
  readonly since?: string
  /** Only those that were refused first before this time, ISO 8601. */
  readonly until?: string
  /** Only those with this SQLSTATE, or with this text in the error. */
  readonly reason?: string
  /** True means every dead letter. Without it, something else must choose some. */
  readonly all?: boolean
  /** True only counts them and changes nothing. */
  readonly dry_run?: boolean
  /** `cursor` of the answer before; 0 begins. */
  readonly cursor?: number
  /** Most rows of this call, 1,000 at most; 0 is 100. */
  readonly limit?: number
}

export type DiscardDeadLettersInput = {
  /** Only those of the project with this id. */
  readonly project?: number
  /** Only those that were refused first at this time or later, ISO 8601. */
  readonly since?: string
  /** Only those that were refused first before this time, ISO 8601. */
  readonly until?: string
  /** Only those with this SQLSTATE, or with this text in the error. */
  readonly reason?: string
  /** True means every dead letter. Without it, something else must choose some. */
  readonly all?: boolean
  /** True only counts them and changes nothing. */
  readonly dry_run?: boolean
  /** `cursor` of the answer before; 0 begins. */
  readonly cursor?: number
  /** Most rows of this call, 1,000 at most; 0 is 100. */
  readonly limit?: number
}

export type DrainMemberInput = {
  /** Id of the member. */
  readonly member: string
  /** Its address, to say that this very one is meant. */
  readonly address: string
  /** True only says how many shards it holds, and changes nothing. */
  readonly dry_run?: boolean
}

export type ListOrganizationsInput = {
  readonly limit?: number
  readonly offset?: number
}

export type CreateOrganizationInput = {
  /** Name of the organization. */
  readonly name: string
  /** Whether members get a mail when a user joins. */
  readonly is_member_join_email_enabled?: boolean
}

export type GetOrganizationInput = {
  /** UUID, or @current. */
  readonly id: string | number
}

export type UpdateOrganizationInput = {
  /** UUID of the organization, or @current. */
  readonly id: string | number
  /** Name of the organization. */
  readonly name?: string
  /** Whether members get a mail when a user joins. */
  readonly is_member_join_email_enabled?: boolean
}

export type DeleteOrganizationInput = {
  /** UUID, or @current. */
  readonly id: string | number
}

export type ListProjectsInput = {
  readonly limit?: number
  readonly offset?: number
}

export type CreateProjectInput = {
  /** Addresses of the applications. */
  readonly app_urls?: readonly (string | null)[]
  /** Name of the project. `Default Project` when absent. */
  readonly name?: string
  /** Webhook URL of a chat that gets messages of new and verified events; null for none. */
  readonly chat_incoming_webhook?: string | null
  /** Addresses of clients are not kept with events. */
  readonly anonymize_ips?: boolean
  /** Stored for clients; nothing here reads it. */
  readonly completed_snippet_onboarding?: boolean
  /**
   * Filters as a question takes them, for those that leave test accounts out: an array or an
   * object, here as in `path_cleaning_filters` and `data_attributes`; what was written is given
   * back.
   */
  readonly test_account_filters?: JsonObject | readonly Json[]
  /** Stored for clients; nothing here reads it. */
  readonly test_account_filters_default_checked?: boolean | null
  /** Stored for clients; nothing here reads it. */
  readonly path_cleaning_filters?: JsonObject | readonly Json[] | null
  /** Stored for clients; nothing here reads it. */
  readonly is_demo?: boolean
  /**
   * Time zone of the project, an IANA name such as `Europe/Paris`; another name of a zone is
   * stored as the listed one. Days, weeks and months are cut in it; times in answers are UTC.
   * `UTC` when absent.
   */
  readonly timezone?: string
  /** Stored for clients; nothing here reads it. */
  readonly data_attributes?: JsonObject | readonly Json[]
  /** Stored for clients; nothing here reads it. */
  readonly person_display_name_properties?: readonly string[] | null
  /** Stored for clients; nothing here reads it. */
  readonly correlation_config?: JsonObject | null
  /** Browser libraries are told to record sessions, which are then refused. */
  readonly session_recording_opt_in?: boolean
  /** Browser libraries are told to record the console with sessions. */
  readonly capture_console_log_opt_in?: boolean | null
  /** Browser libraries are told to send timings of the network. */
  readonly capture_performance_opt_in?: boolean | null
  /** Only administrators and owners may see the project. Only they may set it. */
  readonly access_control?: boolean
  /** Id of the dashboard that is shown first. Kept as it is given. */
  readonly primary_dashboard?: number | null
  /** Stored for clients; nothing here reads it. */
  readonly live_events_columns?: readonly string[] | null
  /**
   * Addresses of the pages that record sessions, such as `https://*.example.com`; none is any
   * page.
   */
  readonly recording_domains?: readonly (string | null)[] | null
  /**
   * Only administrators. Events of earlier days than so many before today (UTC) are deleted for
   * good, and so are dead letters and warnings as old: 1 keeps yesterday and today; null keeps
   * all, and 0 is refused. What a shorter time newly covers stays for
   * `events_retention_wait_hours`, so that a longer one set meanwhile loses nothing; the first go
   * within ten minutes after that. Later a longer one stops what is under way, and brings nothing
   * back.
   */
  readonly events_retention_days?: number | null
  /** Day that weeks begin with in answers: 0 Sunday, 1 Monday. 1 when absent. */
  readonly week_start_day?: number
}

export type GetProjectInput = {
  /** Decimal id, or @current. */
  readonly id: string | number
}

export type UpdateProjectInput = {
  /** Decimal id, or @current. */
  readonly id: string | number
  /** Addresses of the applications. */
  readonly app_urls?: readonly (string | null)[]
  /** Name of the project. */
  readonly name?: string
  /** Webhook URL of a chat that gets messages of new and verified events; null for none. */
  readonly chat_incoming_webhook?: string | null
  /** Addresses of clients are not kept with events. */
  readonly anonymize_ips?: boolean
  /** Stored for clients; nothing here reads it. */
  readonly completed_snippet_onboarding?: boolean
  /**
   * Filters as a question takes them, for those that leave test accounts out: an array or an
   * object, here as in `path_cleaning_filters` and `data_attributes`; what was written is given
   * back.
   */
  readonly test_account_filters?: JsonObject | readonly Json[]
  /** Stored for clients; nothing here reads it. */
  readonly test_account_filters_default_checked?: boolean | null
  /** Stored for clients; nothing here reads it. */
  readonly path_cleaning_filters?: JsonObject | readonly Json[] | null
  /** Stored for clients; nothing here reads it. */
  readonly is_demo?: boolean
  /**
   * Time zone of the project, an IANA name such as `Europe/Paris`; another name of a zone is
   * stored as the listed one. Days, weeks and months are cut in it; times in answers are UTC.
   */
  readonly timezone?: string
  /** Stored for clients; nothing here reads it. */
  readonly data_attributes?: JsonObject | readonly Json[]
  /** Stored for clients; nothing here reads it. */
  readonly person_display_name_properties?: readonly string[] | null
  /** Stored for clients; nothing here reads it. */
  readonly correlation_config?: JsonObject | null
  /** Browser libraries are told to record sessions, which are then refused. */
  readonly session_recording_opt_in?: boolean
  /** Browser libraries are told to record the console with sessions. */
  readonly capture_console_log_opt_in?: boolean | null
  /** Browser libraries are told to send timings of the network. */
  readonly capture_performance_opt_in?: boolean | null
  /** Only administrators and owners may see the project. Only they may set it. */
  readonly access_control?: boolean
  /**
   * Id of the dashboard that is shown first. Kept as it is given; it becomes null when the
   * dashboard of that id is hidden or removed.
   */
  readonly primary_dashboard?: number | null
  /** Stored for clients; nothing here reads it. */
  readonly live_events_columns?: readonly string[] | null
  /**
   * Addresses of the pages that record sessions, such as `https://*.example.com`; none is any
   * page.
   */
  readonly recording_domains?: readonly (string | null)[] | null
  /**
   * Only administrators. Events of earlier days than so many before today (UTC) are deleted for
   * good, and so are dead letters and warnings as old: 1 keeps yesterday and today; null keeps
   * all, and 0 is refused. What a shorter time newly covers stays for
   * `events_retention_wait_hours`, so that a longer one set meanwhile loses nothing; the first go
   * within ten minutes after that. Later a longer one stops what is under way, and brings nothing
   * back.
   */
  readonly events_retention_days?: number | null
  /** Day that weeks begin with in answers: 0 Sunday, 1 Monday. */
  readonly week_start_day?: number
}

export type DeleteProjectInput = {
  /** Decimal id, or @current. */
  readonly id: string | number
}

export type ResetProjectTokenInput = {
  /** Decimal id, or @current. */
  readonly id: string | number
}

export type ListPluginConfigsInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  readonly limit?: number
  readonly offset?: number
}

export type CreatePluginConfigInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Id of the plugin. */
  readonly plugin: number
  /** Whether events go through the plugin. False when absent. */
  readonly enabled?: boolean
  /** Place among the configs of the project: the smallest comes first. */
  readonly order: number
  /** Null clears the error that switched the config off. */
  readonly error?: JsonObject | null
  /** Settings, as the JSON text of a form's part; a JSON body writes them by `…/settings/`. */
  readonly config?: JsonObject
  /** Files, as the parts `add_attachment[<key>]` of a form. */
  readonly attachments?: Readonly<Record<string, Blob>>
  /** Keys of files to remove, as the parts `remove_attachment[<key>]` of a form. */
  readonly removed_attachments?: readonly string[]
}

export type GetPluginConfigInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Id of the plugin config. */
  readonly id: string | number
}

export type UpdatePluginConfigInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Id of the plugin config. */
  readonly id: string | number
  /**
   * Another one moves the config to that plugin. It keeps its id, order and whether it is enabled;
   * settings, files, storage, jobs and the error of the former plugin go.
   */
  readonly plugin?: number
  /** Whether events go through the plugin. */
  readonly enabled?: boolean
  /** Place among the configs of the project: the smallest comes first. */
  readonly order?: number
  /** Null clears the error that switched the config off. */
  readonly error?: JsonObject | null
  /** Settings, as the JSON text of a form's part; a JSON body writes them by `…/settings/`. */
  readonly config?: JsonObject
  /** Files, as the parts `add_attachment[<key>]` of a form. */
  readonly attachments?: Readonly<Record<string, Blob>>
  /** Keys of files to remove, as the parts `remove_attachment[<key>]` of a form. */
  readonly removed_attachments?: readonly string[]
  /**
   * The newest version of the plugin's source takes the place of the one that the config runs. No
   * other version can be chosen.
   */
  readonly plugin_version?: number
}

export type DeletePluginConfigInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Id of the plugin config. */
  readonly id: string | number
}

export type UpdatePluginConfigSettingsInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Id of the plugin config. */
  readonly id: string | number
  /** Name of a setting to its value; null clears it. */
  readonly settings: JsonObject
}

export type RearrangePluginConfigsInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Plugin id, as text, to order. */
  readonly orders?: JsonObject
  /** Id of the plugin. */
  readonly plugin?: number
  /** Whether events go through the plugin. */
  readonly enabled?: boolean
  /** Place among the configs of the project: the smallest comes first. */
  readonly order?: number
  /** Null clears the error that switched the config off. */
  readonly error?: JsonObject | null
}

export type RunPluginConfigJobInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Id of the plugin config. */
  readonly id: string | number
  /** The job to start. */
  readonly job?: { readonly type?: string | null; readonly operation?: string | null; readonly payload?: JsonObject | null }
  /** Id of the plugin. */
  readonly plugin?: number
  /** Whether events go through the plugin. */
  readonly enabled?: boolean
  /** Place among the configs of the project: the smallest comes first. */
  readonly order?: number
  /** Null clears the error that switched the config off. */
  readonly error?: JsonObject | null
}

export type DryRunPluginConfigInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Id of the plugin config. */
  readonly id: string | number
  /**
   * An event in the form of a capture: `event`, `distinct_id`, and any of `properties`,
   * `timestamp`, `uuid`, `ip`, `$set` and `$set_once`.
   */
  readonly event: JsonObject
}

export type GetPluginConfigFrontendInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Id of the plugin config. */
  readonly id: string | number
}

export type ListPluginConfigLogsInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Id of the plugin config. */
  readonly parent_lookup_plugin_config_id: string | number
  /** Only entries later than this: ISO 8601, or relative such as `-1h`. */
  readonly after?: string
  /** Only entries earlier than this: ISO 8601, or relative. */
  readonly before?: string
  /** Only messages that contain this text; case is ignored. */
  readonly search?: string
  /** Only entries of these types. */
  readonly type_filter?: readonly ('DEBUG' | 'LOG' | 'INFO' | 'WARN' | 'ERROR')[]
  readonly limit?: number
  readonly offset?: number
}

export type ListPluginsInput = {
  /** UUID, or @current. */
  readonly organization_id: string | number
  readonly limit?: number
  readonly offset?: number
}

export type CreatePluginInput = {
  /** UUID of the organization, or @current. */
  readonly organization_id: string | number
  /**
   * Where the code comes from: `source` is in `files`, `custom` and `repository` at `url` (where
   * PLUGIN_URLS is on); `local` is refused. Without it, `custom` where there is a `url`, else
   * `source`.
   */
  readonly plugin_type?: 'local' | 'custom' | 'repository' | 'source'
  /** Name of the plugin. */
  readonly name?: string
  /** A description of the plugin, in words. */
  readonly description?: string | null
  /** Address of its repository. */
  readonly url?: string | null
  /** Address of a picture. */
  readonly icon?: string | null
  /** All organizations can use it. Needs plugin access level 9. False when absent. */
  readonly is_global?: boolean
  /** File name to text. */
  readonly files?: JsonObject
}

export type GetPluginInput = {
  /** UUID of the organization, or @current. */
  readonly organization_id: string | number
  /** Id of the plugin. */
  readonly id: string | number
}

export type UpdatePluginInput = {
  /** UUID of the organization, or @current. */
  readonly organization_id: string | number
  /** Id of the plugin. */
  readonly id: string | number
  /** Name of the plugin. */
  readonly name?: string
  /** A description of the plugin, in words. */
  readonly description?: string | null
  /** Address of its repository. */
  readonly url?: string | null
  /** Address of a picture. */
  readonly icon?: string | null
  /** All organizations can use it. Needs plugin access level 9. */
  readonly is_global?: boolean
}

export type DeletePluginInput = {
  /** UUID of the organization, or @current. */
  readonly organization_id: string | number
  /** Id of the plugin. */
  readonly id: string | number
}

export type GetPluginSourceInput = {
  /** UUID of the organization, or @current. */
  readonly organization_id: string | number
  /** Id of the plugin. */
  readonly id: string | number
}

export type UpdatePluginSourceInput = {
  /** UUID of the organization, or @current. */
  readonly organization_id: string | number
  /** Id of the plugin. */
  readonly id: string | number
  /** File name to text; null removes the file. */
  readonly files: JsonObject
}

export type ListSavedInsightsInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Words that name, description or a tag must contain; case is ignored. */
  readonly search?: string
  /** name, created_at or last_modified_at, descending with `-`. */
  readonly order?: 'name' | '-name' | 'created_at' | '-created_at' | 'last_modified_at' | '-last_modified_at'
  /** Only the insight of this name. */
  readonly short_id?: string
  /** Only insights that are marked, or only those that are not. */
  readonly favorited?: boolean
  readonly limit?: number
  readonly offset?: number
}

export type CreateSavedInsightInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Name of the insight. Empty when absent. */
  readonly name?: string
  /** A description of the insight, in words. Empty when absent. */
  readonly description?: string
  /** The question, see docs/INSIGHTS.md. */
  readonly query: JsonObject
  /** Tags; they are trimmed and put in lower case. None when absent. */
  readonly tags?: readonly string[]
  /** Marks the insight. False when absent. */
  readonly favorited?: boolean
  /** Hides the insight. False when absent. */
  readonly deleted?: boolean
}

export type GetSavedInsightInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Id of the insight, or its `short_id`. */
  readonly id: string | number
}

export type UpdateSavedInsightInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Id of the insight, or its `short_id`. */
  readonly id: string | number
  /** Name of the insight. */
  readonly name?: string
  /** A description of the insight, in words. */
  readonly description?: string
  /** The question, see docs/INSIGHTS.md. */
  readonly query?: JsonObject
  /** All tags; they are trimmed and put in lower case. */
  readonly tags?: readonly string[]
  /** Marks the insight, or takes the mark away. */
  readonly favorited?: boolean
  /** Hides the insight, or shows it again. */
  readonly deleted?: boolean
}

export type DeleteSavedInsightInput = {
  /** Decimal id of the project, or @current. */
  readonly project_id: string | number
  /** Id of the insight, or its `short_id`. */
  readonly id: string | number
}

export type ListUsersInput = {
  readonly limit?: number
  readonly offset?: number
}

export type UpdateMeInput = {
  /** Name of the user. */
  readonly first_name?: string
  /**
   * Another mail address, which counts once it is confirmed; the own address, unless it is
   * confirmed, asks for a token there.
   */
  readonly email?: string
  /** Whether the user wants news by mail. */
  readonly email_opt_in?: boolean | null
  /** Stored for clients; nothing here reads it. */
  readonly anonymize_data?: boolean | null
  /** Stored for clients; nothing here reads it. */
  readonly toolbar_mode?: 'toolbar' | 'disabled'
  /** Stored for clients; nothing here reads it. */
  readonly events_column_config?: JsonObject
  /** Which mails the user wants: `plugin_disabled`, true or false. What is not named stays. */
  readonly notification_settings?: JsonObject
  /** Decimal id of the project that is the current one from now on. */
  readonly set_current_team?: string
  /** UUID of the organization that is the current one from now on. */
  readonly set_current_organization?: string
  /** Staff only. */
  readonly is_staff?: boolean
  /** The user's password from now on. */
  readonly password?: string
  /** The password so far. Required beside `password` where the user has one. */
  readonly current_password?: string
}

export type VerifyEmailInput = {
  /** The token of the mail. */
  readonly token: string
}

export type GetUserInput = {
  /** UUID of the user. */
  readonly id: string | number
}

export type UpdateUserInput = {
  /** UUID of the user. */
  readonly id: string | number
  /** False refuses the user everywhere. */
  readonly is_active?: boolean
}

export type ListUserKeysInput = {
  /** UUID of the user. */
  readonly id: string | number
}

export type RevokeUserKeyInput = {
  /** UUID of the user. */
  readonly id: string | number
  /** Id of the key. */
  readonly key_id: string | number
}
