import type { Json } from '../../../client/index.ts'
import { formatNumber } from '../../data/format.ts'
import { isRecord, type JsonRecord, parsedJson } from '../../data/json.ts'
import { Button } from '../../kit/button.tsx'
import { Field } from '../../kit/field.tsx'
import {
  evenly,
  type Variant,
  variantsOf,
  withPayload,
  withVariant,
  withVariants,
} from './model.ts'
import { FLAG_TEXTS as TEXTS } from './texts.ts'

type SplitProps = {
  readonly filters: Json
  readonly onChange: (filters: JsonRecord) => void
}

/** The values that the flag has where it is on: true, or variants by their shares. */
export function Split({ filters, onChange }: SplitProps) {
  const variants = variantsOf(filters)
  const sum = variants.reduce((total, { share }) => total + share, 0)
  const isWhole = variants.length === 0 || Math.abs(sum - 100) < 0.001
  const next = `variant-${variants.length + 1}`
  const edit = (all: readonly Variant[]) => onChange(withVariants(filters, all))
  return (
    <section class="flag-values" aria-labelledby="flag-values">
      <h2 id="flag-values">{TEXTS.values}</h2>
      <p class="flag-note">{variants.length === 0 ? TEXTS.boolean : TEXTS.split}</p>
      <ul class="flag-split">
        {variants.map((variant, at) => (
          <li key={at}>
            <VariantFields
              variant={variant}
              number={at + 1}
              onChange={(changed) => edit(variants.toSpliced(at, 1, changed))}
            />
            <PayloadField filters={filters} outcome={variant.key} onChange={onChange} />
            <Button
              tone="quiet"
              icon="close"
              aria-label={`${TEXTS.remove} ${variant.key}`}
              onClick={() => edit(variants.toSpliced(at, 1))}
            />
          </li>
        ))}
      </ul>
      {variants.length === 0 && (
        <PayloadField filters={filters} outcome="true" onChange={onChange} />
      )}
      {variants.length > 0 && (
        <p class={isWhole ? 'flag-note' : 'flag-warning'} role="status">
          {isWhole ? TEXTS.whole : TEXTS.notWhole(formatNumber(sum))}
        </p>
      )}
      <div class="flag-split-actions">
        <Button icon="plus" onClick={() => edit(withVariant(variants, next))}>
          {TEXTS.addVariant}
        </Button>
        {variants.length > 1 && (
          <Button tone="quiet" onClick={() => edit(evenly(variants))}>
            {TEXTS.evenly}
          </Button>
        )}
      </div>
    </section>
  )
}

type VariantProps = {
  readonly variant: Variant
  readonly number: number
  readonly onChange: (variant: Variant) => void
}

function VariantFields({ variant, number, onChange }: VariantProps) {
  return (
    <>
      <Field
        label={`${TEXTS.variant} ${number}`}
        value={variant.key}
        autocomplete="off"
        onInput={(event) => onChange({ ...variant, key: event.currentTarget.value })}
      />
      <Field
        label={TEXTS.share}
        type="number"
        min={0}
        max={100}
        step="any"
        value={variant.share}
        onInput={(event) => {
          const share = event.currentTarget.valueAsNumber
          if (share >= 0 && share <= 100) onChange({ ...variant, share })
        }}
      />
    </>
  )
}

type PayloadProps = SplitProps & { readonly outcome: string }

function PayloadField({ filters, outcome, onChange }: PayloadProps) {
  const payloads = isRecord(filters) && isRecord(filters['payloads']) ? filters['payloads'] : {}
  const payload = payloads[outcome]
  const text = typeof payload === 'string' ? payload : payload ? JSON.stringify(payload) : ''
  // The mask of a secret payload is JSON too; sending it back keeps the stored value.
  const isFine = text === '' || parsedJson(text) !== undefined
  return (
    <Field
      label={TEXTS.payload}
      value={text}
      autocomplete="off"
      placeholder="JSON"
      problem={isFine ? undefined : TEXTS.noJson}
      onInput={(event) => onChange(withPayload(filters, outcome, event.currentTarget.value))}
    />
  )
}
