import type { ComponentChildren } from 'preact'

type EmptyProps = {
  /** What is not there: "No events yet". */
  readonly title: string
  /** Why, in a sentence. */
  readonly children: ComponentChildren
  /** The one thing to do about it. */
  readonly action?: ComponentChildren
}

export function Empty({ title, children, action }: EmptyProps) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      <p>{children}</p>
      {action}
    </div>
  )
}
