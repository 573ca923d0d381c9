/** Sites that visitors arrive from, by their kind. */

export type SiteKind = 'search' | 'social' | 'video' | 'shopping' | 'assistant' | 'mail'

/** Domains of sites. `google.*` is the name before any public suffix. */
const DOMAINS: Readonly<Record<SiteKind, string>> = {
  search: `google.* bing.com yahoo.* search.yahoo.com duckduckgo.com ecosia.org qwant.com
    startpage.com yandex.* ya.ru baidu.com naver.com daum.net seznam.cz sogou.com so.com
    search.brave.com brave.com mojeek.com swisscows.com metager.de metager.org presearch.com
    kagi.com dogpile.com ask.com aol.com excite.com lycos.com petalsearch.com coccoc.com
    rambler.ru search.aol.com gibiru.com onesearch.com cliqz.com sapo.pt virgilio.it
    com.google.android.googlequicksearchbox`,
  social: `facebook.com fb.com fb.me messenger.com instagram.com threads.net threads.com
    twitter.com t.co x.com linkedin.com lnkd.in reddit.com pinterest.* tumblr.com
    snapchat.com vk.com vk.ru ok.ru weibo.com weibo.cn douban.com quora.com
    news.ycombinator.com ycombinator.com lobste.rs mastodon.social mastodon.online fosstodon.org
    bsky.app bsky.social telegram.org telegram.me t.me whatsapp.com wa.me discord.com discord.gg
    slack.com line.me kakao.com xing.com nextdoor.com meetup.com medium.com substack.com
    stackoverflow.com stackexchange.com producthunt.com disqus.com livejournal.com hatena.ne.jp
    flipboard.com getpocket.com skool.com wechat.com weixin.qq.com zhihu.com xiaohongshu.com
    com.facebook.katana com.instagram.android com.twitter.android com.linkedin.android
    com.reddit.frontpage com.pinterest org.telegram.messenger com.slack com.whatsapp`,
  video: `youtube.com youtu.be vimeo.com twitch.tv tiktok.com dailymotion.com netflix.com
    hulu.com disneyplus.com wistia.com loom.com rumble.com odysee.com bilibili.com youku.com
    iqiyi.com niconico.jp nicovideo.jp veoh.com kick.com rutube.ru com.google.android.youtube
    com.zhiliaoapp.musically`,
  shopping: `amazon.* ebay.* etsy.com aliexpress.* alibaba.com walmart.com target.com bestbuy.com
    shopping.google.com shopping.yahoo.com shopify.com shop.app rakuten.* mercadolibre.*
    mercadolivre.com.br zalando.* otto.de idealo.* geizhals.* kaufland.de allegro.pl bol.com
    cdiscount.com flipkart.com taobao.com tmall.com jd.com shopee.* lazada.* temu.com shein.com
    wayfair.com pricerunner.* kelkoo.* shopzilla.com`,
  assistant: `chatgpt.com chat.openai.com openai.com perplexity.ai claude.ai gemini.google.com
    bard.google.com copilot.microsoft.com copilot.com deepseek.com grok.com x.ai mistral.ai
    chat.mistral.ai meta.ai poe.com phind.com you.com character.ai pi.ai huggingface.co
    notebooklm.google.com aistudio.google.com doubao.com kimi.com moonshot.cn qwen.ai
    tongyi.aliyun.com iask.ai komo.ai andisearch.com duck.ai com.openai.chatgpt
    ai.perplexity.app.android`,
  mail: `mail.google.com inbox.google.com mail.yahoo.com outlook.live.com outlook.office.com
    outlook.office365.com mail.aol.com mail.proton.me mail.protonmail.com proton.me
    mail.zoho.com fastmail.com gmx.net gmx.de web.de icloud.com mail.ru mail.yandex.ru
    mail.qq.com hey.com tuta.com com.google.android.gm com.microsoft.office.outlook`,
}

/** Short names in `utm_source`, beside the names of the domains that have at least four letters. */
const NAMES: Readonly<Record<SiteKind, string>> = {
  search: 'google-ads google_ads googleads adwords aol ask msn bing-ads bing_ads microsoft',
  social: 'fb ig x vk meta facebook-ads facebook_ads facebookads instagram-ads li hn hackernews',
  video: 'yt tt twitch',
  shopping: 'google-shopping google_shopping googleshopping',
  assistant: 'chatgpt openai perplexity claude gemini copilot grok',
  mail: 'email e-mail e_mail mail newsletter mailchimp klaviyo sendgrid mailjet hubspot-email',
}

const NAME_LETTERS_MIN = 4
const KINDS = ['assistant', 'mail', 'shopping', 'video', 'social', 'search'] as const

const byDomain = new Map<string, SiteKind>()
const byName = new Map<string, SiteKind>()
for (const kind of KINDS) {
  for (const domain of DOMAINS[kind].split(/\s+/)) {
    byDomain.set(domain, kind)
    const [name = '', ...rest] = domain.split('.')
    const isSite = rest.length === 1
    if (isSite && name.length >= NAME_LETTERS_MIN && !byName.has(name)) byName.set(name, kind)
  }
}
for (const kind of KINDS) for (const name of NAMES[kind].split(' ')) byName.set(name, kind)

/**
 * Kind of the site with a host. The longest known domain counts: `mail.google.com` is mail.
 * @param site the host's registrable domain, and `name` that without its public suffix.
 */
export function kindOfHost(host: string, site: string, name: string): SiteKind | undefined {
  for (let rest = host; rest.length >= site.length; rest = rest.slice(rest.indexOf('.') + 1)) {
    const kind = byDomain.get(rest)
    if (kind !== undefined) return kind
    if (!rest.includes('.')) break
  }
  return byDomain.get(`${name}.*`)
}

/** Kind of the site that a name in `utm_source` stands for, such as `google`. */
export function kindOfName(name: string): SiteKind | undefined {
  return byName.get(name)
}
