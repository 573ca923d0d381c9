import { useState } from 'preact/hooks'
import { rangeOf, textOfRange } from '../../data/ranges.ts'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { Field } from '../field.tsx'
import { PeriodForm } from './period-form.tsx'

type DaysDialogProps = {
  /** As in the address. */
  readonly value: string
  readonly onChange: (value: string) => void
  readonly onClose: () => void
}

const DAY = /^\d{4}-\d\d-\d\d$/

/** A range up to now, or its first and its last day. */
export function DaysDialog({ value, onChange, onClose }: DaysDialogProps) {
  const { date_from, date_to = '' } = rangeOf(value)
  const [problem, setProblem] = useState<string>()
  const send = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const from = String(data.get('from'))
    const to = String(data.get('to'))
    if (from > to) setProblem('The last day is before the first day.')
    else onChange(textOfRange({ date_from: from, date_to: to }))
  }
  return (
    <Dialog title="Custom date range" onClose={onClose}>
      <PeriodForm label="Last" action="Show this period" value={value} onSend={onChange} />
      <form class="form" onSubmit={send}>
        <Field
          label="First day"
          name="from"
          type="date"
          required
          defaultValue={DAY.test(date_from) ? date_from : ''}
        />
        <Field
          label="Last day"
          name="to"
          type="date"
          required
          problem={problem}
          defaultValue={DAY.test(date_to) ? date_to : ''}
        />
        <Button tone="main" type="submit">
          Show these days
        </Button>
      </form>
    </Dialog>
  )
}
