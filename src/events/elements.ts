/** Writes the elements that a browser captured with a click as one line of text. */

import { cleanText } from '../core/clean-text.ts'
import { isObject, type JsonDraft, type JsonObject } from '../core/json.ts'
import { plainText } from './clean-event-text.ts'

/**
 * Writes autocaptured elements as one line, innermost first: elements are joined by `;`, each is
 * its tag, `.class` per class in order, `:` and `key="value"` pairs in order of their keys. Empty
 * when `elements` is not a list of objects.
 */
export function elementsChain(elements: unknown): string {
  if (!Array.isArray(elements)) return ''
  const parts: string[] = []
  for (const element of elements) {
    if (!isObject(element)) return ''
    parts.push(elementText(element))
  }
  return parts.join(';')
}

function elementText(element: JsonObject): string {
  let text = scalarText(element['tag_name'])
  for (const name of classesOf(element)) text += `.${name}`
  text += ':'
  for (const [key, value] of attributesOf(element)) {
    text += `${escapeQuotes(key)}="${escapeQuotes(value)}"`
  }
  return text
}

function classesOf(element: JsonObject): string[] {
  const source = element['attr__class'] ?? element['classes']
  const names = Array.isArray(source) ? source.map(scalarText) : scalarText(source).split(/\s+/)
  return names
    .map((name) => name.replaceAll('"', ''))
    .filter((name) => name !== '')
    .sort()
}

function attributesOf(element: JsonObject): [string, string][] {
  const attributes = new Map<string, string>()
  attributes.set('nth-child', scalarText(element['nth_child']) || '0')
  attributes.set('nth-of-type', scalarText(element['nth_of_type']) || '0')
  setWhenGiven(attributes, 'text', element['$el_text'] ?? element['text'])
  setWhenGiven(attributes, 'href', element['attr__href'] ?? element['href'])
  setWhenGiven(attributes, 'attr_id', element['attr__id'])
  for (const key of Object.keys(element)) {
    if (key.startsWith('attr__')) attributes.set(key, attributeText(element[key]))
  }
  return [...attributes].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
}

function setWhenGiven(attributes: Map<string, string>, key: string, value: unknown): void {
  const text = scalarText(value)
  if (text !== '') attributes.set(key, text)
}

function attributeText(value: unknown): string {
  return Array.isArray(value) ? value.map(scalarText).join(' ') : scalarText(value)
}

function scalarText(value: unknown): string {
  return typeof value === 'object' ? '' : plainText(value)
}

function escapeQuotes(text: string): string {
  return text.replaceAll('"', '\\"')
}

/**
 * Moves `$elements` and `$elements_chain` out of the properties. A key set to undefined is left out
 * of the JSON text, while `delete` would turn the object into a slow one.
 */
export function takeElements(properties: JsonDraft): string {
  const chain = properties['$elements_chain']
  const elements = properties['$elements']
  if (chain === undefined && elements === undefined) return ''
  properties['$elements_chain'] = undefined
  properties['$elements'] = undefined
  return cleanText(typeof chain === 'string' && chain !== '' ? chain : elementsChain(elements))
}
