/** Elements of SVG as text. Every text and value that comes from outside is escaped here. */

/** Markup, as opposed to a text that must be escaped. */
export type Markup = string & { readonly isMarkup: true }

type Value = string | number | undefined

/** An element; undefined attributes are left out, numbers have two digits behind the point. */
export function element(
  name: string,
  attributes: Readonly<Record<string, Value>>,
  children: readonly Markup[] = [],
): Markup {
  const given = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${valueText(value)}"`)
    .join('')
  const inside = children.join('')
  return markup(inside === '' ? `<${name}${given}/>` : `<${name}${given}>${inside}</${name}>`)
}

function valueText(value: Value): string {
  return typeof value === 'number' ? String(Math.round(value * 100) / 100) : escaped(value ?? '')
}

export type TextStyle = {
  readonly x: number
  /** The base line. */
  readonly y: number
  readonly size: number
  readonly fill: string
  readonly anchor?: 'start' | 'middle' | 'end'
  readonly isBold?: boolean
}

/** A line of text, whatever it says. */
export function textLine(content: string, style: TextStyle): Markup {
  const { x, y, size, fill, anchor, isBold = false } = style
  return element(
    'text',
    {
      x,
      y,
      'font-size': size,
      fill,
      'text-anchor': anchor === 'start' ? undefined : anchor,
      'font-weight': isBold ? 'bold' : undefined,
    },
    [escaped(content)],
  )
}

/** Characters that no XML may hold, halves of surrogate pairs included. */
const ILLEGAL =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

export function escaped(text: string): Markup {
  const legal = text.replace(ILLEGAL, '\ufffd').replace(/[\t\r\n]+/g, ' ')
  return markup(legal.replace(/[&<>"]/g, (each) => ENTITIES[each] ?? each))
}

export function group(children: readonly Markup[], attributes: Record<string, Value> = {}): Markup {
  return element('g', attributes, children)
}

/** The one place that makes markup of a text: what it holds was escaped above. */
function markup(text: string): Markup {
  return text as Markup
}
