/** Handlers of `AnnotationService`. */
import type { AnnotationServiceDefinition } from '../../../proto/gen/sluice/v1/AnnotationService.ts'
import { type ProjectAccess, rowId } from '../../access/access.ts'
import { found, unknownObject } from '../../access/errors.ts'
import type { Principal } from '../../access/principal.ts'
import type { Clock } from '../../core/clock.ts'
import type { ProjectId } from '../../core/ids.ts'
import type { Sql } from '../../postgres/connect.ts'
import type { Db } from '../../postgres/db.ts'
import {
  type AnnotationSettings,
  countAnnotations,
  deleteAnnotation,
  findAnnotation,
  insertAnnotation,
  listAnnotations,
  type StoredAnnotation,
  updateAnnotation,
} from '../../store/saved/annotation-store.ts'
import { findDashboard } from '../../store/saved/dashboard-store.ts'
import { findInsight } from '../../store/saved/saved-insight-store.ts'
import { countStored } from '../../store/saved/saved-list.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import { auditorOf } from '../audit.ts'
import type { Management } from '../management.ts'
import {
  ANNOTATION_TYPE,
  annotationDefaults,
  mergeAnnotation,
  toAnnotation,
  toAnnotationSelection,
} from './annotation-message.ts'
import { beginSaved, requireRoom } from './saved-rules.ts'

/** Annotations of a project, hidden ones too; one more is 400. */
const ANNOTATIONS_MAX = 20_000

const SERVICE = '/sluice.v1.AnnotationService'

export type AnnotationHandlersDeps = {
  readonly management: Management
  readonly sql: Sql
  readonly clock: Clock
}

type Handlers = ServiceHandlers<AnnotationServiceDefinition>
type Caller = { readonly access: ProjectAccess; readonly principal: Principal }

export function createAnnotationHandlers(deps: AnnotationHandlersDeps): Handlers {
  return { ...readHandlers(deps), ...changeHandlers(deps) }
}

function readHandlers({
  management,
  sql,
}: AnnotationHandlersDeps): Pick<Handlers, 'ListAnnotations' | 'GetAnnotation'> {
  return {
    ListAnnotations: management.underProject(`${SERVICE}/ListAnnotations`, {
      async run({ request, access }) {
        const selection = toAnnotationSelection(access.projectId, request)
        const [count, annotations] = await Promise.all([
          countAnnotations(sql, selection),
          listAnnotations(sql, selection, request),
        ])
        return { count, results: annotations.map(toAnnotation) }
      },
    }),

    GetAnnotation: management.underProject(`${SERVICE}/GetAnnotation`, {
      find: ({ request, access }) => annotationOf(sql, access.projectId, request.id),
      run: async (_call, annotation) => toAnnotation(annotation),
    }),
  }
}

function changeHandlers({
  management,
  sql,
  clock,
}: AnnotationHandlersDeps): Omit<Handlers, 'ListAnnotations' | 'GetAnnotation'> {
  return {
    CreateAnnotation: management.underProject(`${SERVICE}/CreateAnnotation`, {
      async run({ request, ...caller }) {
        const { projectId } = caller.access
        const settings = mergeAnnotation(annotationDefaults(clock), request)
        const annotation = await beginSaved(sql, projectId, async (tx) => {
          await requireRoom(
            countStored(tx, 'annotations', projectId),
            ANNOTATIONS_MAX,
            'annotations',
          )
          await requireObject(tx, projectId, settings)
          const id = await insertAnnotation(tx, projectId, caller.principal.userId, settings)
          return await written(tx, caller, null, id)
        })
        return toAnnotation(annotation)
      },
    }),

    UpdateAnnotation: management.underProject(`${SERVICE}/UpdateAnnotation`, {
      find: ({ request, access }) => annotationOf(sql, access.projectId, request.id),
      async run({ request, ...caller }, { id }) {
        const { projectId } = caller.access
        const annotation = await beginSaved(sql, projectId, async (tx) => {
          const before = found(await findAnnotation(tx, projectId, id))
          const settings = mergeAnnotation(before, request)
          await requireObject(tx, projectId, settings)
          await updateAnnotation(tx, id, settings)
          return await written(tx, caller, before, id)
        })
        return toAnnotation(annotation)
      },
    }),

    DeleteAnnotation: management.underProject(`${SERVICE}/DeleteAnnotation`, {
      find: ({ request, access }) => annotationOf(sql, access.projectId, request.id),
      async run(caller, { id }) {
        const { projectId } = caller.access
        await beginSaved(sql, projectId, async (tx) => {
          const before = found(await findAnnotation(tx, projectId, id))
          await deleteAnnotation(tx, id)
          await auditAnnotation(tx, caller, { before, after: null })
        })
        return {}
      },
    }),
  }
}

const auditAnnotation = auditorOf<StoredAnnotation>({
  scope: 'Annotation',
  type: ANNOTATION_TYPE,
  idOf: ({ id }) => id,
  nameOf: ({ content }) => content,
  show: toAnnotation,
})

/** The annotation after a change, with its entry in the audit log. */
async function written(
  tx: Db,
  caller: Caller,
  before: StoredAnnotation | null,
  id: number,
): Promise<StoredAnnotation> {
  const after = found(await findAnnotation(tx, caller.access.projectId, id))
  await auditAnnotation(tx, caller, { before, after })
  return after
}

/** @throws {AppError} `invalid_argument` of an insight or a dashboard that the project has not. */
async function requireObject(
  tx: Db,
  project: ProjectId,
  { dashboardItem, dashboardId }: AnnotationSettings,
): Promise<void> {
  if (dashboardItem !== null) {
    const insight = await findInsight(tx, project, { kind: 'id', id: dashboardItem })
    if (insight === undefined) throw unknownObject(dashboardItem, 'dashboard_item')
  }
  if (dashboardId !== null && (await findDashboard(tx, project, dashboardId)) === undefined) {
    throw unknownObject(dashboardId, 'dashboard_id')
  }
}

async function annotationOf(db: Db, project: ProjectId, text: string): Promise<StoredAnnotation> {
  const id = rowId(text)
  return found(id === undefined ? undefined : await findAnnotation(db, project, id))
}
