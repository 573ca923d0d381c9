import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { type Failure, failureOf } from '../../data/failure.ts'
import { loadProjects } from '../../data/projects.ts'
import { signIn } from '../../data/session.ts'
import { Button } from '../../kit/button.tsx'
import { Mark } from '../../kit/icons.tsx'
import { loginToken, takeLoginToken } from './login-token.ts'
import { SignInForm } from './sign-in.tsx'
import { LOGIN_TEXTS as TEXTS } from './texts.ts'

type LinkState =
  | { readonly kind: 'none' | 'asking' }
  | { readonly kind: 'failed'; readonly token: string; readonly failure: Failure }

export default function LoginPage() {
  const [, navigate] = useLocation()
  const [link, setLink] = useState<LinkState>({ kind: 'none' })
  const enter = async () => {
    await loadProjects()
    navigate(nextOf(location.search), { replace: true })
  }
  const tryLink = (token: string) => {
    setLink({ kind: 'asking' })
    signIn({ login_token: token }).then(enter, (error: unknown) =>
      setLink({ kind: 'failed', token, failure: failureOf(error) }),
    )
  }
  useEffect(() => {
    document.title = TEXTS.title
    const look = () => {
      const token = loginToken()
      if (token !== undefined) tryLink(token)
    }
    // Pasting a link over the address of this page reloads nothing.
    const onHash = () => {
      takeLoginToken()
      look()
    }
    look()
    addEventListener('hashchange', onHash)
    return () => removeEventListener('hashchange', onHash)
  }, [])
  return (
    <main class="alone">
      <Mark />
      <h1 tabIndex={-1}>{TEXTS.title}</h1>
      {link.kind === 'asking' && <p role="status">{TEXTS.link}</p>}
      {link.kind === 'failed' && (
        <LinkFailed failure={link.failure} onRetry={() => tryLink(link.token)} />
      )}
      {link.kind !== 'asking' && <SignInForm onDone={() => void enter()} />}
    </main>
  )
}

type LinkFailedProps = { readonly failure: Failure; readonly onRetry: () => void }

/** Failure of a link; it can be tried again unless the server has judged it. */
function LinkFailed({ failure: { code, detail }, onRetry }: LinkFailedProps) {
  const isOver = code.startsWith('login_link_')
  return (
    <div class="failure" role="alert">
      <h2>{isOver ? (TEXTS.over[code] ?? TEXTS.refused) : TEXTS.failed}</h2>
      {isOver ? (
        <>
          <p>{TEXTS.another}</p>
          <code>{TEXTS.command}</code>
        </>
      ) : (
        <>
          <p>{detail}</p>
          <Button onClick={onRetry}>{TEXTS.retry}</Button>
        </>
      )}
    </div>
  )
}

/** Address after signing in: only one of the console, so that no link can redirect users away. */
function nextOf(search: string): string {
  const next = new URLSearchParams(search).get('next') ?? '/'
  return /^\/(?:project|cluster)(?:[/?#]|$)/.test(next) ? next : '/'
}
