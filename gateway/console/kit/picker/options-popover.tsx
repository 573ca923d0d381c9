import type { ComponentChildren } from 'preact'
import type { Active } from './use-active.ts'

type OptionListProps<Option> = {
  readonly id: string
  readonly label: string
  readonly options: readonly Option[]
  readonly active: Active
  /** Title of the group; empty for none. Options of a group come one after another. */
  readonly groupOf: (option: Option) => string
  readonly show: (option: Option) => ComponentChildren
  readonly onChoose: (option: Option) => void
}

export function OptionList<Option>(props: OptionListProps<Option>) {
  const { id, label, options, active, groupOf, show, onChoose } = props
  const titles = [...new Set(options.map(groupOf))]
  return (
    <div
      id={`${id}-list`}
      role="listbox"
      aria-label={label}
      style={{ maxHeight: '18rem', overflowY: 'auto' }}
    >
      {titles.map((title) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of a list box is no set of fields
        <div key={title} role="group" aria-label={title || label}>
          {title !== '' && (
            <p
              class="field-hint"
              aria-hidden="true"
              style={{ padding: 'var(--space-2) var(--space-3) var(--space-1)' }}
            >
              {title}
            </p>
          )}
          {options.map(
            (option, at) =>
              groupOf(option) === title && (
                // The field has the focus and the keys.
                // biome-ignore lint/a11y/useKeyWithClickEvents: see above
                // biome-ignore lint/a11y/useFocusableInteractive: see above
                <div
                  key={at}
                  id={`${id}-${at}`}
                  role="option"
                  aria-selected={at === active.at}
                  class="menu-item"
                  style={at === active.at ? { background: 'var(--accent-soft)' } : {}}
                  onPointerMove={() => active.set(at)}
                  onClick={() => onChoose(option)}
                >
                  {show(option)}
                </div>
              ),
          )}
        </div>
      ))}
    </div>
  )
}
