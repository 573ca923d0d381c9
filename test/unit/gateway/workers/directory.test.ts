import t from 'tap'
import { createDirectory } from '../../../../gateway/workers/directory.ts'
import { createGenerations } from '../../../../gateway/workers/generations.ts'
import { shardId } from '../../../../src/core/ids.ts'

const [S0, S5, S255] = [shardId(0), shardId(5), shardId(255)]

t.test('the later of two claims is believed, a repeated one is no change', async (t) => {
  const directory = createDirectory()
  t.equal(directory.ownerOf(S5), undefined)
  directory.tell('a', new Set([S0, S5]))
  directory.tell('b', new Set([S5, S255]))
  t.equal(directory.ownerOf(S5), 'b')
  directory.tell('a', new Set([S5]))
  t.equal(directory.ownerOf(S5), 'b', 'it said so before')
  t.equal(directory.ownerOf(S0), undefined, 'given back')
  t.equal(directory.ownerOf(S255), 'b')
  directory.tell('a', new Set())
  directory.tell('a', new Set([S5]))
  t.equal(directory.ownerOf(S5), 'a', 'claimed anew')
})

t.test('when the one believed lets go, the other claim holds', async (t) => {
  const directory = createDirectory()
  directory.tell('a', new Set([S5]))
  directory.tell('b', new Set([S5]))
  directory.tell('b', new Set())
  t.equal(directory.ownerOf(S5), 'a')
})

t.test('a member that is forgotten owns nothing, and others keep theirs', async (t) => {
  const directory = createDirectory()
  directory.tell('a', new Set([S0, S5]))
  directory.tell('b', new Set([S5]))
  directory.forget('a')
  t.equal(directory.ownerOf(S0), undefined)
  t.equal(directory.ownerOf(S5), 'b')
  directory.forget('b')
  directory.forget('never there')
  t.equal(directory.ownerOf(S5), undefined)
})

t.test('while one generation is unknown there is no name', async (t) => {
  const generations = createGenerations()
  t.equal(generations.name(), '', 'nobody is there')
  generations.join('a')
  generations.join('b')
  generations.tell('a', 'a.0')
  generations.tell('b', '')
  t.equal(generations.name(), '')
  generations.tell('b', 'b.0')
  t.match(generations.name(), /^[\w-]{16}$/)
  generations.join('c')
  t.equal(generations.name(), '')
})

t.test('the name follows members and generations, not the order of words', async (t) => {
  const named = (...words: readonly (readonly [string, string])[]) => {
    const generations = createGenerations()
    for (const [id] of words) generations.join(id)
    for (const [id, generation] of words) generations.tell(id, generation)
    return generations
  }
  const first = named(['a', 'a.0'], ['b', 'b.3'])
  t.equal(first.name(), named(['b', 'b.3'], ['a', 'a.0']).name())
  t.not(first.name(), named(['a', 'a.0'], ['b', 'b.4']).name())
  t.not(first.name(), named(['a', 'a.0']).name())
  const before = first.name()
  first.tell('b', 'b.2')
  t.equal(first.name(), before, 'an older word')
  first.tell('left', 'left.9')
  t.equal(first.name(), before, 'not of the view')
  first.tell('b', 'b.10')
  t.not(first.name(), before, 'counts are numbers')
  first.leave('b')
  t.equal(first.name(), named(['a', 'a.0']).name())
})
