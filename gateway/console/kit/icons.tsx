/** Small drawings beside words; never alone without a label. */
const PATHS = {
  overview: 'M3 13h6V3H3zM11 17h6V9h-6zM3 17h6v-2H3zM11 7h6V3h-6z',
  web: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14c-4 4-4 10 0 14 4-4 4-10 0-14M3 10h14',
  live: 'M10 10h.01M6.5 13.5a5 5 0 0 1 0-7M13.5 6.5a5 5 0 0 1 0 7M4 16a8.5 8.5 0 0 1 0-12M16 4a8.5 8.5 0 0 1 0 12',
  events: 'M4 5h12M4 10h12M4 15h7',
  persons: 'M10 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6M4 17c.5-3.5 3-5 6-5s5.5 1.5 6 5',
  cohorts:
    'M7 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6M2 17c.5-3.5 2-5 5-5s4.5 1.5 5 5M13 4a3 3 0 0 1 0 5.5M15 12.5c2 .5 2.5 2 3 4.5',
  data: 'M3 3h7l7 7-7 7-7-7zM6.5 6.5h.01',
  insights: 'M3 16l4.5-6 3.5 3 6-9M3 3v13h14',
  dashboards: 'M3 3h14v14H3zM3 8.5h14M9 8.5V17',
  flags: 'M5 17V3M5 4h9l-2 3.5L14 11H5',
  plugins: 'M7 3v4M13 3v4M5 7h10v3a5 5 0 0 1-10 0zM10 15v2',
  settings:
    'M3 6h8M15 6h2M3 14h2M9 14h8M13 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4M7 16a2 2 0 1 0 0-4 2 2 0 0 0 0 4',
  cluster: 'M10 3l6 3.5v7L10 17l-6-3.5v-7zM10 10l6-3.5M10 10v7M10 10L4 6.5',
  theme: 'M10 3a7 7 0 1 0 0 14zM10 3a7 7 0 0 1 0 14',
  menu: 'M3 5h14M3 10h14M3 15h14',
  close: 'M5 5l10 10M15 5L5 15',
  down: 'M5 8l5 5 5-5',
  copy: 'M7 7h9v9H7zM13 4H4v9',
  search: 'M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11M13 13l4 4',
  check: 'M4 10.5l4 4 8-9',
  plus: 'M10 4v12M4 10h12',
  more: 'M4.5 10a.5.5 0 1 0 1 0 .5.5 0 0 0-1 0M9.5 10a.5.5 0 1 0 1 0 .5.5 0 0 0-1 0M14.5 10a.5.5 0 1 0 1 0 .5.5 0 0 0-1 0',
  grip: 'M8 5h.01M12 5h.01M8 10h.01M12 10h.01M8 15h.01M12 15h.01',
  undo: 'M8 4L4 8l4 4M4 8h8a4 4 0 0 1 0 8H9',
  redo: 'M12 4l4 4-4 4M16 8H8a4 4 0 0 0 0 8h3',
} as const

export type IconName = keyof typeof PATHS

/** Logo of the product. */
export function Mark() {
  const wave = 'c4-4 6 4 10 0s6 4 10 0'
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <path d={`M6 11${wave}M6 18${wave}M6 25${wave}`} />
    </svg>
  )
}

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}
