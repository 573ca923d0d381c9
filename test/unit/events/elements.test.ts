import fc from 'fast-check'
import t from 'tap'
import { elementsChain } from '../../../src/events/elements.ts'

t.test('broken elements make no chain', async (t) => {
  for (const elements of [undefined, null, 'a', {}, 5, [], [1], [{ tag_name: 'a' }, null]]) {
    t.equal(elementsChain(elements), '')
  }
})

t.test('an elements chain holds tags, classes and attributes in order', async (t) => {
  const rows: [unknown[], string][] = [
    [[{ tag_name: 'a' }], 'a:nth-child="0"nth-of-type="0"'],
    [
      [
        {
          tag_name: 'a',
          $el_text: 'Say "hi"',
          attr__class: 'btn  btn-"x" active',
          attr__href: '/b?c=1',
          attr__id: 'go',
          'attr__data-n': 5,
          nth_child: 2,
          nth_of_type: 1,
        },
        { tag_name: 'div', classes: ['z', 'a'], text: 't', href: 'h' },
      ],
      [
        'a.active.btn.btn-x:attr__class="btn  btn-\\"x\\" active"',
        'attr__data-n="5"attr__href="/b?c=1"',
        'attr__id="go"attr_id="go"href="/b?c=1"nth-child="2"nth-of-type="1"text="Say \\"hi\\""',
        ';div.a.z:href="h"nth-child="0"nth-of-type="0"text="t"',
      ].join(''),
    ],
    [
      [{ tag_name: 5, attr__class: ['b', 'a', 1], attr__x: null, nth_child: {} }],
      '5.1.a.b:attr__class="b a 1"attr__x=""nth-child="0"nth-of-type="0"',
    ],
  ]
  for (const [elements, chain] of rows) t.equal(elementsChain(elements), chain)
  fc.assert(fc.property(fc.jsonValue(), (json) => typeof elementsChain([json, json]) === 'string'))
})
