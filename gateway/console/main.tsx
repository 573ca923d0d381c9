import { render } from 'preact'
import { loadProjects } from './data/projects.ts'
import { loadSession, sessionState } from './data/session.ts'
import { App } from './shell/app.tsx'
import { takeLoginToken } from './shell/login-token.ts'
import { Unreachable } from './shell/unreachable.tsx'

takeLoginToken()
const root = document.getElementById('app')
if (root === null) throw new Error('the HTML has no place for the console')
void start(root)

/** Asks who is here and for their projects, then shows the page. */
async function start(place: HTMLElement): Promise<void> {
  try {
    await loadSession()
    if (sessionState.value.kind === 'signed_in') await loadProjects()
    render(<App />, place)
  } catch (error) {
    render(<Unreachable error={error} onRetry={() => void start(place)} />, place)
  }
}
