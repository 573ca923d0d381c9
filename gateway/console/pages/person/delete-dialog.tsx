import { useState } from 'preact/hooks'
import { deletePerson, type Person } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { useResource } from '../../data/resource.ts'
import { ConfirmDialog } from '../../kit/dialogs/confirm-dialog.tsx'
import { useAction } from '../../kit/use-action.ts'
import { PERSON_TEXTS as TEXTS } from './texts.ts'

type DeleteDialogProps = {
  readonly project: number
  readonly person: Person
  /** Distinct id, which the user must type to confirm. */
  readonly id: string
  readonly onDeleted: () => void
  readonly onClose: () => void
}

/** Deletes the person once its id is typed, and tells what happens to its events. */
export function DeleteDialog({ project, person, id, onDeleted, onClose }: DeleteDialogProps) {
  const { busy, failure, run } = useAction(true)
  const [withEvents, setWithEvents] = useState<boolean>()
  const target = { project_id: project, id: person.uuid, by: 'id' } as const
  // Counts, and deletes nothing.
  const counted = useResource(`count-of-person ${project} ${person.uuid}`, (signal) =>
    deletePerson(client, { ...target, delete_events: true, dry_run: true }, { signal }),
  )
  const remove = async () => {
    await deletePerson(client, { ...target, ...(withEvents === true && { delete_events: true }) })
    onDeleted()
  }
  const total = counted.data?.total ?? null
  return (
    <ConfirmDialog
      title={TEXTS.deleteTitle}
      action={TEXTS.deleteDo}
      busy={busy}
      onClose={onClose}
      typed={{ label: TEXTS.deleteType, word: id.trim() }}
      blocked={withEvents === undefined}
      problem={failure?.detail}
      onConfirm={() => run(remove)}
    >
      <p>{TEXTS.deleteText}</p>
      <fieldset class="person-choices">
        <legend>{total === null ? TEXTS.deleteEvents : TEXTS.deleteCount(total)}</legend>
        {([true, false] as const).map((each) => (
          <label key={String(each)} class="person-choice">
            <input
              type="radio"
              name="events"
              checked={withEvents === each}
              onChange={() => setWithEvents(each)}
            />
            <span>{each ? TEXTS.deleteWith : TEXTS.deleteWithout}</span>
          </label>
        ))}
      </fieldset>
    </ConfirmDialog>
  )
}
