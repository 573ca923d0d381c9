import type { ComponentChildren, JSX } from 'preact'
import { useId } from 'preact/hooks'

type Shared = {
  readonly label: string
  /** Explanation below the field. */
  readonly hint?: ComponentChildren
  /** Problem with the value; undefined while there is none. */
  readonly problem?: string | undefined
  /** Shows the label to screen readers only, where the context explains the field. */
  readonly labelHidden?: boolean
}

type FieldProps = Shared & Omit<JSX.InputHTMLAttributes<HTMLInputElement>, 'label'>
type TextAreaProps = Shared & Omit<JSX.TextareaHTMLAttributes<HTMLTextAreaElement>, 'label'>
type SelectProps = Shared &
  Omit<JSX.SelectHTMLAttributes<HTMLSelectElement>, 'label'> & {
    readonly options: readonly { readonly value: string; readonly label: string }[]
  }

export function Field({ label, hint, problem, labelHidden, ...input }: FieldProps) {
  const frame = useFrame({ label, hint, problem, labelHidden: labelHidden ?? false })
  return frame.around(<input {...input} {...frame.control} class="input" />)
}

export function TextArea({ label, hint, problem, labelHidden, ...area }: TextAreaProps) {
  const frame = useFrame({ label, hint, problem, labelHidden: labelHidden ?? false })
  return frame.around(<textarea {...area} {...frame.control} class="input input-area" />)
}

export function Select({ label, hint, problem, labelHidden, options, ...rest }: SelectProps) {
  const frame = useFrame({ label, hint, problem, labelHidden: labelHidden ?? false })
  return frame.around(
    <select {...rest} {...frame.control} class="input input-select">
      {options.map((option) => (
        <option key={option.value} value={option.value} selected={option.value === rest.value}>
          {option.label}
        </option>
      ))}
    </select>,
  )
}

/** Label, hint and problem, tied to the control by ids. */
function useFrame({ label, hint, problem, labelHidden }: Shared) {
  const id = useId()
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ')
  return {
    control: {
      id,
      ...(described === '' ? {} : { 'aria-describedby': described }),
      ...(problem === undefined ? {} : { 'aria-invalid': true as const }),
    },
    around: (control: ComponentChildren) => (
      <div class="field">
        <label for={id} class={labelHidden === true ? 'unseen' : 'field-label'}>
          {label}
        </label>
        {control}
        {hint !== undefined && (
          <p id={`${id}-hint`} class="field-hint">
            {hint}
          </p>
        )}
        {problem !== undefined && (
          <p id={`${id}-problem`} class="field-problem" role="alert">
            {problem}
          </p>
        )}
      </div>
    ),
  }
}
