import { useState } from 'preact/hooks'
import { earlierBy } from '../../data/ranges.ts'
import { Select } from '../field.tsx'
import { later } from '../later.tsx'

const CompareDialog = later(async () => (await import('./compare-dialog.tsx')).CompareDialog)

const CUSTOM = 'custom'

type CompareSelectProps = {
  readonly label: string
  readonly labelHidden?: boolean
  readonly options: readonly { readonly value: string; readonly label: string }[]
  /** One of the options, or how much earlier: `-14d`. */
  readonly value: string
  readonly disabled: boolean
  readonly onChange: (value: string) => void
}

/** Chooses the range that numbers are compared to. */
export function CompareSelect({ options, value, onChange, ...rest }: CompareSelectProps) {
  const [isOpen, setOpen] = useState(false)
  const isListed = options.some((each) => each.value === value)
  const own = isListed ? [] : [{ value, label: earlierBy(value) }]
  return (
    <>
      <Select
        {...rest}
        options={[...options, ...own, { value: CUSTOM, label: 'Custom…' }]}
        value={value}
        onChange={({ currentTarget }) => {
          if (currentTarget.value !== CUSTOM) onChange(currentTarget.value)
          else {
            // The select keeps the value that holds.
            currentTarget.value = value
            setOpen(true)
          }
        }}
      />
      {isOpen && (
        <CompareDialog
          value={value}
          onClose={() => setOpen(false)}
          onChange={(next) => {
            setOpen(false)
            onChange(next)
          }}
        />
      )}
    </>
  )
}
