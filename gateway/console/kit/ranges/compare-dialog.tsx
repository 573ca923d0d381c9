import { Dialog } from '../dialog.tsx'
import { PeriodForm } from './period-form.tsx'

type CompareDialogProps = {
  /** How much earlier the compared range is now: `-14d`. */
  readonly value: string
  readonly onChange: (value: string) => void
  readonly onClose: () => void
}

/** Asks how much earlier the compared range is. */
export function CompareDialog({ value, onChange, onClose }: CompareDialogProps) {
  return (
    <Dialog title="Compare to an earlier period" onClose={onClose}>
      <PeriodForm label="Earlier by" action="Compare" value={value} onSend={onChange} />
    </Dialog>
  )
}
