import t from 'tap'
import {
  fromSnapshot,
  mergeFields,
  toFields,
  toSnapshot,
} from '../../../src/manage/settings-messages.ts'
import { defaultsOf, type Fields, field } from '../../../src/postgres/settings-fields.ts'
import { COHORT_FIELDS } from '../../../src/store/cohorts/cohort-store.ts'
import { FLAG_COLUMNS, FLAG_FIELDS } from '../../../src/store/projects/flag-store.ts'
import { PROJECT_FIELDS } from '../../../src/store/projects/project-store.ts'
import { ANNOTATION_FIELDS } from '../../../src/store/saved/annotation-store.ts'
import { DASHBOARD_FIELDS } from '../../../src/store/saved/dashboard-store.ts'
import { INSIGHT_FIELDS } from '../../../src/store/saved/saved-insight-store.ts'
import { messageType } from '../../../src/wire/proto/proto.ts'
import { fromValue, toValue } from '../../../src/wire/proto/value.ts'

const FIELDS = {
  a_name: field.text('none'),
  is_on: field.boolean(true),
  a_kind: field.choice('one', 'two'),
  a_limit: field.nullable<number>(),
  some_json: field.json({ a: 1 }),
  the_tags: field.tags(),
}

t.test('requests change the fields that they name, and null clears those that may be null', (t) => {
  const defaults = defaultsOf(FIELDS)
  t.strictSame(defaults, {
    aName: 'none',
    isOn: true,
    aKind: 'one',
    aLimit: null,
    someJson: { a: 1 },
    theTags: [],
  })
  t.strictSame(mergeFields(FIELDS, defaults, { null_fields: [] }), defaults)
  const changed = mergeFields(FIELDS, defaults, {
    a_name: 'b',
    is_on: false,
    a_kind: 'two',
    a_limit: 0,
    some_json: toValue([1]),
    the_tags: toValue([' X', 1, 'x']),
    null_fields: [],
  })
  t.strictSame(changed, {
    aName: 'b',
    isOn: false,
    aKind: 'two',
    aLimit: 0,
    someJson: [1],
    theTags: ['x'],
  })
  const odd = { a_kind: 'three', some_json: toValue(null), null_fields: ['a_limit', 'is_on'] }
  t.strictSame(mergeFields(FIELDS, changed, odd), {
    ...changed,
    isOn: true,
    aLimit: null,
    someJson: null,
  })
  t.end()
})

t.test('answers leave null out, versions keep it, and an unknown field has its default', (t) => {
  const settings = { ...defaultsOf(FIELDS), aLimit: 5, theTags: ['x'] }
  const { some_json: json, ...answer } = toFields(FIELDS, settings)
  t.strictSame(answer, {
    a_name: 'none',
    is_on: true,
    a_kind: 'one',
    a_limit: 5,
    the_tags: ['x'],
  })
  t.strictSame(fromValue(json), { a: 1 })
  const kept = toSnapshot(FIELDS, settings)
  t.equal(toSnapshot(FIELDS, defaultsOf(FIELDS))['a_limit'], null)
  t.strictSame(fromSnapshot(FIELDS, JSON.parse(JSON.stringify(kept))), settings)
  const odd = { a_name: 5, is_on: false, a_kind: 'three', some_json: null, the_tags: 'x' }
  t.strictSame(fromSnapshot(FIELDS, odd), { ...defaultsOf(FIELDS), isOn: false, someJson: null })
  t.strictSame(fromSnapshot(FIELDS, null), defaultsOf(FIELDS))
  t.end()
})

t.test('the contract has each field of a table in its requests and its answer', (t) => {
  const tables: readonly (readonly [Fields, ...string[]])[] = [
    [FLAG_FIELDS, 'CreateFeatureFlagRequest', 'UpdateFeatureFlagRequest'],
    [FLAG_COLUMNS, 'FeatureFlag'],
    [COHORT_FIELDS, 'UpdateCohortRequest', 'Cohort'],
    [DASHBOARD_FIELDS, 'CreateDashboardRequest', 'UpdateDashboardRequest', 'Dashboard'],
    [ANNOTATION_FIELDS, 'CreateAnnotationRequest', 'UpdateAnnotationRequest', 'Annotation'],
    [INSIGHT_FIELDS, 'CreateSavedInsightRequest', 'UpdateSavedInsightRequest', 'SavedInsight'],
    [PROJECT_FIELDS, 'CreateProjectRequest', 'UpdateProjectRequest', 'Project'],
  ]
  for (const [fields, ...messages] of tables) {
    for (const message of messages) {
      const known = messageType(`sluice.v1.${message}`).fields
      t.strictSame(
        Object.keys(fields).filter((name) => known[name] === undefined),
        [],
        message,
      )
    }
  }
  t.end()
})
