import t from 'tap'
import { worldSvg } from '../../../scripts/world-map.mjs'

const svg = worldSvg()
const shapes = new Map<string, string>(
  [...svg.matchAll(/<path id="([A-Z]{2})" d="([^"]*)"\/>/g)].map(([, code = '', path = '']) => [
    code,
    path,
  ]),
)

t.test('countries have a shape by their code, small ones a dot', (t) => {
  for (const code of ['DE', 'US', 'GB', 'FR', 'TW', 'XK', 'SS'])
    t.match(shapes.get(code), /l/, code)
  for (const code of ['SG', 'HK', 'MT', 'MC', 'BH']) {
    t.equal(shapes.get(code), `${shapes.get(code)?.split('l')[0]}l3-3 3 3-3 3z`, code)
  }
  t.notOk(shapes.has('AQ'))
  t.equal(shapes.size, svg.match(/<path/g)?.length, 'each once')
  t.ok(shapes.size > 230)
  t.end()
})

t.test('no shape goes over an edge, also those of both sides of the date line', (t) => {
  const [, width = '', height = ''] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? []
  for (const [code, path = ''] of shapes) {
    for (const ring of path.split('z').filter(Boolean)) {
      let [x, y] = [0, 0]
      const numbers = ring.match(/-?\d+/g)?.map(Number) ?? []
      for (let at = 0; at < numbers.length; at += 2) {
        const [right = 0, down = 0] = numbers.slice(at, at + 2)
        x += right
        y += down
        if (at > 0) t.ok(Math.abs(right) < Number(width) / 4, `${code} is not torn`)
        t.ok(x >= 0 && x <= Number(width) && y >= 0 && y <= Number(height), code)
      }
    }
  }
  t.end()
})
