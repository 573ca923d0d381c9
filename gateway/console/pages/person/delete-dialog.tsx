import { useState } from 'preact/hooks'
import { deletePerson, type Person } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { useResource } from '../../data/resource.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { FailureNote } from '../../kit/failure.tsx'
import { Field } from '../../kit/field.tsx'
import { PERSON_TEXTS as TEXTS } from './texts.ts'

type DeleteDialogProps = {
  readonly project: number
  readonly person: Person
  /** What must be typed. */
  readonly id: string
  readonly onDeleted: () => void
  readonly onClose: () => void
}

/** Deletes the person once its id is typed. */
export function DeleteDialog({ project, person, id, onDeleted, onClose }: DeleteDialogProps) {
  const [problem, setProblem] = useState<string>()
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const [withEvents, setWithEvents] = useState(false)
  const target = { project_id: project, id: person.uuid, by: 'id' } as const
  // Counts, and deletes nothing.
  const counted = useResource(`count-of-person ${project} ${person.uuid}`, (signal) =>
    deletePerson(client, { ...target, delete_events: true, dry_run: true }, { signal }),
  )
  const remove = async () => {
    setBusy(true)
    setError(undefined)
    try {
      await deletePerson(client, { ...target, ...(withEvents && { delete_events: true }) })
      onDeleted()
    } catch (failed) {
      setError(failed)
      setBusy(false)
    }
  }
  const total = counted.data?.total ?? null
  return (
    <Dialog title={TEXTS.deleteTitle} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          const typed = String(new FormData(event.currentTarget).get('id') ?? '')
          const isRight = typed.trim() === id.trim()
          setProblem(isRight ? undefined : TEXTS.deleteWrong)
          if (isRight) void remove()
        }}
      >
        <p>{TEXTS.deleteText}</p>
        <label class="person-choice">
          <input
            type="checkbox"
            checked={withEvents}
            onChange={({ currentTarget }) => setWithEvents(currentTarget.checked)}
          />
          <span>
            {TEXTS.deleteEvents}
            {total !== null && ` (${TEXTS.deleteCount(total)})`}
          </span>
        </label>
        <Field
          {...{ label: TEXTS.deleteType(id), name: 'id', required: true, problem }}
          {...{ autocomplete: 'off', spellcheck: false }}
        />
        {error !== undefined && <FailureNote error={error} onRetry={() => void remove()} />}
        <Button type="submit" tone="danger" busy={busy}>
          {TEXTS.deleteDo}
        </Button>
      </form>
    </Dialog>
  )
}
