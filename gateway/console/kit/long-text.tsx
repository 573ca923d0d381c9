import { useState } from 'preact/hooks'
import { cut, formatNumber } from '../data/format.ts'
import { Button } from './button.tsx'

const SHOWN = 1_000
const GROWTH = 20

/** A text that may have a megabyte: its beginning, and more of it on demand. */
export function LongText({ text }: { readonly text: string }) {
  const [shown, setShown] = useState(SHOWN)
  if (text.length <= shown) return <>{text}</>
  return (
    <>
      {cut(text, shown)}{' '}
      <Button tone="quiet" onClick={() => setShown(shown * GROWTH)}>
        Show more of {formatNumber(text.length)} characters
      </Button>
    </>
  )
}
