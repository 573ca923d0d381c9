import { useState } from 'preact/hooks'
import {
  type Annotation,
  createAnnotation,
  deleteAnnotation,
  updateAnnotation,
} from '../../client/index.ts'
import { type AnnotationPlace, momentAt, wallTime } from '../data/annotation-buckets.ts'
import { annotationChanges } from '../data/annotations.ts'
import { client } from '../data/client.ts'
import { failureOf } from '../data/failure.ts'
import { currentProject } from '../data/projects.ts'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Confirm } from '../kit/dialogs/asks.ts'
import { Field, Select, TextArea } from '../kit/field.tsx'
import { Time } from '../kit/time.tsx'
import { useAction } from '../kit/use-action.ts'

const CONTENT_MAX = 4_000

type AnnotationDialogProps = {
  readonly project: number
  readonly place: AnnotationPlace
  /** The bucket that was chosen, in words, and its first moment. */
  readonly title: string
  readonly start: string
  readonly annotations: readonly Annotation[]
  readonly failure: unknown
  readonly onClose: () => void
}

/** Annotations of a bucket: to read, add, edit and delete. */
export function AnnotationDialog(props: AnnotationDialogProps) {
  const { project, place, title, start, annotations, failure, onClose } = props
  const [edited, setEdited] = useState<Annotation | 'new' | undefined>(
    annotations.length === 0 ? 'new' : undefined,
  )
  if (edited !== undefined) {
    const isNew = edited === 'new'
    return (
      <Dialog title={isNew ? 'Add an annotation' : 'Edit annotation'} onClose={onClose}>
        <AnnotationForm
          key={isNew ? 'new' : edited.id}
          project={project}
          place={place}
          start={start}
          onClose={onClose}
          annotation={isNew ? undefined : edited}
        />
      </Dialog>
    )
  }
  return (
    <Dialog title={`Annotations, ${title}`} onClose={onClose}>
      {failure !== undefined && <p role="alert">{failureOf(failure).detail}</p>}
      <ul class="form">
        {annotations.map((each) => (
          <li key={each.id}>
            <Entry
              project={project}
              annotation={each}
              onEdit={() => setEdited(each)}
              onClose={onClose}
            />
          </li>
        ))}
      </ul>
      <div class="actions">
        <Button tone="main" icon="plus" onClick={() => setEdited('new')}>
          Add
        </Button>
      </div>
    </Dialog>
  )
}

type EntryProps = {
  readonly project: number
  readonly annotation: Annotation
  readonly onEdit: () => void
  readonly onClose: () => void
}

function Entry({ project, annotation, onEdit, onClose }: EntryProps) {
  const { id, content, date_marker: at, created_by: author } = annotation
  const { busy, failure, run } = useAction(true)
  const [isAsked, setAsked] = useState(false)
  const remove = async () => {
    await deleteAnnotation(client, { project_id: project, id })
    annotationChanges.value += 1
    onClose()
  }
  return (
    <>
      <p class="annotation-text" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
        {content}
      </p>
      <p class="field-hint">
        <Time value={at} /> ·{' '}
        {author?.email ?? (annotation.creation_type === 'GIT' ? 'Deployment' : '–')} ·{' '}
        {aboutOf(annotation)}
      </p>
      <div class="actions">
        <Button tone="quiet" onClick={onEdit}>
          Edit
        </Button>
        <Button tone="quiet" onClick={() => setAsked(true)}>
          Delete
        </Button>
      </div>
      {isAsked && (
        <Confirm
          title="Delete this annotation?"
          action="Delete annotation"
          busy={busy}
          problem={failure?.detail}
          onConfirm={() => run(remove)}
          onClose={() => setAsked(false)}
        >
          <p>{content}</p>
        </Confirm>
      )}
    </>
  )
}

function aboutOf({ scope, insight_name: insight, dashboard_name: dashboard }: Annotation): string {
  if (scope === 'insight') return `Insight ${insight ?? ''}`
  return scope === 'dashboard' ? `Dashboard ${dashboard ?? ''}` : 'All charts'
}

type FormProps = Pick<AnnotationDialogProps, 'project' | 'place' | 'start' | 'onClose'> & {
  readonly annotation: Annotation | undefined
}

function AnnotationForm({ project, place, start, annotation, onClose }: FormProps) {
  const { busy, failure, run } = useAction(true)
  const zone = currentProject()?.timezone ?? 'UTC'
  const [scope, setScope] = useState(annotation?.scope ?? 'project')
  const save = async (data: FormData) => {
    const text = (name: string) => String(data.get(name) ?? '').trim()
    const input = {
      project_id: project,
      content: text('content'),
      date_marker: momentAt(text('at'), zone),
      ...targetOf(scope, place, annotation),
    }
    if (annotation === undefined) await createAnnotation(client, input)
    else await updateAnnotation(client, { ...input, id: annotation.id })
    annotationChanges.value += 1
    onClose()
  }
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault()
        const data = new FormData(event.currentTarget)
        run(() => save(data))
      }}
    >
      <TextArea
        label="Text"
        name="content"
        required
        autofocus
        rows={3}
        maxLength={CONTENT_MAX}
        defaultValue={annotation?.content ?? ''}
        problem={failure?.detail}
      />
      <Field
        label={`Time (${zone})`}
        name="at"
        type="datetime-local"
        required
        defaultValue={wallTime(annotation?.date_marker ?? start, zone)}
      />
      <Select
        label="Show on"
        name="scope"
        options={scopesOf(place, annotation)}
        value={scope}
        onChange={({ currentTarget: { value } }) => setScope(value)}
      />
      <div class="actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button tone="main" type="submit" busy={busy}>
          Save
        </Button>
      </div>
    </form>
  )
}

function scopesOf({ insight, dashboard }: AnnotationPlace, annotation: Annotation | undefined) {
  const isOf = (scope: string) => annotation?.scope === scope
  return [
    { value: 'project', label: 'All charts of the project' },
    ...(dashboard !== undefined || isOf('dashboard')
      ? [{ value: 'dashboard', label: 'Charts of this dashboard' }]
      : []),
    ...(insight?.id !== undefined || isOf('insight')
      ? [{ value: 'insight', label: 'This insight' }]
      : []),
  ]
}

/** The fields of a scope; an annotation keeps what it was about. */
function targetOf(scope: string, place: AnnotationPlace, annotation: Annotation | undefined) {
  if (scope === annotation?.scope) return {}
  if (scope === 'insight') return { scope, dashboard_item: place.insight?.id ?? null } as const
  if (scope === 'dashboard') return { scope, dashboard_id: place.dashboard ?? null } as const
  return { scope: 'project' } as const
}
