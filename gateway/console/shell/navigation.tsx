import type { ProjectSummary } from '../../client/index.ts'
import { keep, kept } from '../data/kept.ts'
import { projects } from '../data/projects.ts'
import { sessionState, signOut } from '../data/session.ts'
import { shared } from '../data/shared.ts'
import { useShared } from '../data/use-shared.ts'
import { Button } from '../kit/button.tsx'
import { Icon, Mark } from '../kit/icons.tsx'
import { Menu } from '../kit/menu.tsx'
import { toast } from '../kit/toasts.tsx'
import { shownHelper } from '../pages/shown-helper.ts'
import { addressOf, navigable, patternOf } from './routes.ts'

const isApple = /Mac|iP/.test(navigator.platform)

type NavigationProps = {
  readonly project: ProjectSummary
  /** Pattern of the page on screen. */
  readonly pattern: string | undefined
}

/** Pages of a project, and the signed-in user at the foot. */
export function Navigation({ project, pattern }: NavigationProps) {
  const state = sessionState.value
  const user = 'session' in state ? state.session.user : undefined
  return (
    <>
      <ProjectMenu project={project} />
      <Button
        icon="search"
        aria-haspopup="dialog"
        onClick={() => {
          shownHelper.value = 'palette'
        }}
      >
        Find <kbd class="nav-kbd">{isApple ? '⌘K' : 'Ctrl K'}</kbd>
      </Button>
      <nav aria-label="Main" class="nav">
        {navigable().map((route) => (
          <a
            key={route.path}
            href={addressOf(route, project.id)}
            class={`nav-link${route.nav?.isFirst ? ' nav-first' : ''}`}
            aria-current={isWithin(patternOf(route), pattern) ? 'page' : undefined}
          >
            {route.nav !== undefined && <Icon name={route.nav.icon} />}
            {route.name}
          </a>
        ))}
      </nav>
      <footer class="nav-foot">
        <ThemeMenu />
        <Menu
          label="Account"
          tone="quiet"
          icon="persons"
          items={[
            {
              label: 'Keyboard shortcuts',
              onSelect: () => {
                shownHelper.value = 'help'
              },
            },
            { label: 'Your account', href: `/project/${project.id}/settings/account` },
            { label: 'API reference', href: '/api/docs/' },
            { label: 'Sign out', onSelect: () => void leave() },
          ]}
        >
          <span class="nav-user">{user?.first_name || user?.email || 'Account'}</span>
        </Menu>
      </footer>
    </>
  )
}

/** A page of one object belongs to the list of them. */
function isWithin(list: string, shown: string | undefined): boolean {
  if (shown === undefined) return false
  return shown === list || (list !== '/project/:project' && shown.startsWith(`${list}/`))
}

function ProjectMenu({ project }: { readonly project: ProjectSummary }) {
  const others = (projects.value ?? []).map(({ id, name }) => ({
    label: name,
    href: `/project/${id}`,
    isChosen: id === project.id,
  }))
  return (
    <div class="nav-project">
      <Menu label={`Project: ${project.name}`} tone="quiet" items={others}>
        <Mark />
        <span class="nav-name">{project.name}</span>
        <Icon name="down" />
      </Menu>
    </div>
  )
}

async function leave(): Promise<void> {
  try {
    await signOut()
    location.assign('/login')
  } catch {
    toast('Not signed out: the server did not answer', { tone: 'bad' })
  }
}

const THEMES = ['system', 'light', 'dark'] as const
type Theme = (typeof THEMES)[number]

const LABELS: Readonly<Record<Theme, string>> = {
  system: 'Sync with system',
  light: 'Light',
  dark: 'Dark',
}

const theme = shared<Theme>(THEMES.find((each) => each === kept('theme')) ?? 'system')

/** Changes the theme. The HTML applies a stored one before the first paint. */
function choose(next: Theme): void {
  theme.value = next
  keep('theme', next === 'system' ? undefined : next)
  if (next === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = next
}

function ThemeMenu() {
  const chosen = useShared(theme)
  return (
    <Menu
      label="Theme"
      tone="quiet"
      icon="theme"
      items={THEMES.map((each) => ({
        label: LABELS[each],
        isChosen: chosen === each,
        onSelect: () => choose(each),
      }))}
    >
      Theme
    </Menu>
  )
}
