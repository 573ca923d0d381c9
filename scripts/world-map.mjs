// The map of the world that the console shows: an SVG with a shape of each country, named by its code of
// ISO 3166. Shapes are those of Natural Earth, in the equal-earth projection.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const WIDTH = 1000
const HEIGHT = 435
/** Longitude of the middle: the left and the right edge are in the Bering Strait. */
const MIDDLE = 11
/** Latitudes of the edges: the south pole has no visitors. */
const NORTH = 84
const SOUTH = -57
/** Half the width of a country that is too small for a shape. */
const DOT = 3
/** Shapes without a number of ISO 3166: the code that databases of places give. */
const CODES = { Kosovo: 'XK', 'N. Cyprus': 'CY', Somaliland: 'SO' }
const ANTARCTICA = 'AQ'

const load = createRequire(import.meta.url)

/**
 * Module of esbuild: `import MAP from 'world-map.svg'` is the address of the map.
 * @type {import('esbuild').Plugin}
 */
export const worldMap = {
  name: 'world-map',
  setup(build) {
    build.onResolve({ filter: /^world-map\.svg$/ }, ({ path }) => ({ path, namespace: 'map' }))
    build.onLoad({ filter: /.*/, namespace: 'map' }, () => ({
      contents: worldSvg(),
      loader: 'file',
    }))
  },
}

export function worldSvg() {
  const shapes = countriesOf('countries-110m.json')
  const paths = [...countriesOf('countries-50m.json')].map(([code, rings]) => {
    const path = (shapes.get(code) ?? []).map(pathOf).join('') || pathOf(dotOf(rings))
    return `<path id="${code}" d="${path}"/>`
  })
  const members = `xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}"`
  return `<svg ${members}><g id="all">${paths.join('')}</g></svg>`
}

/** Rings of projected points by code of the country. */
function countriesOf(file) {
  const { objects, arcs, transform } = JSON.parse(
    readFileSync(load.resolve(`world-atlas/${file}`), 'utf8'),
  )
  const lines = arcs.map((arc) => lineOf(arc, transform))
  const ringOf = (parts) => parts.flatMap((at) => (at < 0 ? lines[~at].toReversed() : lines[at]))
  const found = new Map()
  for (const { type, id, arcs: own = [], properties } of objects.countries.geometries) {
    const code = CODES[properties.name] ?? (id && codeOf(id))
    if (code === undefined || code === ANTARCTICA) continue
    const rings = (type === 'Polygon' ? own : own.flat()).map((parts) => projected(ringOf(parts)))
    found.set(code, [...(found.get(code) ?? []), ...rings])
  }
  return found
}

/** Locales know countries by number, and spell them by letters. */
function codeOf(id) {
  const [, region = ''] = Intl.getCanonicalLocales(`und-${id}`)[0].split('-')
  return /^[A-Z]{2}$/.test(region) ? region : undefined
}

/** Longitudes and latitudes of an arc, which holds differences of whole numbers. */
function lineOf(arc, { scale: [scaleX, scaleY], translate: [fromX, fromY] }) {
  let [x, y] = [0, 0]
  return arc.map(([right, up]) => {
    x += right
    y += up
    return [x * scaleX + fromX, y * scaleY + fromY]
  })
}

const [LEFT] = equalEarth(-180, 0)
const [, TOP] = equalEarth(0, NORTH)
const [, BOTTOM] = equalEarth(0, SOUTH)

/** Points on the map. A ring over the date line continues beyond it. */
function projected(ring) {
  const turns = ring.map(([longitude]) => Math.round((ring[0][0] - longitude) / 360))
  const whole = ring.map(([longitude, latitude], at) => [longitude + 360 * turns[at], latitude])
  const most = Math.max(...whole.map(([longitude]) => longitude))
  const shift = Math.ceil((MIDDLE - 180 - most) / 360) * 360 - MIDDLE
  return whole.map(([longitude, latitude]) => {
    const [x, y] = equalEarth(longitude + shift, latitude)
    return [
      Math.round((WIDTH * (x - LEFT)) / (-2 * LEFT)),
      Math.round((HEIGHT * (TOP - y)) / (TOP - BOTTOM)),
    ]
  })
}

/** Šavrič, Patterson and Jenny, 2018. */
function equalEarth(longitude, latitude) {
  const angle = Math.asin((Math.sqrt(3) / 2) * Math.sin((latitude * Math.PI) / 180))
  const [a, b, c, d] = [1.340264, -0.081106, 0.000893, 0.003796]
  const [two, six] = [angle ** 2, angle ** 6]
  const stretch = a + 3 * b * two + six * (7 * c + 9 * d * two)
  const x = (2 * Math.sqrt(3) * ((longitude * Math.PI) / 180) * Math.cos(angle)) / (3 * stretch)
  return [x, angle * (a + b * two + six * (c + d * two))]
}

/** A square in the middle of the largest ring. */
function dotOf(rings) {
  const [ring = []] = rings.toSorted((one, other) => other.length - one.length)
  const middle = (of) => (Math.min(...ring.map(of)) + Math.max(...ring.map(of))) / 2
  const [x, y] = [middle(([at]) => at), middle(([, at]) => at)].map(Math.round)
  return [
    [x - DOT, y],
    [x, y - DOT],
    [x + DOT, y],
    [x, y + DOT],
  ]
}

/** Steps from point to point; nothing for what is smaller than a pixel. */
function pathOf(ring) {
  const points = ring.filter(
    ([x, y], at) => at === 0 || x !== ring[at - 1][0] || y !== ring[at - 1][1],
  )
  if (points.length < 4) return ''
  const [first, ...rest] = points
  let [x, y] = first
  const steps = rest.map((to) => {
    const step = [to[0] - x, to[1] - y]
    ;[x, y] = to
    return step.join(' ')
  })
  return `M${first.join(' ')}l${steps.join(' ').replaceAll(' -', '-')}z`
}
