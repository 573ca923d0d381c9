/** `--html`: one page without external parts, so that it can be read for years. */

import { latencyCurve } from './latency-histogram.ts'
import type { BenchReport, RunReport, SecondReport } from './report.ts'
import { comparisonTable, figuresTable } from './report-tables.ts'
import { runText, settingText } from './report-text.ts'
import { type Chart, escapeHtml, LINE_STYLES, niceTicks, svgChart } from './svg-chart.ts'
import { figure, type Table } from './text-table.ts'

/** Style of the report's page; its colours keep their contrast in light and dark. */
const PAGE_STYLE = `
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

export function renderHtml(report: BenchReport): string {
  const title = `sluice bench ${report.bench}`
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<title>${escapeHtml(title)}</title>`,
    `<style>${PAGE_STYLE}</style>`,
    '</head>',
    '<body>',
    `<h1>${escapeHtml(title)}</h1>`,
    verdict(report),
    '<h2>Figures</h2>',
    table(figuresTable(report)),
    `<p>${report.latencyOf} time; latencies in ms. ${escapeHtml(lossText(report))}</p>`,
    ...comparison(report),
    '<h2>Latency by percentile</h2>',
    figureOf(latencyChart(report), report),
    '<h2>Over time</h2>',
    figureOf(overTime(report, 'accepted requests a second', '1/s', ratePerS), report),
    figureOf(
      overTime(report, 'p99 of each second', 'ms', ({ p99 }) => p99),
      report,
    ),
    '<h2>Runs</h2>',
    `<pre>${escapeHtml(report.runs.flatMap(runText).join('\n'))}</pre>`,
    '<h2>Settings and environment</h2>',
    table(valuesTable('setting', report.settings), 'wide texts'),
    table(valuesTable('environment', { ...report.environment }), 'wide texts'),
    '</body>',
    '</html>',
    '',
  ].join('\n')
}

function verdict({ verdict: { ok, reasons }, startedAt }: BenchReport): string {
  const list = reasons.map((reason) => `<li>${escapeHtml(reason)}</li>`).join('')
  const state = ok ? '<strong class="ok">ok</strong>' : '<strong class="bad">not ok</strong>'
  return `<p>${state}, started at ${escapeHtml(startedAt)}</p>${ok ? '' : `<ul>${list}</ul>`}`
}

function lossText({ conservation }: BenchReport): string {
  if (conservation === undefined) return ''
  return `Conservation: ${conservation.verdict}: ${conservation.detail}.`
}

function comparison({ baseline }: BenchReport): string[] {
  if (baseline === undefined) return []
  const { startedAt, revision, ok } = baseline.before
  const trouble = ok ? '' : ', which was not ok'
  const differences = baseline.differences.map((each) => `<li>${escapeHtml(each)}</li>`).join('')
  const warning = `<p class="bad">Not the same measurement:</p><ul>${differences}</ul>`
  return [
    '<h2>Compared with a baseline</h2>',
    `<p>before: ${escapeHtml(startedAt)}, revision ${escapeHtml(revision)}${trouble}</p>`,
    baseline.differences.length === 0 ? '' : warning,
    table(comparisonTable(baseline)),
  ]
}

function table({ head, rows }: Table, style = 'wide'): string {
  const row = (cells: readonly string[], tag: 'th' | 'td') =>
    `<tr>${cells.map((text) => `<${tag}>${escapeHtml(text)}</${tag}>`).join('')}</tr>`
  const body = rows.map((cells) => row(cells, 'td')).join('\n')
  // Wide tables scroll by themselves and not with the page.
  const content = `<thead>${row(head, 'th')}</thead>\n<tbody>${body}</tbody>`
  return `<div class="${style}"><table>${content}</table></div>`
}

function valuesTable(name: string, values: Readonly<Record<string, unknown>>): Table {
  const known = Object.entries(values).filter(([, value]) => value !== undefined)
  return {
    head: [name, 'value'],
    rows: known.map(([key, value]) => [key, settingText(value)]),
  }
}

function figureOf(chart: Chart, report: BenchReport): string {
  const legend = report.runs.map((run, index) => {
    const key = `<span class="key key-${index % LINE_STYLES}"></span>`
    return `<li>${key}${escapeHtml(nameOf(run, index))}</li>`
  })
  const caption = `<figcaption>${escapeHtml(chart.title)}<ul>${legend.join('')}</ul></figcaption>`
  return `<figure>${svgChart(chart)}${caption}</figure>`
}

function nameOf({ name }: RunReport, index: number): string {
  return name ?? `run ${index + 1}`
}

const PERCENTILES = [0, 50, 90, 99, 99.9, 99.99]

/** Each step to the right is rarer by the same factor. */
function latencyChart(report: BenchReport): Chart {
  const xOf = (quantile: number) => -Math.log10(1 - quantile)
  return {
    title: 'latency by percentile; the axis is the logarithm of 1 / (1 - percentile)',
    xLabel: 'percentile',
    yLabel: 'ms',
    xTicks: PERCENTILES.map((percent) => ({ at: xOf(percent / 100), label: `${percent} %` })),
    lines: report.runs.map((run, index) => ({
      name: nameOf(run, index),
      points: latencyCurve(run).map(({ quantile, ms }) => [xOf(quantile), ms] as const),
    })),
  }
}

/** The last second may be shorter, so its count is not a rate. */
function ratePerS({ second, accepted }: SecondReport, { durationMs }: RunReport): number {
  const share = Math.min(1, durationMs / 1000 - (second - 1))
  return share > 0 ? accepted / share : accepted
}

function overTime(
  report: BenchReport,
  title: string,
  yLabel: string,
  read: (second: SecondReport, run: RunReport) => number | undefined,
): Chart {
  const longest = report.runs.reduce((most, { seconds }) => Math.max(most, seconds.length), 1)
  return {
    title: `${title} (the highest: ${figure(highest(report, read))})`,
    xLabel: 'second of the plateau',
    yLabel,
    xTicks: niceTicks(longest).filter(({ at }) => Number.isInteger(at) && at >= 1 && at <= longest),
    lines: report.runs.map((run, index) => ({
      name: nameOf(run, index),
      points: run.seconds.map((second) => [second.second, read(second, run)] as const),
    })),
  }
}

function highest(
  { runs }: BenchReport,
  read: (second: SecondReport, run: RunReport) => number | undefined,
): number {
  let most = 0
  for (const run of runs) {
    for (const second of run.seconds) most = Math.max(most, read(second, run) ?? 0)
  }
  return most
}
