import { type Cohort, deleteCohort, listCohortUses } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { nameOfCohort } from '../../data/cohorts.ts'
import { failureOf } from '../../data/failure.ts'
import { useResource } from '../../data/resource.ts'
import { ConfirmDialog } from '../../kit/dialogs/confirm-dialog.tsx'
import { useAction } from '../../kit/use-action.ts'
import { DELETE_TEXTS as TEXTS } from './texts.ts'
import { breaksSomething, isBlocked, UseList } from './used-by.tsx'

type DeleteCohortDialogProps = {
  readonly project: number
  readonly cohort: Cohort
  readonly onDeleted: () => void
  readonly onClose: () => void
}

/** Asks before a cohort is deleted, and says where it is used. */
export function DeleteCohortDialog(props: DeleteCohortDialogProps) {
  const { project, cohort, onDeleted, onClose } = props
  const { id } = cohort
  const { busy, failure, run } = useAction(true)
  const { data: uses, error } = useResource(`cohort-uses-now ${project} ${id}`, (signal) =>
    listCohortUses(client, { project_id: project, id }, { signal }),
  )
  return (
    <ConfirmDialog
      title={TEXTS.title(nameOfCohort(cohort))}
      action={TEXTS.action}
      busy={busy}
      onClose={onClose}
      problem={failure?.detail}
      blocked={uses !== undefined && isBlocked(uses)}
      onConfirm={() =>
        run(async () => {
          await deleteCohort(client, { project_id: project, id })
          onDeleted()
        })
      }
    >
      <p>{TEXTS.text}</p>
      {uses === undefined && (
        <p>
          {error === undefined ? TEXTS.checking : `${TEXTS.unchecked} ${failureOf(error).detail}`}
        </p>
      )}
      {uses !== undefined && isBlocked(uses) && (
        <>
          <p>{TEXTS.blocked}</p>
          <UseList project={project} uses={uses} only="blocking" />
        </>
      )}
      {uses !== undefined && breaksSomething(uses) && (
        <>
          <p>{TEXTS.broken}</p>
          <UseList project={project} uses={uses} only="others" />
        </>
      )}
    </ConfirmDialog>
  )
}
