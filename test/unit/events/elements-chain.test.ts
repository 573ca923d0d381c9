import fc from 'fast-check'
import t from 'tap'
import { elementsChain } from '../../../src/events/elements.ts'
import { elementsJson, parseElementsChain } from '../../../src/events/elements-chain.ts'

t.test('text that is no chain gives what can be read of it', async (t) => {
  t.equal(elementsJson(''), '[]')
  t.same(parseElementsChain(';;'), [])
  t.match(parseElementsChain('div'), [{ tag_name: 'div', attr_class: null, attributes: {} }])
  t.match(parseElementsChain('a:href="never closed'), [{ href: 'never closed' }])
  t.match(parseElementsChain(':="'), [{ tag_name: null, attributes: { '': '' } }])
})

t.test('elements are read innermost first', async (t) => {
  const chain =
    'a.md:flex.btn:attr__class="md:flex btn"attr_id="go"href="/x;y"nth-child="2"' +
    'nth-of-type="0"text="Say \\"hi\\"; now";body:nth-child="1"nth-of-type="1"'
  t.same(parseElementsChain(chain), [
    {
      text: 'Say "hi"; now',
      tag_name: 'a',
      attr_class: ['md:flex', 'btn'],
      href: '/x;y',
      attr_id: 'go',
      nth_child: 2,
      nth_of_type: 0,
      attributes: { attr__class: 'md:flex btn' },
      order: 0,
    },
    {
      text: null,
      tag_name: 'body',
      attr_class: null,
      href: null,
      attr_id: null,
      nth_child: 1,
      nth_of_type: 1,
      attributes: {},
      order: 1,
    },
  ])
})

t.test('a chain of any size is read in linear time, up to a bound of elements', async (t) => {
  t.equal(parseElementsChain('a;'.repeat(50_000)).length, 1_000)
  t.equal(parseElementsChain('"'.repeat(100_000)).length, 1)
  t.equal(parseElementsChain('="'.repeat(50_000)).length, 1)
})

t.test('a chain written by ingestion is read back', async (t) => {
  const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/)
  const text = fc.string({ maxLength: 12 }).filter((each) => !each.includes('\\'))
  const element = fc.record({
    tag_name: word,
    $el_text: text,
    attr__href: text,
    nth_child: fc.nat(99),
  })
  fc.assert(
    fc.property(fc.array(element, { minLength: 1, maxLength: 5 }), (elements) => {
      const read = parseElementsChain(elementsChain(elements))
      t.equal(read.length, elements.length)
      return elements.every((each, index) => {
        const got = read[index]
        return (
          got?.tag_name === each.tag_name &&
          (got.text ?? '') === each.$el_text &&
          (got.href ?? '') === each.attr__href &&
          got.nth_child === each.nth_child
        )
      })
    }),
  )
})
