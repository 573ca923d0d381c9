import type { Project } from '../../../client/index.ts'
import { formatNumber } from '../../data/format.ts'
import { ask } from '../../data/questions.ts'
import { useResource } from '../../data/resource.ts'
import { now } from '../../data/timers.ts'
import { ConfirmDialog } from '../../kit/dialogs/confirm-dialog.tsx'
import { Time } from '../../kit/time.tsx'
import { SETTINGS_TEXTS as TEXTS } from './texts.ts'

type RetentionDialogProps = {
  readonly project: Project
  readonly days: number
  readonly busy: boolean
  readonly onConfirm: () => void
  readonly onClose: () => void
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Asks before a shorter retention deletes events: how many, from which day back, and when. */
export function RetentionDialog({ project, days, ...rest }: RetentionDialogProps) {
  const { id, events_retention_wait_hours: waitHours } = project
  const firstKept = new Date(now() - days * DAY_MS).toISOString().slice(0, 10)
  const count = useResource(`retention ${id} ${firstKept}`, async (signal) => {
    const query = {
      kind: 'TrendsQuery',
      series: [{ kind: 'EventsNode', event: null }],
      dateRange: { date_from: 'all', date_to: `${firstKept}T00:00:00Z` },
      interval: 'month',
      trendsFilter: { display: 'BoldNumber' },
    }
    return (await ask(id, query, signal)).results[0]?.aggregated_value ?? 0
  })
  const events =
    count.data === undefined
      ? TEXTS.retentionSome
      : TEXTS.retentionCount(formatNumber(count.data), count.data === 1)
  return (
    <ConfirmDialog title={TEXTS.retentionTitle(days)} action={TEXTS.retentionAction} {...rest}>
      <p>
        {events} {TEXTS.retentionBefore(firstKept)}
      </p>
      <p>
        {TEXTS.retentionFrom} <Time value={now() + waitHours * HOUR_MS} />. {TEXTS.retentionFinal}
      </p>
    </ConfirmDialog>
  )
}
