import t from 'tap'
import { namesTag } from '../../../../gateway/http/entity-tag.ts'

t.test('a tag is named by itself, weak or strong, alone or in a list, and by a star', async (t) => {
  for (const header of ['"a"', 'W/"a"', '"b", "a"', ' "b" ,W/"a" ', '*']) {
    t.equal(namesTag(header, '"a"'), true, header)
    t.equal(namesTag(header, 'W/"a"'), true, header)
  }
})

t.test('nothing else names a tag', async (t) => {
  for (const header of [undefined, '', '"ab"', 'a', 'W/a', '"A"', '"b"', '"a', 'w/"a"']) {
    t.equal(namesTag(header, '"a"'), false, String(header))
  }
})
