import { useEffect, useRef, useState } from 'preact/hooks'
import { matchRoute, useLocation, useRouter } from 'wouter-preact'
import { forgetCalls } from '../data/calls.ts'
import {
  currentProject,
  homeAddress,
  homeProject,
  openProject,
  projects,
  rememberProject,
} from '../data/projects.ts'
import { sessionState } from '../data/session.ts'
import { useShared } from '../data/use-shared.ts'
import { Button } from '../kit/button.tsx'
import { later } from '../kit/later.tsx'
import { Toasts } from '../kit/toasts.tsx'
import { NotFound } from '../pages/not-found.tsx'
import { Helpers } from './helpers.tsx'
import { followKeys } from './keys.ts'
import { Navigation } from './navigation.tsx'
import { PageView } from './page-view.tsx'
import { LOGIN, type PageRoute, patternOf, ROUTES } from './routes.ts'

const SignInAgain = later(async () => (await import('./sign-in-dialog.tsx')).SignInAgain)

type Found = { readonly route: PageRoute; readonly params: Readonly<Record<string, string>> }

/** Page of the address, inside the shell when it belongs to a project. */
export function App() {
  const [path, navigate] = useLocation()
  const found = useFound(location.pathname)
  useEffect(() => followLinks(navigate), [navigate])
  useEffect(() => followKeys(() => currentProject()?.id, navigate), [navigate])
  // A project that is renamed is drawn anew with its page.
  useShared(projects)
  const { kind } = useShared(sessionState)
  const isSignedOut = kind === 'none'
  const isLogin = found?.route === LOGIN
  const home = homeProject()
  const isHome = /^\/(?:project\/?)?$/.test(path)
  useEffect(() => {
    if (isSignedOut && !isLogin) {
      const next = location.pathname + location.search + location.hash
      navigate(next === '/' ? '/login' : `/login?next=${encodeURIComponent(next)}`, {
        replace: true,
      })
    } else if (!isSignedOut && home !== undefined) {
      // Redirects short addresses that users type: `/`, `/project`, and `/flags` of a project.
      const meant = path.replace(/^(\/project\/\d+)\/flags(?=\/|$)/, '$1/feature_flags')
      if (meant !== path) navigate(meant + location.search, { replace: true })
      if (isHome) {
        const leaving = new AbortController()
        void homeAddress(home, leaving.signal).then((address) => {
          if (!leaving.signal.aborted) navigate(address + location.search, { replace: true })
        })
        return () => leaving.abort()
      }
    }
    return undefined
  }, [isSignedOut, isLogin, isHome, path, home, navigate])
  if (isLogin) return <PageView {...found} address={path} />
  if (isSignedOut || (isHome && home !== undefined)) return null
  return (
    <>
      <OfflineNote />
      <Frame found={found} path={path} />
      {kind === 'ended' && <SignInAgain />}
      <Helpers />
      <Toasts />
    </>
  )
}

function useFound(path: string): Found | undefined {
  const { parser } = useRouter()
  for (const route of [LOGIN, ...ROUTES]) {
    const [isMatch, params] = matchRoute(parser, patternOf(route), path)
    if (isMatch) return { route, params: texts(params) }
  }
  return undefined
}

/** Decodes a parameter, since the router decodes only half of it: ids may hold a slash or `%`. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // No address that we have made.
  }
}

/** Parameters by name, without those that the address leaves out; the router also numbers them. */
function texts(params: object): Readonly<Record<string, string>> {
  const named = Object.entries(params).filter(([name, value]) => value && !/^\d+$/.test(name))
  return Object.fromEntries(named.map(([name, value]) => [name, decoded(String(value))]))
}

function Frame({ found, path }: { readonly found: Found | undefined; readonly path: string }) {
  const inPath = /^\/project\/(\d+)(?:\/|$)/.exec(path)?.[1]
  const wanted = inPath === undefined ? undefined : Number(inPath)
  const project = openProject(wanted)
  const main = useRef<HTMLElement>(null)
  const [isOpen, setOpen] = useState(false)
  usePageStart(found?.route.name, project?.name, path, main)
  useEffect(() => {
    setOpen(false)
    if (project !== undefined && wanted === project.id) rememberProject(project.id)
  }, [path, project, wanted])
  return (
    <div class="frame">
      <a class="skip" href="#main">
        Skip to the page
      </a>
      <header class="frame-bar">
        <Button
          tone="quiet"
          icon="menu"
          aria-label="Menu"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
        <strong>{found?.route.name ?? 'Sluice'}</strong>
      </header>
      <div class={`frame-side${isOpen ? ' frame-side-open' : ''}`}>
        {project !== undefined && (
          <Navigation
            project={project}
            pattern={found === undefined ? undefined : patternOf(found.route)}
          />
        )}
      </div>
      <main id="main" ref={main} class="frame-main">
        {found === undefined || project === undefined ? (
          <NotFound what={found === undefined ? 'page' : 'project'} />
        ) : (
          <PageView {...found} address={path} />
        )}
      </main>
    </div>
  )
}

/** Starts a new page: sets the title, forgets the calls of the previous page, moves the focus. */
function usePageStart(
  name: string | undefined,
  project: string | undefined,
  path: string,
  main: { readonly current: HTMLElement | null },
): void {
  const isFirst = useRef(true)
  const seen = useRef(path)
  if (seen.current !== path) {
    seen.current = path
    forgetCalls()
  }
  useEffect(() => {
    document.title = [name ?? 'Not found', project, 'Sluice'].filter(Boolean).join(' · ')
  }, [name, project])
  // Each page begins at its top.
  useEffect(() => {
    if (!isFirst.current) {
      scrollTo(0, 0)
      main.current?.querySelector('h1')?.focus({ preventScroll: true })
    }
    isFirst.current = false
  }, [path, main])
}

/** Paths that the console renders; all other paths of this origin are the server's. */
const OWN = /^\/(?:$|login\/?$|cluster\/?$|project(?:\/|$))/

/** @returns a function that removes the listener. */
function followLinks(navigate: (to: string) => void): () => void {
  const follow = (event: MouseEvent) => {
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey
    if (event.defaultPrevented || !isPlain || event.altKey) return
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (link === null || link.target !== '' || link.hasAttribute('download')) return
    const to = new URL(link.href)
    if (to.origin !== location.origin || !OWN.test(to.pathname)) return
    const isHere = to.pathname === location.pathname && to.search === location.search
    if (isHere && to.hash !== '') return
    event.preventDefault()
    navigate(to.pathname + to.search + to.hash)
  }
  addEventListener('click', follow)
  return () => removeEventListener('click', follow)
}

/** Says that the browser has no network. The page keeps its data, and shows their age. */
function OfflineNote() {
  const [isOffline, setOffline] = useState(!navigator.onLine)
  useEffect(() => {
    const look = () => setOffline(!navigator.onLine)
    addEventListener('online', look)
    addEventListener('offline', look)
    return () => {
      removeEventListener('online', look)
      removeEventListener('offline', look)
    }
  }, [])
  return (
    <div role="status" class={isOffline ? 'offline' : 'unseen'}>
      {isOffline ? 'You are offline. This may be outdated.' : ''}
    </div>
  )
}
