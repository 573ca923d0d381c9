import fc from 'fast-check'
import t from 'tap'
import {
  normalizeUrl,
  parameterTest,
  type UrlRules,
} from '../../../../src/plugins/builtin/url-normalizer.ts'
import { codePoint } from '../../../support/code-points.ts'
import {
  pluginEvent,
  processed,
  processedProperties,
  refusedSettings,
  startBuiltin,
} from '../../../support/plugins/builtins.ts'

const rules = (given: Partial<UrlRules> = {}): UrlRules => ({
  removesSlash: true,
  removesFragment: false,
  removesParameter: () => false,
  ...given,
})

t.test('the same page is written the same way', (t) => {
  for (const [url, same] of [
    ['HTTPS://Example.COM/A/B/', 'https://example.com/A/B'],
    ['https://example.com', 'https://example.com/'],
    ['https://example.com///', 'https://example.com/'],
    ['https://example.com?a=1', 'https://example.com/?a=1'],
    ['https://example.com#Top', 'https://example.com/#Top'],
    ['https://Example.com:443/a', 'https://example.com/a'],
    ['http://Example.com:80/a', 'http://example.com/a'],
    ['http://example.com:443/a', 'http://example.com:443/a'],
    ['https://User:PW@Example.com/', 'https://User:PW@example.com/'],
    ['https://example.com/a/?q=A/#/B/', 'https://example.com/a?q=A/#/B/'],
    ['https://example.com/a?&&b=1&', 'https://example.com/a?b=1'],
    ['https://example.com/%7Euser/ä b', 'https://example.com/%7Euser/ä b'],
    ['/a/b/', '/a/b'],
    ['/', '/'],
  ] as const) {
    t.equal(normalizeUrl(url, rules()), same, url)
  }
  t.end()
})

t.test('a text that is no URL of the web and no path stays', (t) => {
  for (const text of [
    '$direct',
    '',
    'example.com/a/',
    '//Example.com/',
    'ftp://A/',
    'mailto:A@B',
  ]) {
    t.equal(normalizeUrl(text, rules()), text)
  }
  t.end()
})

t.test('parameters go by name, by beginning, or all', (t) => {
  const url = 'https://a.b/?utm_source=x&gclid=1&q=shoes&%67clid=2&utm=1&bad%=1#f'
  const left = (...entries: string[]) =>
    normalizeUrl(url, rules({ removesParameter: parameterTest(entries) }))
  t.equal(left('gclid'), 'https://a.b/?utm_source=x&q=shoes&utm=1&bad%=1#f')
  t.equal(left('utm_*', 'bad%'), 'https://a.b/?gclid=1&q=shoes&%67clid=2&utm=1#f')
  t.equal(left('*'), 'https://a.b/#f')
  t.end()
})

t.test('the slash stays and the fragment goes when asked for', (t) => {
  const asked = rules({ removesSlash: false, removesFragment: true })
  t.equal(normalizeUrl('https://A.b/c/?d=1#e', asked), 'https://a.b/c/?d=1')
  t.end()
})

t.test('it never throws, and a second time changes nothing', (t) => {
  const asked = rules({ removesFragment: true, removesParameter: parameterTest(['a', 'u*']) })
  const urls = fc.oneof(
    fc.string({ unit: codePoint }),
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.string({ unit: codePoint }).map((rest) => `https://${rest}`),
  )
  fc.assert(
    fc.property(urls, (url) => {
      const once = normalizeUrl(url, asked)
      t.equal(normalizeUrl(once, asked), once)
    }),
  )
  t.end()
})

t.test('every property that holds a URL is written so, also of the person', async (t) => {
  const instance = await startBuiltin('url-normalizer', { remove_parameters: 'utm_*, gclid' })
  const event = pluginEvent({
    $current_url: 'https://A.b/c/?utm_source=x',
    $pathname: '/c/',
    $referrer: '$direct',
    other: 'https://A.b/',
    $set_once: { $initial_current_url: 'https://A.b/?gclid=1' },
  })
  await processed(instance, event)
  t.strictSame(event.properties, {
    $current_url: 'https://a.b/c',
    $pathname: '/c',
    $referrer: '$direct',
    other: 'https://A.b/',
    $set_once: { $initial_current_url: 'https://a.b/' },
  })
})

t.test('other properties can be named', async (t) => {
  const instance = await startBuiltin('url-normalizer', { properties: 'link, number' })
  const left = await processedProperties(instance, {
    link: 'http://A/',
    number: 7,
    $pathname: '/a/',
  })
  t.strictSame(left, { link: 'http://a/', number: 7, $pathname: '/a/' })
})

t.test('settings that cannot be used fail the set-up', (t) =>
  refusedSettings(t, 'url-normalizer', [
    [{ trailing_slash: 'add' }, /^The setting "trailing_slash" must be one of remove, keep\.$/],
    [{ fragment: 'yes' }, /"fragment" must be one of/],
    [{ remove_parameters: { utm: 1 } }, /"remove_parameters" must be a list/],
  ]),
)
