/** Every page of the console: its address, its name in the navigation, and where its code is. */
import type { FunctionComponent } from 'preact'
import { isStaff } from '../data/session.ts'
import type { IconName } from '../kit/icons.tsx'
import type { PageProps } from '../pages/page-props.ts'

type PageModule = { readonly default: FunctionComponent<PageProps> }

export type PageRoute = {
  /** Below `/project/:project`, unless it begins with `^`: then from the root. */
  readonly path: string
  /** Name in the navigation and in the window's title. */
  readonly name: string
  /** Folder of the page below `pages`. */
  readonly folder: string
  readonly load: () => Promise<PageModule>
  /** In the navigation, with the letter that follows `g`. */
  readonly nav?: {
    readonly icon: IconName
    readonly letter: string
    /** Begins a group of the navigation. */
    readonly isFirst?: boolean
    readonly isForStaff?: boolean
  }
}

/** In the order of the navigation. The first that matches an address is shown. */
export const ROUTES: readonly PageRoute[] = [
  // Current activity.
  {
    path: '/',
    name: 'Overview',
    folder: 'overview',
    nav: { icon: 'overview', letter: 'o' },
    load: () => import('../pages/overview/overview-page.tsx'),
  },
  {
    path: '/web',
    name: 'Web analytics',
    folder: 'web',
    nav: { icon: 'web', letter: 'w' },
    load: () => import('../pages/web/web-page.tsx'),
  },
  {
    path: '/start',
    name: 'First event',
    folder: 'start',
    load: () => import('../pages/start/start-page.tsx'),
  },
  // Insights and dashboards.
  {
    path: '/insights',
    name: 'Insights',
    folder: 'insights',
    nav: { icon: 'insights', letter: 'i' },
    load: () => import('../pages/insights/insights-page.tsx'),
  },
  {
    path: '/insights/:short_id',
    name: 'Insight',
    folder: 'insight',
    load: () => import('../pages/insight/insight-page.tsx'),
  },
  {
    path: '/dashboards',
    name: 'Dashboards',
    folder: 'dashboards',
    nav: { icon: 'dashboards', letter: 'd' },
    load: () => import('../pages/dashboards/dashboards-page.tsx'),
  },
  {
    path: '/dashboard/:id',
    name: 'Dashboard',
    folder: 'dashboard',
    load: () => import('../pages/dashboard/dashboard-page.tsx'),
  },
  // Events and persons.
  {
    path: '/live',
    name: 'Live events',
    folder: 'live',
    nav: { icon: 'live', letter: 'l', isFirst: true },
    load: () => import('../pages/live/live-page.tsx'),
  },
  {
    path: '/events',
    name: 'Events',
    folder: 'events',
    nav: { icon: 'events', letter: 'e' },
    load: () => import('../pages/events/events-page.tsx'),
  },
  {
    path: '/persons',
    name: 'Persons',
    folder: 'persons',
    nav: { icon: 'persons', letter: 'p' },
    load: () => import('../pages/persons/persons-page.tsx'),
  },
  {
    path: '/person/:distinct_id',
    name: 'Person',
    folder: 'person',
    load: () => import('../pages/person/person-page.tsx'),
  },
  {
    path: '/cohorts',
    name: 'Cohorts',
    folder: 'cohorts',
    nav: { icon: 'cohorts', letter: 'h' },
    load: () => import('../pages/cohorts/cohorts-page.tsx'),
  },
  {
    path: '/cohorts/:id',
    name: 'Cohort',
    folder: 'cohort',
    load: () => import('../pages/cohort/cohort-page.tsx'),
  },
  {
    path: '/data-management/:tab?',
    name: 'Data management',
    folder: 'definitions',
    nav: { icon: 'data', letter: 'm' },
    load: () => import('../pages/definitions/definitions-page.tsx'),
  },
  // Flags and experiments.
  {
    path: '/feature_flags',
    name: 'Feature flags',
    folder: 'flags',
    nav: { icon: 'flags', letter: 'f', isFirst: true },
    load: () => import('../pages/flags/flags-page.tsx'),
  },
  {
    path: '/feature_flags/:id',
    name: 'Feature flag',
    folder: 'flag',
    load: () => import('../pages/flag/flag-page.tsx'),
  },
  // Plugins.
  {
    path: '/plugins',
    name: 'Plugins',
    folder: 'plugins',
    nav: { icon: 'plugins', letter: 'u' },
    load: () => import('../pages/plugins/plugins-page.tsx'),
  },
  {
    path: '/plugins/:id',
    name: 'Plugin',
    folder: 'plugin',
    load: () => import('../pages/plugin/plugin-page.tsx'),
  },

  // Settings.
  {
    path: '/settings/:tab?',
    name: 'Settings',
    folder: 'settings',
    nav: { icon: 'settings', letter: 's', isFirst: true },
    load: () => import('../pages/settings/settings-page.tsx'),
  },

  // The cluster, for staff.
  {
    path: '^/cluster',
    name: 'Cluster',
    folder: 'cluster',
    nav: { icon: 'cluster', letter: 'c', isForStaff: true },
    load: () => import('../pages/cluster/cluster-page.tsx'),
  },
]

export const LOGIN: PageRoute = {
  path: '^/login',
  name: 'Sign in',
  folder: 'login',
  load: () => import('../pages/login/login-page.tsx'),
}

/** Page of a link, outside of the shell. */
export const SHARED: PageRoute = {
  path: '^/:kind/:token',
  name: '',
  folder: 'shared',
  load: () => import('../pages/shared/shared-page.tsx'),
}

/** The pages that the navigation, the palette and single keys lead to. */
export function navigable(): readonly PageRoute[] {
  return ROUTES.filter(({ nav }) => nav !== undefined && (nav.isForStaff !== true || isStaff()))
}

const PROJECT = '/project/:project'

/** The pattern of the whole address. */
export function patternOf({ path }: PageRoute): string {
  if (path.startsWith('^')) return path.slice(1)
  return path === '/' ? PROJECT : PROJECT + path
}

/** The address of a route without parameters of its own, or whose own may be left out. */
export function addressOf(route: PageRoute, project: number): string {
  return patternOf(route).replace(':project', String(project)).replace('/:tab?', '')
}
