import type { FeatureFlag } from '../../../client/index.ts'
import { Button } from '../../kit/button.tsx'
import type { Draft } from './draft.ts'
import { setsOf, textOf } from './model.ts'
import { type Names, setText } from './sentence.ts'
import { FLAG_TEXTS as TEXTS } from './texts.ts'

type ConflictProps = {
  readonly base: FeatureFlag
  readonly theirs: FeatureFlag
  readonly draft: Draft
  readonly names: Names
  readonly onMine: () => void
  readonly onTheirs: () => void
}

/** Compares the base of the draft, the version stored meanwhile, and the draft. */
export function Conflict({ base, theirs, draft, names, onMine, onTheirs }: ConflictProps) {
  const sides = [
    { title: `${TEXTS.was} (version ${base.version})`, side: base },
    { title: `${TEXTS.theirs} (version ${theirs.version})`, side: theirs },
    { title: TEXTS.yours, side: draft },
  ]
  return (
    <>
      <p>{TEXTS.conflictText}</p>
      <div class="flag-sides">
        {sides.map(({ title, side }) => (
          <section key={title}>
            <h3>{title}</h3>
            {side.name !== '' && <p>{textOf(side.name)}</p>}
            <ol>
              {setsOf(side.filters).map((set, at) => (
                <li key={at}>
                  {at + 1}. {setText(side.filters, set, names)}
                </li>
              ))}
            </ol>
          </section>
        ))}
      </div>
      <div class="flag-actions">
        <Button onClick={onTheirs}>{TEXTS.takeTheirs}</Button>
        <Button tone="main" onClick={onMine}>
          {TEXTS.keepMine}
        </Button>
      </div>
    </>
  )
}
