import { sessionState } from '../data/session.ts'
import { Dialog } from '../kit/dialog.tsx'
import { SignInForm } from '../pages/login/sign-in.tsx'

/** Asks to sign in again over the page, which keeps its unsaved work. */
export function SignInAgain() {
  return (
    <Dialog title="Sign in again" onClose={giveUp}>
      <p>Your session has ended. Unsaved changes are kept until you have signed in.</p>
      <SignInForm onDone={() => undefined} />
    </Dialog>
  )
}

function giveUp(): void {
  sessionState.value = { kind: 'none' }
}
