type TabsProps = {
  /** Name of the tab list for screen readers. */
  readonly label: string
  readonly tabs: readonly { readonly id: string; readonly name: string; readonly href: string }[]
  readonly chosen: string
}

/** Parts of a page, each with an address of its own. */
export function Tabs({ label, tabs, chosen }: TabsProps) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ id, name, href }) => (
        <a key={id} href={href} aria-current={id === chosen ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  )
}
