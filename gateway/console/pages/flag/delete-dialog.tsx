import { type FeatureFlag, getFlagDependencies, updateFeatureFlag } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { failureOf } from '../../data/failure.ts'
import { useResource } from '../../data/resource.ts'
import { ConfirmDialog } from '../../kit/dialogs/confirm-dialog.tsx'
import { useAction } from '../../kit/use-action.ts'
import { FlagList } from './links-panel.tsx'

const TEXTS = {
  title: (key: string) => `Delete the feature flag “${key}”?`,
  action: 'Delete feature flag',
  text: 'Apps get no value for it any more. Its history is kept.',
  blocked: 'It cannot be deleted while these flags depend on it:',
  checking: 'Checking which flags depend on it…',
  unchecked: 'Could not check which flags depend on it.',
} as const

type DeleteDialogProps = {
  readonly project: number
  readonly flag: FeatureFlag
  readonly onDeleted: (flag: FeatureFlag) => void
  readonly onClose: () => void
}

/** Asks before a flag is deleted. A flag that others depend on is not. */
export function DeleteDialog({ project, flag, onDeleted, onClose }: DeleteDialogProps) {
  const { id, key, version } = flag
  const { busy, failure, run } = useAction(true)
  const { data: links, error } = useResource(`flag-links-now ${project} ${id}`, (signal) =>
    getFlagDependencies(client, { project_id: project, id }, { signal }),
  )
  const dependents = links?.dependents ?? []
  return (
    <ConfirmDialog
      title={TEXTS.title(key)}
      action={TEXTS.action}
      busy={busy}
      onClose={onClose}
      problem={failure?.detail}
      blocked={links === undefined ? error === undefined : dependents.length > 0}
      onConfirm={() =>
        run(async () => {
          const change = { project_id: project, id, deleted: true, version }
          onDeleted(await updateFeatureFlag(client, change))
        })
      }
    >
      <p>{TEXTS.text}</p>
      {links === undefined && (
        <p>
          {error === undefined ? TEXTS.checking : `${TEXTS.unchecked} ${failureOf(error).detail}`}
        </p>
      )}
      {dependents.length > 0 && (
        <>
          <p>{TEXTS.blocked}</p>
          <FlagList project={project} flags={dependents} />
        </>
      )}
    </ConfirmDialog>
  )
}
