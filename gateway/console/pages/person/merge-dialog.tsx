import { useState } from 'preact/hooks'
import { type MergePersonsResponse, mergePersons, type Person } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { isRecord } from '../../data/json.ts'
import { nameOfActor } from '../../data/questions.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { JsonView } from '../../kit/drawers/json-view.tsx'
import { FailureNote } from '../../kit/failure.tsx'
import { TextArea } from '../../kit/field.tsx'
import { PERSON_TEXTS as TEXTS } from './texts.ts'

type MergeDialogProps = {
  readonly project: number
  readonly person: Person
  readonly onMerged: (person: Person) => void
  readonly onClose: () => void
}

type Shown =
  | { readonly kind: 'asked' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'preview'; readonly ids: readonly string[]; readonly of: MergePersonsResponse }
  | { readonly kind: 'failed'; readonly error: unknown; readonly retry: () => void }

/** Shows the result of a merge before it is made: it cannot be undone. */
export function MergeDialog({ project, person, onMerged, onClose }: MergeDialogProps) {
  const [text, setText] = useState('')
  const [shown, show] = useState<Shown>({ kind: 'asked' })
  const merge = async (ids: readonly string[], isPreview: boolean) => {
    show({ kind: 'busy' })
    try {
      const answer = await mergePersons(client, {
        project_id: project,
        id: person.uuid,
        by: 'id',
        distinct_ids: ids,
        ...(isPreview && { dry_run: true }),
      })
      if (isPreview) show({ kind: 'preview', ids, of: answer })
      // A completed merge returns its person.
      else if (answer.person !== null) onMerged(answer.person as Person)
    } catch (error) {
      show({ kind: 'failed', error, retry: () => void merge(ids, isPreview) })
    }
  }
  return (
    <Dialog title={TEXTS.mergeTitle} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          void merge(idsOf(text), true)
        }}
      >
        <TextArea
          label={TEXTS.mergeIds}
          hint={TEXTS.mergeHint}
          value={text}
          required
          spellcheck={false}
          autofocus
          onInput={({ currentTarget }) => {
            setText(currentTarget.value)
            show({ kind: 'asked' })
          }}
        />
        <Button type="submit" tone="main" busy={shown.kind === 'busy'}>
          {TEXTS.preview}
        </Button>
      </form>
      <div aria-live="polite">
        {shown.kind === 'failed' && <FailureNote error={shown.error} onRetry={shown.retry} />}
        {shown.kind === 'preview' && (
          <Preview of={shown.of} onMerge={() => void merge(shown.ids, false)} />
        )}
      </div>
    </Dialog>
  )
}

function idsOf(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.trim())
  return [...new Set(lines.filter((line) => line !== ''))]
}

type PreviewProps = { readonly of: MergePersonsResponse; readonly onMerge: () => void }

function Preview({ of: { person, merged, attached }, onMerge }: PreviewProps) {
  if (merged.length === 0 && attached.length === 0) return <p>{TEXTS.mergeNothing}</p>
  // The answer of a merge has the person as it is then.
  const after = isRecord(person) ? (person as unknown as Person) : undefined
  return (
    <div class="person-preview">
      <p>{TEXTS.mergeSays(merged.length, attached.length)}</p>
      {after !== undefined && (
        <>
          <h3>{nameOfActor(after)}</h3>
          <p>{after.distinct_ids.join(', ')}</p>
          <JsonView value={after.properties} open={1} />
        </>
      )}
      <Button tone="danger" onClick={onMerge}>
        {TEXTS.mergeDo}
      </Button>
    </div>
  )
}
