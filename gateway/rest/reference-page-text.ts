/** The page of the reference: its markup, and what it adds to the renderer's style and script. */

export const PAGE_STYLE = `
:root { color-scheme: light dark }
body { margin: 0; font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  background: #f6f7f8 }
html.dark-mode body { background: #121316 }
header { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; align-items: baseline;
  padding: .75rem 20px; border-bottom: 1px solid #8886; color: #3b4151 }
html.dark-mode header { color: #e4e6e6 }
header strong { font-size: 1.1rem; margin-right: auto }
header a { color: inherit }
a:focus-visible, button:focus-visible, input:focus-visible
  { outline: 3px solid #4990e2; outline-offset: 2px }
#reference { max-width: 1460px; margin: 0 auto }
.swagger-ui, .swagger-ui .info :is(.title, .title pre, p, li), .swagger-ui .btn,
.swagger-ui :is(.opblock-tag, .opblock-tag small, .opblock-tag small p),
.swagger-ui .opblock :is(.opblock-summary-method, .opblock-summary-description),
.swagger-ui .opblock .opblock-section-header :is(h4, label),
.swagger-ui :is(input, select, label, th),
.swagger-ui :is(.parameter__name, .parameter__type, .response-col_status, .model-title, .tab li),
.swagger-ui :is(.opblock-title_normal, .opblock-description-wrapper, .renderedMarkdown p)
  { font-family: inherit }
.swagger-ui :is(.markdown, .renderedMarkdown) code { color: #0b7268 }
html.dark-mode .swagger-ui :is(.markdown, .renderedMarkdown) code { color: #54c6b6 }
.swagger-ui .btn.authorize { border-color: currentColor; color: #0b7268 }
.swagger-ui .btn.authorize svg { fill: currentColor }
html.dark-mode .swagger-ui .btn.authorize { color: #54c6b6 }
.swagger-ui .info .title small { background: #5b6472 }
.swagger-ui .info { margin: 24px 0 }
.swagger-ui .info .link, .swagger-ui .info__license, .swagger-ui .servers-title,
.swagger-ui .servers { display: none }
.swagger-ui .filter .operation-filter-input[type=text] { width: 100%; max-width: none }
.swagger-ui .info .title small.version-stamp { background: #49565c }
.swagger-ui .scheme-container { padding: 12px 0; box-shadow: none; border-block: 1px solid #8884 }
.swagger-ui .opblock-tag small { padding: 0 10px }
.swagger-ui .opblock .opblock-summary-path { max-width: none; word-break: break-word }
.swagger-ui .opblock-description-wrapper p, .swagger-ui .markdown p { overflow-wrap: anywhere }
@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 12px }
  header strong { flex-basis: 100% }
  header { padding: .75rem 12px }
  .swagger-ui .opblock-tag { flex-wrap: wrap; font-size: 20px }
  .swagger-ui .opblock-tag > :first-child { margin-right: auto }
  .swagger-ui .opblock-tag small { flex-basis: 100%; order: 1; padding: 4px 0 }
  .swagger-ui .opblock .opblock-summary { flex-wrap: wrap }
  .swagger-ui .opblock .opblock-summary-description { flex-basis: 80%; padding: 4px 10px }
  .swagger-ui table.parameters, .swagger-ui table.parameters tbody,
  .swagger-ui table.parameters tr, .swagger-ui table.parameters td { display: block; width: auto }
  .swagger-ui table.parameters thead { display: none }
  .swagger-ui table.responses-table td.response-col_links { display: none }
  .swagger-ui table tbody tr td:first-of-type { min-width: 0; width: auto }
  .swagger-ui .response-col_description { min-width: 0 }
  .swagger-ui .opblock-body pre.microlight { font-size: 11px }
}
`

export const PAGE_SCRIPT = `
const holder = document.getElementById('reference')
const dark = matchMedia('(prefers-color-scheme: dark)')
const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', paint)
paint()
SwaggerUIBundle({
  url: holder.dataset.document,
  domNode: holder,
  presets: [SwaggerUIBundle.presets.apis],
  layout: 'BaseLayout',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  validatorUrl: null,
})
`

/** @param nameOf the address of an asset, relative to the page. */
export function pageHtml(nameOf: (asset: string) => string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sluice: the HTTP interface</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${nameOf('swagger-ui.css')}">
<link rel="stylesheet" href="${nameOf('page.css')}">
<header><strong>The HTTP interface</strong> <a href="../schema/">OpenAPI</a>
<a href="../client/">TypeScript client</a> <a href="../proto/">gRPC</a></header>
<main id="reference" data-document="${nameOf('openapi.json')}"></main>
<noscript>This page needs JavaScript. <a href="../schema/">The OpenAPI document</a> needs
none.</noscript>
<script src="${nameOf('swagger-ui-bundle.js')}" defer></script>
<script src="${nameOf('page.js')}" defer></script>
</html>
`
}
