import type { RefObject } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { labelOf } from '../../../../src/core/charts/label.ts'
import { failureOf } from '../../data/failure.ts'
import { formatCompact } from '../../data/format.ts'
import { Time } from '../time.tsx'
import { type Choice, type Option, type Source, unseen } from './choice.ts'
import { meaningOf } from './known-names.ts'
import { OptionList } from './options-popover.tsx'
import { PICKER_TEXTS as TEXTS } from './texts.ts'
import { useActive } from './use-active.ts'
import { useNames } from './use-names.ts'

type NamePopoverProps = {
  readonly label: string
  readonly value: string
  readonly from: readonly Source[]
  readonly none: string
  readonly canClear?: boolean
  /** Typed on the button, which keeps the focus until the search has it. */
  readonly typed: string
  readonly anchor: RefObject<HTMLElement>
  readonly onChoose: (choice: Choice) => void
  readonly onClose: () => void
}

const GAP_PX = 4
const SHOWN_MAX = 60

/** Search with matching names in groups, and details of the highlighted one. */
export function NamePopover(props: NamePopoverProps) {
  const { label, from, none, canClear = false, typed, anchor, onChoose, onClose } = props
  const id = useId()
  const [edited, setEdited] = useState<string>()
  const search = edited ?? typed
  const { groups, isLoading, error } = useNames(from, search)
  const free = isLoading ? undefined : unseen(search, groups)
  const isNever = groups.every(({ isWhole }) => isWhole)
  const clear: Option = { source: from[0] ?? 'event', name: '' }
  const options = [
    ...(canClear && search === '' ? [clear] : []),
    ...groups.flatMap((group) => group.options.slice(0, SHOWN_MAX)),
    ...(free === undefined ? [] : [free]),
  ]
  const choose = (option: Choice) => {
    onClose()
    onChoose({ source: option.source, name: option.name })
  }
  const active = useActive(id, options, choose)
  const chosen = options[active.at]
  const note = isNever ? TEXTS.never : TEXTS.notLately
  return (
    <Popover label={label} anchor={anchor} onClose={onClose}>
      <input
        {...active.input}
        class="input"
        autocomplete="off"
        spellcheck={false}
        autofocus
        aria-label={TEXTS.search(label)}
        placeholder={TEXTS.place}
        value={search}
        onInput={({ currentTarget: { value } }) => {
          setEdited(value)
          active.set(0)
        }}
      />
      <OptionList
        id={id}
        label={label}
        options={options}
        active={active}
        onChoose={choose}
        groupOf={(option) =>
          option === free || option === clear ? '' : TEXTS.groups[option.source]
        }
        show={(option) =>
          option === clear ? (
            none
          ) : option === free ? (
            <FreeName name={option.name} note={note} />
          ) : (
            <NameRow option={option} />
          )
        }
      />
      <p class="unseen" aria-live="polite">
        {isLoading ? TEXTS.loading : TEXTS.found(options.length)}
      </p>
      {error !== undefined && <p class="field-problem">{failureOf(error).detail}</p>}
      {chosen !== undefined && chosen.name !== '' && chosen !== free && <About option={chosen} />}
    </Popover>
  )
}

type PopoverProps = Pick<NamePopoverProps, 'label' | 'anchor' | 'onClose'> & {
  readonly children: preact.ComponentChildren
}

/** The browser keeps it on top, and closes it by Escape or a click beside it. */
function Popover({ label, anchor, onClose, children }: PopoverProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const from = anchor.current?.getBoundingClientRect()
    const own = box.current
    if (from === undefined || own === null) return
    own.showPopover()
    const width = Math.min(Math.max(from.width, 320), innerWidth - 2 * GAP_PX)
    const below = innerHeight - from.bottom - 2 * GAP_PX
    const isLow = below < 320 && from.top > below
    own.style.width = `${width}px`
    own.style.maxHeight = `${Math.min(480, isLow ? from.top - 2 * GAP_PX : below)}px`
    own.style.left = `${Math.max(GAP_PX, Math.min(from.left, innerWidth - width - GAP_PX))}px`
    if (isLow) own.style.bottom = `${innerHeight - from.top + GAP_PX}px`
    else own.style.top = `${from.bottom + GAP_PX}px`
  }, [])
  return (
    <div
      ref={box}
      popover="auto"
      role="dialog"
      aria-label={label}
      class="menu"
      onToggle={(event) => event.newState === 'closed' && onClose()}
    >
      {children}
    </div>
  )
}

function FreeName({ name, note }: { readonly name: string; readonly note: string }) {
  return (
    <span>
      {TEXTS.use(name)}
      <span class="field-hint" style={{ display: 'block' }}>
        {note}
      </span>
    </span>
  )
}

function NameRow({ option: { name, count } }: { readonly option: Option }) {
  const label = labelOf(name)
  return (
    <>
      <span style={{ overflowWrap: 'anywhere' }}>
        {label}
        {label !== name && (
          <span class="field-hint" style={{ display: 'block' }}>
            {name}
          </span>
        )}
      </span>
      {count !== undefined && <span class="figure field-hint">{formatCompact(count)}</span>}
    </>
  )
}

/** Details of the highlighted name. */
function About({ option }: { readonly option: Option }) {
  const { name, source, count, lastSeenAt, samples = [] } = option
  const description = option.description ?? meaningOf(name)
  const of =
    source === 'event'
      ? TEXTS.in30Days
      : source === 'person_property'
        ? TEXTS.ofNewestPersons
        : TEXTS.ofNewest
  return (
    <div
      style={{
        padding: 'var(--space-2) var(--space-3)',
        borderBlockStart: '1px solid var(--line)',
      }}
      class="field-hint"
    >
      {description !== undefined && description !== null && <p>{description}</p>}
      {samples.length > 0 && <p style={{ overflowWrap: 'anywhere' }}>{TEXTS.samples(samples)}</p>}
      {count !== undefined && <p>{of(count)}</p>}
      {lastSeenAt && (
        <p>
          {TEXTS.lastSeen} <Time value={lastSeenAt} />
        </p>
      )}
    </div>
  )
}
