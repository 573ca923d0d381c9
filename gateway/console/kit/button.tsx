import type { ComponentChildren, JSX } from 'preact'
import { Icon, type IconName } from './icons.tsx'

type ButtonProps = Omit<JSX.ButtonHTMLAttributes<HTMLButtonElement>, 'icon'> & {
  /** `main`: the main action. `quiet`: a secondary one. `danger`: cannot be undone. */
  readonly tone?: 'main' | 'plain' | 'quiet' | 'danger'
  readonly icon?: IconName
  /** The work is under way: the button stays in place and does nothing. */
  readonly busy?: boolean
  readonly children?: ComponentChildren
}

/** An icon without children needs an `aria-label`. */
export function Button({ tone = 'plain', icon, busy, children, ...rest }: ButtonProps) {
  const { onClick, ...others } = rest
  const shape = children === undefined ? ' button-square' : ''
  return (
    <button
      type="button"
      {...others}
      class={`button button-${tone}${shape}`}
      aria-busy={busy === true ? 'true' : undefined}
      aria-disabled={busy === true ? 'true' : rest['aria-disabled']}
      onClick={busy === true ? (event) => event.preventDefault() : onClick}
    >
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  )
}
