import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { Icon, type IconName } from './icons.tsx'

export type MenuItem = {
  readonly label: ComponentChildren
  readonly onSelect?: () => void
  /** A link in place of an action. */
  readonly href?: string
  readonly isChosen?: boolean
}

type MenuProps = {
  readonly label: string
  /** Content of the button; the label when absent. */
  readonly children?: ComponentChildren
  readonly icon?: IconName
  readonly tone?: 'plain' | 'quiet'
  readonly items: readonly MenuItem[]
}

const GAP = 4

/** A button with a popover of actions: arrows move, Escape closes, the browser keeps it on top. */
export function Menu({ label, children, icon, tone = 'plain', items }: MenuProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const close = () => list.current?.hidePopover()
  const place = () => {
    const from = button.current?.getBoundingClientRect()
    const to = list.current
    if (from === undefined || to === null) return
    const left = Math.max(GAP, Math.min(from.left, innerWidth - to.offsetWidth - GAP))
    const isLow = from.bottom + GAP + to.offsetHeight > innerHeight && from.top > to.offsetHeight
    to.style.left = `${left}px`
    to.style.top = `${isLow ? from.top - GAP - to.offsetHeight : from.bottom + GAP}px`
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        class={`button button-${tone}${children === undefined && icon ? ' button-square' : ''}`}
        aria-haspopup="menu"
        aria-label={children === undefined && icon !== undefined ? label : undefined}
        popovertarget={id}
      >
        {icon !== undefined && <Icon name={icon} />}
        {children ?? (icon === undefined ? label : undefined)}
      </button>
      <div
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        class="menu"
        onToggle={(event) => event.newState === 'open' && place()}
        onKeyDown={(event) => moveFocus(event, list.current)}
      >
        {items.map((item, index) => (
          <MenuEntry key={index} item={item} isFirst={index === 0} close={close} />
        ))}
      </div>
    </>
  )
}

type EntryProps = {
  readonly item: MenuItem
  readonly isFirst: boolean
  readonly close: () => void
}

function MenuEntry({ item, isFirst, close }: EntryProps) {
  const { label, onSelect, href, isChosen } = item
  const mark = isChosen === true && <Icon name="check" />
  // The browser gives it the focus with the opening itself, so that no key is lost between the two.
  const shared = { role: 'menuitem', class: 'menu-item', tabIndex: -1, autofocus: isFirst } as const
  const current = isChosen === true ? 'true' : undefined
  if (href !== undefined) {
    return (
      <a {...shared} href={href} aria-current={current} onClick={close}>
        {label}
        {mark}
      </a>
    )
  }
  const select = () => {
    close()
    onSelect?.()
  }
  return (
    <button type="button" {...shared} aria-current={current} onClick={select}>
      {label}
      {mark}
    </button>
  )
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

function moveFocus(event: KeyboardEvent, list: HTMLElement | null): void {
  const items = [...(list?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
  const at = items.findIndex((item) => item.isSameNode(document.activeElement))
  const step = STEPS[event.key]
  const next =
    step !== undefined
      ? (at + step + items.length) % items.length
      : event.key === 'Home'
        ? 0
        : event.key === 'End'
          ? items.length - 1
          : undefined
  if (next === undefined) return
  event.preventDefault()
  items[next]?.focus()
}
