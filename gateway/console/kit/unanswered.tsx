import { isAnswered, type Unanswered } from '../data/questions.ts'
import { Button } from './button.tsx'

type UnansweredNoteProps = {
  readonly answers: readonly (object | Unanswered)[]
  /** Asks all of them again. */
  readonly onRetry: () => void
}

/** A note about parts of a page that have no answer; nothing where all have one. */
export function UnansweredNote({ answers, onRetry }: UnansweredNoteProps) {
  const failed = answers.find((answer): answer is Unanswered => !isAnswered(answer))
  return failed === undefined ? null : (
    <div class="failure" role="alert">
      <p>{failed.error.detail}</p>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  )
}
