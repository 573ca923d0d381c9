import t, { type Test } from 'tap'
import { type CardOf, createSharedPages } from '../../../../gateway/console-server/shared-pages.ts'
import { AppError } from '../../../../src/core/code.ts'
import { requestOf } from '../../../support/http/rest.ts'

const TOKEN = 'a'.repeat(43)
const HTML = '<head><script nonce="{{nonce}}"></script></head><body></body>'
const HOSTILE = `"><script>alert('$& &amp;')</script>`
const SITE = () => 'https://sluice.example.com'
const CARD = { title: 'Shop', description: '', has_password: false, embed_origins: [] }

/** The page of a path, as text with its headers. */
async function open(t: Test, path: string, card: CardOf, verb = 'GET') {
  const pages = createSharedPages(card, SITE, t.testdir({ 'index.html': HTML }))
  const reply = await pages(requestOf(verb, path, { anonymous: true }))
  const headers = new Map(reply?.headers ?? [])
  const policy = headers.get('content-security-policy') ?? ''
  const frames = /frame-ancestors ([^;]*);/.exec(policy)?.[1]
  return { status: reply?.status, text: String(reply?.body), headers, frames }
}

t.test('the page of a link has its card, and nobody frames it', async (t) => {
  const asked: string[] = []
  const page = await open(t, `/shared/${TOKEN}`, async (token) => {
    asked.push(token)
    return { ...CARD, description: 'Numbers', embed_origins: ['https://a.example.com'] }
  })
  t.same(asked, [TOKEN])
  t.equal(page.status, 200)
  t.equal(page.frames, "'none'")
  t.match(page.text, '<meta property="og:title" content="Shop">')
  t.match(page.text, '<meta property="og:description" content="Numbers">')
  t.notMatch(page.text, /og:image|twitter/)
  t.equal(page.headers.get('x-robots-tag'), 'noindex')
  t.equal(page.headers.get('cross-origin-resource-policy'), 'same-origin')
})

t.test('a card with a picture names its whole address', async (t) => {
  const drawn = async () => ({ ...CARD, has_picture: true })
  const { text } = await open(t, `/shared/${TOKEN}`, drawn)
  const address = `https://sluice.example.com/shared/${TOKEN}/card.png`
  t.match(text, `<meta property="og:image" content="${address}">`)
  t.match(text, '<meta property="og:image:width" content="1200">')
  t.match(text, '<meta name="twitter:card" content="summary_large_image">')
})

t.test('texts of a card are escaped', async (t) => {
  const { text } = await open(t, `/shared/${TOKEN}`, async () => ({ ...CARD, title: HOSTILE }))
  const content = /og:title" content="([^"]*)"/.exec(text)?.[1]
  t.equal(content, '&#34;&#62;&#60;script&#62;alert(&#39;$&#38; &#38;amp;&#39;)&#60;/script&#62;')
  t.equal(text.match(/<script/g)?.length, 1)
})

t.test('an embedded page is framed by the origins of its project alone', async (t) => {
  const origins = ['https://a.example.com', 'http://localhost:3000']
  const page = await open(t, `/embedded/${TOKEN}/`, async () => ({
    ...CARD,
    embed_origins: origins,
  }))
  t.equal(page.frames, origins.join(' '))
  t.notMatch(page.text, 'og:')
  t.equal(page.headers.get('cross-origin-resource-policy'), 'cross-origin')
  t.equal((await open(t, `/embedded/${TOKEN}`, async () => CARD)).frames, "'none'")
})

t.test('a link with a password has no card', async (t) => {
  const locked = async () => ({ ...CARD, title: '', has_password: true, has_picture: true })
  const { status, text } = await open(t, `/shared/${TOKEN}`, locked)
  t.equal(status, 200)
  t.notMatch(text, /og:|twitter/)
})

t.test('a token that opens nothing is 404, and a worker that is away is not', async (t) => {
  const fail = (code: 'not_found' | 'unavailable') => async () => {
    throw new AppError(code, 'test')
  }
  for (const path of [`/shared/${TOKEN}`, `/embedded/${TOKEN}`]) {
    const gone = await open(t, path, fail('not_found'))
    t.equal(gone.status, 404)
    t.equal(gone.frames, "'none'")
    t.notMatch(gone.text, 'og:')
    t.equal((await open(t, path, fail('unavailable'))).status, 200)
  }
})

t.test('other paths are not of links, and other methods are refused', async (t) => {
  const pages = createSharedPages(async () => CARD, SITE, t.testdir({ 'index.html': HTML }))
  for (const path of [
    '/shared/',
    '/shared',
    '/shared/a/b',
    '/sharedx/a',
    '/shared/a%2fb',
    '/shared/a/card.png',
  ]) {
    t.equal(pages(requestOf('GET', path, { anonymous: true })), undefined, path)
  }
  t.equal((await open(t, `/shared/${TOKEN}`, async () => CARD, 'POST')).status, 405)
})
