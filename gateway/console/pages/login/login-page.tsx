import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { failureOf } from '../../data/failure.ts'
import { loadProjects } from '../../data/projects.ts'
import { signIn } from '../../data/session.ts'
import { loginToken } from '../../shell/login-token.ts'
import { SignInForm } from '../../shell/sign-in.tsx'
import { LOGIN_TEXTS as TEXTS } from './texts.ts'

type LinkState = 'none' | 'asking' | { readonly refused: string }

export default function LoginPage() {
  const [, navigate] = useLocation()
  const [link, setLink] = useState<LinkState>('none')
  const enter = async () => {
    await loadProjects()
    navigate(nextOf(location.search), { replace: true })
  }
  // A link is tried once.
  useEffect(() => {
    const token = loginToken()
    if (token === undefined) return
    setLink('asking')
    signIn({ login_token: token }).then(enter, (error: unknown) =>
      setLink({ refused: failureOf(error).detail }),
    )
  }, [])
  return (
    <main class="alone">
      <span class="nav-mark" aria-hidden="true" />
      <h1 tabIndex={-1}>{TEXTS.title}</h1>
      {link === 'asking' && <p role="status">{TEXTS.link}</p>}
      {typeof link === 'object' && <LinkRefused detail={link.refused} />}
      {link !== 'asking' && <SignInForm onDone={() => void enter()} />}
    </main>
  )
}

function LinkRefused({ detail }: { readonly detail: string }) {
  return (
    <div class="failure" role="alert">
      <h2>{TEXTS.used}</h2>
      <p>{detail}</p>
      <p>{TEXTS.another}</p>
      <code>{TEXTS.command}</code>
    </div>
  )
}

/** Only an address of the console, so that no link leads a user elsewhere after signing in. */
function nextOf(search: string): string {
  const next = new URLSearchParams(search).get('next') ?? '/'
  return /^\/(?:project|cluster)(?:[/?#]|$)/.test(next) ? next : '/'
}
