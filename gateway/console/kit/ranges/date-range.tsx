import { useState } from 'preact/hooks'
import { labelOfRange, RANGE_KEYS, RANGES } from '../../data/ranges.ts'
import { later } from '../later.tsx'
import { Menu } from '../menu.tsx'

const DaysDialog = later(async () => (await import('./days-dialog.tsx')).DaysDialog)

type DateRangeProps = {
  /** As in the address: `-7d`, `2026-01-01..2026-01-31`. */
  readonly value: string
  readonly onChange: (value: string) => void
  /** Label of the empty value; without it there is always a range. */
  readonly none?: string
}

/** Chooses a range by name, or two days of the project's zone. */
export function DateRangePicker({ value, onChange, none }: DateRangeProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    // Each key has its item in the menu.
    // biome-ignore lint/a11y/noStaticElementInteractions: see above
    <span
      class="range"
      data-key="range"
      onKeyDown={({ key }) => {
        const range = RANGE_KEYS[key]
        if (!isOpen && range !== undefined && range !== value) onChange(range)
      }}
    >
      <Menu
        label="Date range"
        items={[
          ...(none === undefined
            ? []
            : [{ label: none, isChosen: value === '', onSelect: () => onChange('') }]),
          ...RANGES.map((range) => ({
            label: range.label,
            isChosen: range.value === value,
            onSelect: () => onChange(range.value),
          })),
          { label: 'Custom range…', onSelect: () => setOpen(true) },
        ]}
      >
        <span class="unseen">Date range: </span>
        {value === '' && none !== undefined ? none : labelOfRange(value)}
      </Menu>
      {isOpen && (
        <DaysDialog
          value={value}
          onClose={() => setOpen(false)}
          onChange={(next) => {
            setOpen(false)
            onChange(next)
          }}
        />
      )}
    </span>
  )
}
