/** Style of the report's page; its colours keep their contrast in light and dark. */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --text: #1b1f24; --page: #ffffff; --faint: #6a737d; --grid: #d8dee4;
  --bad: #b3261e; --ok: #1a7f37;
  --line-0: #0b63c5; --line-1: #b35900; --line-2: #1a7f37;
  --line-3: #8a2be2; --line-4: #b3261e; --line-5: #00727a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e6edf3; --page: #0d1117; --faint: #9aa4ae; --grid: #30363d;
    --bad: #ff7b72; --ok: #56d364;
    --line-0: #6cb6ff; --line-1: #f0a35e; --line-2: #56d364;
    --line-3: #cba6ff; --line-4: #ff7b72; --line-5: #4fd1d9;
  }
}
body {
  margin: 2rem auto; max-width: 60rem; padding: 0 1rem;
  background: var(--page); color: var(--text); font: 15px/1.5 system-ui, sans-serif;
}
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
.ok { color: var(--ok); } .bad { color: var(--bad); }
.wide { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .7rem; border-bottom: 1px solid var(--grid); text-align: right; }
th:first-child, td:first-child { text-align: left; }
.texts td, .texts th { text-align: left; overflow-wrap: anywhere; }
pre { overflow-x: auto; }
figure { margin: 1rem 0; } figcaption, figcaption li { color: var(--faint); font-size: .9rem; }
figcaption ul { display: flex; flex-wrap: wrap; gap: 0 1rem; padding: 0; list-style: none; }
svg { width: 100%; height: auto; } svg text { fill: var(--faint); font-size: 12px; }
.grid { stroke: var(--grid); } .line { fill: none; stroke-width: 2; stroke-linecap: round; }
.key { display: inline-block; width: 1em; height: .25em; margin-right: .4em; }
${[0, 1, 2, 3, 4, 5]
  .map(
    (at) =>
      `.line-${at} { stroke: var(--line-${at}); } .key-${at} { background: var(--line-${at}); }`,
  )
  .join('\n')}
`
