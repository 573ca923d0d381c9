/** Annotations as messages: reads, merges and renders their fields. */
import type { Annotation } from '../../../proto/gen/sluice/v1/Annotation.ts'
import type { ListAnnotationsRequest__Output } from '../../../proto/gen/sluice/v1/ListAnnotationsRequest.ts'
import type { UpdateAnnotationRequest__Output } from '../../../proto/gen/sluice/v1/UpdateAnnotationRequest.ts'
import { invalid } from '../../access/errors.ts'
import type { Clock } from '../../core/clock.ts'
import type { ProjectId } from '../../core/ids.ts'
import { defaultsOf } from '../../postgres/settings-fields.ts'
import {
  ANNOTATION_FIELDS,
  type AnnotationSelection,
  type AnnotationSettings,
  type StoredAnnotation,
} from '../../store/saved/annotation-store.ts'
import { momentOf } from '../moment.ts'
import { toUserSummary } from '../people/user-message.ts'
import { mergeFields, toFields } from '../settings-messages.ts'
import { wordsOf } from '../words-of-search.ts'

/** Full name of the message, as the audit log takes it. */
export const ANNOTATION_TYPE = 'sluice.v1.Annotation'

/** The writable fields, which the messages of a create and an update share. */
export type AnnotationFields = Omit<UpdateAnnotationRequest__Output, 'id' | 'project_id'>

/** Settings of a new annotation unless its request sets them. */
export function annotationDefaults(clock: Clock): AnnotationSettings {
  const now = new Date(clock.now()).toISOString()
  return { ...defaultsOf(ANNOTATION_FIELDS), dateMarker: momentOf(now, 'date_marker') }
}

/**
 * The settings that `base` and the given fields make together. A scope keeps what it is about, and
 * nothing else.
 * @throws {AppError} `invalid_argument` of a moment out of range, or of a scope without its object.
 */
export function mergeAnnotation(
  base: AnnotationSettings,
  request: AnnotationFields,
): AnnotationSettings {
  const { date_marker: moment } = request
  const merged = mergeFields(ANNOTATION_FIELDS, base, request)
  const { scope, dashboardItem, dashboardId } = merged
  if (scope === 'insight' && dashboardItem === null) throw missing('dashboard_item')
  if (scope === 'dashboard' && dashboardId === null) throw missing('dashboard_id')
  return {
    ...merged,
    dateMarker: moment === undefined ? base.dateMarker : markerOf(moment, 'date_marker'),
    dashboardItem: scope === 'insight' ? dashboardItem : null,
    dashboardId: scope === 'dashboard' ? dashboardId : null,
  }
}

function missing(attr: string) {
  return invalid('The scope needs this field.', attr, 'required')
}

/** A moment that the calendar of the database has in four digits of the year. */
function markerOf(text: string, attr: string): string {
  const moment = momentOf(text, attr)
  if (/^[1-9]/.test(moment)) return moment
  throw invalid('Must be between the years 1000 and 9999.', attr)
}

type ListFields = Pick<ListAnnotationsRequest__Output, 'search' | 'scope' | 'date_from' | 'date_to'>

export function toAnnotationSelection(
  project: ProjectId,
  { search, scope, date_from: from, date_to: before }: ListFields,
): AnnotationSelection {
  return {
    project,
    words: wordsOf(search),
    scope,
    from: from === undefined ? undefined : markerOf(from, 'date_from'),
    before: before === undefined ? undefined : markerOf(before, 'date_to'),
  }
}

export function toAnnotation(stored: StoredAnnotation): Annotation {
  const { insightShortId, insightName, dashboardName, createdBy } = stored
  return {
    id: stored.id,
    ...toFields(ANNOTATION_FIELDS, stored),
    date_marker: stored.dateMarker,
    ...(insightShortId === null ? {} : { insight_short_id: insightShortId }),
    ...(insightName === null ? {} : { insight_name: insightName }),
    ...(dashboardName === null ? {} : { dashboard_name: dashboardName }),
    created_at: stored.createdAt,
    ...(createdBy === null ? {} : { created_by: toUserSummary(createdBy) }),
    updated_at: stored.updatedAt,
  }
}
