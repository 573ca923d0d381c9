import { isAnswered } from '../../data/questions.ts'
import { Time } from '../../kit/time.tsx'
import { SHARED_TEXTS as TEXTS } from './texts.ts'

/** Age of the oldest answer, below all of them. */
export function SharedFoot({ answers = [] }: { readonly answers: readonly object[] | undefined }) {
  const times = answers.flatMap((each) => (isAnswered(each) ? [each.last_refresh ?? ''] : []))
  const [oldest = ''] = times.filter(Boolean).sort()
  return (
    <footer class="shared-foot">
      {oldest !== '' && (
        <span>
          {TEXTS.asOf} <Time value={oldest} as="ago" />
        </span>
      )}
      <span>{TEXTS.by}</span>
    </footer>
  )
}
