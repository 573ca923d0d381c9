import { OptionList } from './options-popover.tsx'
import type { Active } from './use-active.ts'

type ValueOptionsProps = {
  readonly id: string
  readonly label: string
  readonly options: readonly string[]
  readonly active: Active
  readonly onChoose: (value: string) => void
}

/** Values to choose from, below their field. */
export function ValueOptions(props: ValueOptionsProps) {
  return (
    <OptionList
      {...props}
      groupOf={() => ''}
      show={(value) => <span style={{ overflowWrap: 'anywhere' }}>{value}</span>}
    />
  )
}
