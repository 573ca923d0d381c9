import { formatNumber } from '../../data/format.ts'
import { ask } from '../../data/questions.ts'
import { useResource } from '../../data/resource.ts'
import { now } from '../../data/timers.ts'
import { ConfirmDialog } from '../../kit/dialogs/confirm-dialog.tsx'
import { SETTINGS_TEXTS as TEXTS } from './texts.ts'

type RetentionDialogProps = {
  readonly project: number
  readonly days: number
  readonly busy: boolean
  readonly onConfirm: () => void
  readonly onClose: () => void
}

const DAY_MS = 86_400_000

/** Asks before a shorter retention deletes events: how many, and from which day back. */
export function RetentionDialog({ project, days, ...rest }: RetentionDialogProps) {
  const firstKept = new Date(now() - days * DAY_MS).toISOString().slice(0, 10)
  const count = useResource(`retention ${project} ${firstKept}`, async (signal) => {
    const query = {
      ...{ kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: null }] },
      dateRange: { date_from: 'all', date_to: `${firstKept}T00:00:00Z` },
      ...{ interval: 'month', trendsFilter: { display: 'BoldNumber' } },
    }
    return (await ask(project, query, signal)).results[0]?.aggregated_value ?? 0
  })
  const events =
    count.data === undefined
      ? TEXTS.retentionSome
      : TEXTS.retentionCount(formatNumber(count.data), count.data === 1)
  return (
    <ConfirmDialog
      {...{ title: TEXTS.retentionTitle(days), action: TEXTS.retentionAction, ...rest }}
    >
      <p>
        {events} {TEXTS.retentionBefore(firstKept)}
      </p>
      <p>{TEXTS.retentionFinal}</p>
    </ConfirmDialog>
  )
}
