/** Rows of the table of channels, and referrers that are hard to read. */
import t from 'tap'
import { type Arrival, CHANNELS, originOf } from '../../../../src/events/sessions/channel.ts'
import { siteOf } from '../../../../src/events/sessions/referrer.ts'

const ROWS: readonly (readonly [channel: (typeof CHANNELS)[number], arrival: Arrival])[] = [
  ['Paid Search', { referrer: 'google.com', hasGoogleClick: true }],
  ['Paid Search', { hasGoogleClick: true }],
  ['Paid Search', { hasMicrosoftClick: true, referrer: 'bing.com' }],
  ['Paid Search', { medium: 'cpc', source: 'google', referrer: '$direct' }],
  ['Paid Search', { medium: 'PPC', source: 'Bing' }],
  ['Paid Search', { medium: 'paid', referrer: 'https://www.google.co.uk/' }],
  ['Paid Search', { medium: 'paidsearch', source: 'unheard-of' }],
  ['Paid Social', { medium: 'cpc', source: 'facebook' }],
  ['Paid Social', { medium: 'paid_social', source: 'agency' }],
  ['Paid Social', { medium: 'cpm', source: 'ig' }],
  ['Paid Social', { medium: 'cpc', hasFacebookClick: true }],
  ['Paid Video', { medium: 'cpc', source: 'youtube' }],
  ['Paid Video', { medium: 'paid-video', source: 'agency' }],
  ['Paid Shopping', { medium: 'cpc', source: 'amazon' }],
  ['Paid Shopping', { medium: 'cpc', referrer: 'shopping.google.com' }],
  ['Display', { medium: 'display', source: 'agency' }],
  ['Display', { medium: 'banner' }],
  ['Display', { medium: 'cpm', source: 'agency' }],
  ['Affiliate', { medium: 'affiliate', source: 'blogger' }],
  ['Email', { medium: 'email', source: 'march' }],
  ['Email', { medium: 'E-Mail', referrer: '$direct' }],
  ['Email', { source: 'newsletter', referrer: '$direct' }],
  ['Email', { referrer: 'https://mail.google.com/' }],
  ['Email', { referrer: 'android-app://com.google.android.gm/' }],
  ['SMS', { medium: 'sms' }],
  ['Push', { medium: 'webpush' }],
  ['Push', { source: 'firebase' }],
  ['Organic Search', { referrer: 'www.google.de' }],
  ['Organic Search', { referrer: 'duckduckgo.com' }],
  ['Organic Search', { referrer: 'android-app://com.google.android.googlequicksearchbox/' }],
  ['Organic Search', { medium: 'organic', source: 'unheard-of' }],
  ['Organic Social', { referrer: 'l.facebook.com' }],
  ['Organic Social', { referrer: 'https://t.co/abc' }],
  ['Organic Social', { referrer: '$direct', hasFacebookClick: true }],
  ['Organic Social', { medium: 'social', source: 'agency' }],
  ['Organic Social', { referrer: 'news.ycombinator.com' }],
  ['Organic Video', { referrer: 'm.youtube.com' }],
  ['Organic Shopping', { referrer: 'amazon.co.jp' }],
  ['AI', { referrer: 'chatgpt.com' }],
  ['AI', { referrer: 'gemini.google.com' }],
  ['AI', { source: 'chatgpt.com', referrer: '$direct' }],
  ['AI', { referrer: 'https://www.perplexity.ai/search?q=1' }],
  ['Referral', { referrer: 'a.partner.example.org' }],
  ['Referral', { referrer: 'https://xn--mnchen-3ya.de/x' }],
  ['Referral', { medium: 'referral', source: 'agency', referrer: '$direct' }],
  ['Referral', { referrer: '203.0.113.9' }],
  ['Direct', { referrer: '$direct' }],
  ['Direct', { referrer: '' }],
  ['Direct', { referrer: 'shop.example.com', host: 'www.example.com' }],
  ['Direct', { referrer: 'http://localhost:3000/', host: 'localhost:3000' }],
  ['Direct', { referrer: '$direct', source: 'direct' }],
  ['Unknown', {}],
  ['Unknown', { referrer: '$direct', source: 'agency' }],
  ['Unknown', { medium: 'cpc', source: 'agency' }],
  ['Unknown', { referrer: 'data:text/html,hello' }],
  ['Unknown', { referrer: 'javascript:alert(1)' }],
  ['Unknown', { referrer: 'about:blank' }],
  ['Unknown', { referrer: 'no address' }],
  // A parameter that is there twice: its first text counts.
  ['Paid Search', { medium: '["cpc", "email"]', source: '["google", "x"]' }],
  ['Email', { medium: '[1, null, "email"]' }],
  ['Unknown', { medium: '[not a list', referrer: '$direct' }],
  ['Email', { medium: '[" ", "email"]' }],
  ['Direct', { medium: ' ', source: ' ', referrer: '$direct' }],
]

t.test('a parameter of nothing but spaces is none', (t) => {
  t.equal(originOf({ source: '  ', referrer: 'news.example' }).source, 'news.example')
  t.equal(originOf({ source: '[" ", "paper"]', referrer: '$direct' }).source, 'paper')
  t.end()
})

t.test('an arrival has the channel of its row', (t) => {
  for (const [channel, arrival] of ROWS) {
    t.equal(originOf(arrival).channel, channel, JSON.stringify(arrival))
  }
  const missing = CHANNELS.filter((each) => !ROWS.some(([channel]) => channel === each))
  t.strictSame(missing, [], 'each channel has a row')
  t.end()
})

t.test('referrers are grouped by their registrable domain', (t) => {
  const domains = {
    'www.example.com': 'example.com',
    'https://News.Example.co.uk/a?b=c': 'example.co.uk',
    'l.facebook.com': 'facebook.com',
    'one.github.io': 'one.github.io',
    'example.com:8080': 'example.com',
    '//example.com/a': 'example.com',
    'xn--mnchen-3ya.de': 'münchen.de',
    'münchen.de': 'münchen.de',
    '203.0.113.9': '203.0.113.9',
    localhost: 'localhost',
    'android-app://com.slack/': 'com.slack',
  }
  for (const [text, domain] of Object.entries(domains)) t.equal(siteOf(text)?.domain, domain, text)
  for (const text of [
    '',
    ' ',
    'word',
    'data:,x',
    'javascript:1',
    'http://',
    'a b.com',
    '%',
    '\0',
  ]) {
    t.equal(siteOf(text), undefined, JSON.stringify(text))
  }
  t.end()
})

t.test('the source is utm_source, then the referrer', (t) => {
  t.equal(originOf({ source: 'march', referrer: 'google.com' }).source, 'march')
  t.equal(originOf({ referrer: 'www.google.com' }).source, 'google.com')
  t.equal(originOf({ referrer: 'a.example.com', host: 'example.com' }).source, '$direct')
  t.equal(originOf({}).source, undefined)
  t.end()
})
