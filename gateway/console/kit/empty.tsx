import type { ComponentChildren } from 'preact'

type EmptyProps = {
  /** Names the missing items: "No events yet". */
  readonly title: string
  /** Reason, in a sentence. */
  readonly children: ComponentChildren
  /** The one action that helps. */
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

/** Action of a list that fills with the first event. */
export function FirstEvent({ project }: { readonly project: number }) {
  return (
    <a class="button button-main" href={`/project/${project}/start`}>
      Send the first event
    </a>
  )
}
