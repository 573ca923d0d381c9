import { render } from 'preact'
import { loadProjects } from './data/projects.ts'
import { useResource } from './data/resource.ts'
import { loadSession, sessionState } from './data/session.ts'
import { Skeleton } from './kit/skeleton.tsx'
import { takeLoginToken } from './pages/login/login-token.ts'
import { App } from './shell/app.tsx'
import { PageView } from './shell/page-view.tsx'
import { SHARED } from './shell/routes.ts'
import { Unreachable } from './shell/unreachable.tsx'

takeLoginToken()
const root = document.getElementById('app')
if (root === null) throw new Error('the HTML has no place for the console')
const [, kind, token] = /^\/(shared|embedded)\/(\w+)/.exec(location.pathname) ?? []
render(kind && token ? <Shared kind={kind} token={token} /> : <Start />, root)

/** Loads the session and the projects of its user, then shows the page. */
function Start() {
  const { data, error, retryAt, reload } = useResource('start', async () => {
    await loadSession()
    if (sessionState.value.kind === 'signed_in') await loadProjects()
    return true
  })
  if (data === true) return <App />
  if (error !== undefined) return <Unreachable error={error} retryAt={retryAt} onRetry={reload} />
  // A visitor who is sent to sign in sees no frame first.
  if (location.pathname.startsWith('/login')) return null
  return (
    <div class="frame" aria-busy="true">
      <div class="frame-side" />
      <div class="frame-main">
        <Skeleton height={36} width="12rem" />
      </div>
    </div>
  )
}

/** The page of a link, for which nobody signs in. */
function Shared(params: { readonly kind: string; readonly token: string }) {
  return <PageView route={SHARED} params={params} address={location.pathname} />
}
