/** Runs behind the browser library in `/static/sluice.js`: starts it as its own tag says. */
export const PAGE_SCRIPT = `;((script) => {
  const say = (text) => console.error('sluice.js: ' + text)
  const { key, options = '{}' } = script?.dataset ?? {}
  if (!key) return say('the script tag needs data-key="<project API key>"')
  try {
    const api_host = script.src.slice(0, script.src.lastIndexOf('/static/'))
    window.posthog.init(key, { api_host, ...JSON.parse(options) })
  } catch (error) {
    say('data-options is not JSON: ' + error.message)
  }
})(document.currentScript)
`
