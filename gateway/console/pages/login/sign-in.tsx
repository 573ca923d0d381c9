import { useState } from 'preact/hooks'
import { failureOf } from '../../data/failure.ts'
import { type Credentials, signIn } from '../../data/session.ts'
import { Button } from '../../kit/button.tsx'
import { Field } from '../../kit/field.tsx'

type SignInProps = { readonly onDone: () => void }

/** Mail and password, or a personal key. */
export function SignInForm({ onDone }: SignInProps) {
  const [way, setWay] = useState<'password' | 'key'>('password')
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const send = async (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    setBusy(true)
    setProblem(undefined)
    try {
      await signIn(credentialsOf(data))
      onDone()
    } catch (error) {
      const { detail, retryAfterS } = failureOf(error)
      setProblem(retryAfterS === undefined ? detail : `${detail} Try again in ${retryAfterS} s.`)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form class="sign-in" onSubmit={send}>
      {way === 'password' ? (
        <>
          <Field label="Email" name="email" type="email" autocomplete="username" required />
          <Field
            label="Password"
            name="password"
            type="password"
            autocomplete="current-password"
            required
          />
        </>
      ) : (
        <Field
          label="Personal API key"
          name="personal_api_key"
          type="password"
          placeholder="phx_…"
          autocomplete="off"
          spellcheck={false}
          required
        />
      )}
      <p class="field-hint">
        First sign-in, or lost your link? Run <code>npx sluice admin login-link</code> on the
        server.
      </p>
      {problem !== undefined && (
        <p class="field-problem" role="alert">
          {problem}
        </p>
      )}
      <Button tone="main" type="submit" busy={isBusy}>
        Sign in
      </Button>
      <Button tone="quiet" onClick={() => setWay(way === 'password' ? 'key' : 'password')}>
        {way === 'password' ? 'Use a personal API key' : 'Use email and password'}
      </Button>
    </form>
  )
}

function credentialsOf(data: FormData): Credentials {
  const text = (name: string) => String(data.get(name) ?? '')
  return data.has('personal_api_key')
    ? { personal_api_key: text('personal_api_key').trim() }
    : { email: text('email').trim(), password: text('password') }
}
