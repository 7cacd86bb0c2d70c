// The stylesheet of the docs page, for wide and narrow screens, in a light and a dark theme.

export const pageStyle = `
:root {
  color-scheme: light dark;
  --paper: #ffffff; --side: #f6f8fb; --raised: #f3f6fa; --line: #e1e7ef; --strong-line: #cbd5e1;
  --ink: #16233b; --soft: #55637a; --faint: #7b889c; --link: #0a58b5; --hit: #fff6d6; --current: #e4edf8;
  --code: #f5f7fa; --code-ink: #22314c; --json-key: #0a58b5; --json-text: #147a4b; --json-other: #a8430d;
  --red: #c81e2b; --red-soft: #fdeceb; --get: #0a58b5; --post: #147a4b; --put: #9a5a00; --delete: #c81e2b;
  --sans: -apple-system, BlinkMacSystemFont, "Segoe UI", Inter, Roboto, "Noto Sans", "Helvetica Neue", Arial,
    sans-serif;
  --mono: ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #0f1623; --side: #0b111c; --raised: #172133; --line: #223049; --strong-line: #34455f;
    --ink: #dfe7f3; --soft: #a3b1c6; --faint: #7f8ea6; --link: #74b3ff; --hit: #33301a; --current: #16263f;
    --code: #0b111c; --code-ink: #d3deee; --json-key: #84bbff; --json-text: #7bd8a6; --json-other: #f5b07a;
    --red: #ff7b7b; --red-soft: #3a1d24; --get: #74b3ff; --post: #6fd39d; --put: #f0b45a; --delete: #ff8585;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-behavior: smooth; scroll-padding-top: 1.5rem; -webkit-text-size-adjust: 100%; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body {
  margin: 0; display: grid; grid-template-columns: 17.5rem minmax(0, 1fr); background: var(--paper); color: var(--ink);
  font: 16px/1.6 var(--sans); text-rendering: optimizeLegibility; -webkit-font-smoothing: antialiased;
}
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; text-underline-offset: .2em; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 1rem; z-index: 9; background: var(--paper); padding: .5rem 1rem; }
code, pre { font-family: var(--mono); font-variant-ligatures: none; }
code {
  font-size: .875em; color: var(--code-ink); background: var(--code); border: 1px solid var(--line); border-radius: 5px;
  padding: .08em .34em; overflow-wrap: anywhere;
}

nav.side {
  position: sticky; top: 0; height: 100vh; display: flex; flex-direction: column; background: var(--side);
  border-right: 1px solid var(--line);
}
.brand { display: flex; align-items: center; gap: .6rem; padding: 1.25rem 1.5rem .7rem; }
.brand a {
  display: flex; align-items: center; gap: .6rem; color: var(--ink); font-weight: 680; font-size: 1.08rem;
  letter-spacing: -.01em;
}
.brand a:hover { text-decoration: none; }
.brand svg { width: 1.75rem; height: 1.75rem; }
.brand small { color: var(--faint); font-size: .75rem; font-variant-numeric: tabular-nums; padding-top: .18rem; }
#menu { display: none; }
#contents { flex: 1; overflow-y: auto; padding: .2rem 1rem 2rem; scrollbar-width: thin; }
#search {
  width: 100%; font: inherit; font-size: .9rem; color: var(--ink); background: var(--paper);
  border: 1px solid var(--strong-line); border-radius: 8px; padding: .46rem .75rem; appearance: none;
}
#search::placeholder { color: var(--faint); opacity: 1; }
#search:focus { outline: 2px solid var(--link); outline-offset: 0; border-color: transparent; }
nav h2 {
  margin: 1.5rem .5rem .35rem; font-size: .72rem; font-weight: 650; letter-spacing: .07em; text-transform: uppercase;
  color: var(--faint);
}
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a {
  display: block; padding: .2rem .5rem; border-radius: 6px; color: var(--soft); font-size: .9rem; line-height: 1.45;
}
nav li a:hover { background: var(--raised); color: var(--ink); text-decoration: none; }
nav li a[aria-current] { background: var(--current); color: var(--link); font-weight: 600; }
nav .depth-1 a, nav .depth-2 a, nav .depth-3 a { position: relative; padding-left: 1.6rem; }
nav .depth-2 a { padding-left: 2.7rem; }
nav .depth-3 a { padding-left: 3.8rem; }
nav .depth-1 a::before, nav .depth-2 a::before, nav .depth-3 a::before {
  content: ""; position: absolute; left: .75rem; top: -.35rem; width: .5rem; height: 1.2rem;
  border: solid var(--strong-line); border-width: 0 0 1px 1px; border-bottom-left-radius: 5px;
}
nav .depth-2 a::before { left: 1.85rem; }
nav .depth-3 a::before { left: 2.95rem; }

main { width: 100%; max-width: 62rem; padding: 3.25rem 3.5rem 4rem; margin: 0 auto; }
.hoist { display: block; height: 1.25rem; width: auto; margin: 0 0 1.5rem; }
.head { padding-bottom: 2rem; border-bottom: 1px solid var(--line); }
h1 { margin: 0 0 .6rem; font-size: 2.35rem; line-height: 1.15; font-weight: 720; letter-spacing: -.025em; }
.head p { max-width: 44rem; margin: 0 0 1.3rem; font-size: 1.12rem; color: var(--soft); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1.25rem; margin: 0; font-size: .92rem; }
dt { color: var(--faint); }
dd { margin: 0; overflow-wrap: anywhere; }
main h2 { margin: 3.25rem 0 .8rem; font-size: 1.5rem; line-height: 1.25; font-weight: 690; letter-spacing: -.018em; }
main h3 { margin: 0; font-size: 1.22rem; line-height: 1.3; font-weight: 680; letter-spacing: -.01em; }
main h2 a, main h3 a { color: inherit; }
main h2 a:hover::after, main h3 a:hover::after { content: " #"; color: var(--faint); font-weight: 400; }
main p, main ul { max-width: 46rem; }
main p { margin: .75rem 0; text-wrap: pretty; }
main section > ul { padding-left: 1.2rem; }
main section > ul li { margin: .35rem 0; }
.lead { color: var(--soft); }

.code { position: relative; margin: 1rem 0 1.4rem; }
pre {
  margin: 0; padding: .95rem 1.1rem; overflow-x: auto; background: var(--code); border: 1px solid var(--line);
  border-radius: 10px; font-size: .845rem; line-height: 1.62; tab-size: 2; scrollbar-width: thin;
}
pre code { font-size: inherit; padding: 0; border: 0; background: none; overflow-wrap: normal; }
pre b { font-weight: 400; color: var(--json-key); }
pre i { font-style: normal; color: var(--json-text); }
pre u { text-decoration: none; color: var(--json-other); }
.code button {
  position: absolute; top: .5rem; right: .5rem; font: 500 .75rem/1 var(--sans); color: var(--soft);
  background: var(--paper); border: 1px solid var(--strong-line); border-radius: 6px; padding: .38rem .6rem;
  cursor: pointer; opacity: 0; transition: opacity .12s;
}
.code:hover button, .code button:focus-visible { opacity: 1; }
@media (hover: none) { .code button { display: none; } }

.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; margin: 1rem 0 1.25rem; font-size: .92rem; line-height: 1.5; }
th {
  text-align: left; font-size: .75rem; font-weight: 620; letter-spacing: .03em; color: var(--faint);
  padding: 0 .9rem .45rem 0; border-bottom: 1px solid var(--strong-line); white-space: nowrap;
}
td { padding: .55rem .9rem .55rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td:last-child, th:last-child { padding-right: 0; }
td > code:first-child { white-space: nowrap; }
.attributes { table-layout: fixed; }
.attributes td > code:first-child { white-space: normal; }
.attributes th:nth-child(1) { width: 34%; }
.attributes th:nth-child(2) { width: 21%; }
.attributes td:nth-child(2) { color: var(--soft); }
.attributes td:first-child code { background: none; border: 0; padding: 0; font-weight: 600; font-size: .9em; }
.hit td { background: var(--hit); box-shadow: -.6rem 0 var(--hit), .6rem 0 var(--hit); }
small { font-size: .86em; color: var(--faint); white-space: nowrap; }
.mark {
  display: inline-block; margin-left: .3rem; font-size: .7rem; line-height: 1.5; color: var(--faint);
  white-space: nowrap;
}
.mark.required { color: var(--red); }
.badge { padding: 0 .4rem; color: var(--link); background: var(--current); border-radius: 5px; font-weight: 550; }
.versions {
  display: flex; flex-wrap: wrap; gap: .3rem; list-style: none; margin: 0; padding: 0;
  font-variant-numeric: tabular-nums;
}
.versions a {
  display: block; padding: 0 .5rem; border: 1px solid var(--line); border-radius: 6px; color: var(--soft);
  font-size: .86rem;
}
.versions a[aria-current] {
  border-color: transparent; background: var(--current); color: var(--link); font-weight: 600;
}
.needs { margin: 0 0 .9rem; font-size: .92rem; color: var(--soft); }
.type h4 { margin: 1.6rem 0 .3rem; font-size: 1rem; font-weight: 650; }
.values { display: block; margin-top: .2rem; }
.values code { font-size: .78em; margin-right: .1rem; }

.types { margin-top: 3.5rem; padding-top: .25rem; border-top: 1px solid var(--line); }
.types > h2 { margin-top: 2.25rem; }
.finding .types:not(:has(.type:not([hidden]))) { display: none; }
nav .group:not(:has(li:not([hidden]))) { display: none; }
#found:empty { display: none; }
#found { padding: .6rem .9rem; background: var(--raised); border-radius: 8px; font-size: .92rem; }
.type { margin: 2.25rem 0; padding-top: 2rem; border-top: 1px solid var(--line); }
.type > .lead { margin: .3rem 0 .9rem; }
main .paths { list-style: none; margin: 0 0 .9rem; padding: 0; }
main .paths li { display: flex; flex-wrap: wrap; align-items: center; gap: .3rem; margin: .35rem 0; }
.paths code { background: none; border: 0; padding: 0; color: var(--soft); margin-left: .2rem; }
.method {
  display: inline-block; font: 650 .68rem/1 var(--mono); letter-spacing: .03em; padding: .3rem .4rem .26rem;
  border: 1px solid currentColor; border-radius: 5px;
}
.get { color: var(--get); } .post { color: var(--post); } .put { color: var(--put); } .delete { color: var(--delete); }
details { margin: .35rem 0; }
summary { cursor: pointer; color: var(--link); font-size: .92rem; width: fit-content; }
details .code { margin-top: .6rem; }
.finding #guide, .finding .head, .finding .types > .lead { display: none; }
.finding .types { margin-top: 0; border: 0; }
.finding .types > h2 { margin-top: 1rem; }
.finding nav li a { padding-left: .5rem; }
.finding nav li a::before { display: none; }
footer {
  margin-top: 4rem; padding-top: 1.25rem; border-top: 1px solid var(--line); color: var(--faint); font-size: .85rem;
}

@media (max-width: 60rem) {
  html { scroll-padding-top: 4.5rem; }
  body { display: block; }
  nav.side {
    position: sticky; z-index: 5; height: auto; max-height: 100vh; max-height: 100dvh; border-right: 0;
    border-bottom: 1px solid var(--line);
  }
  html:not(.scripted) nav.side { position: static; max-height: none; }
  .brand { padding: .7rem 1.25rem; }
  #menu { display: block; margin-left: auto; font: 550 .85rem/1 var(--sans); color: var(--ink);
    background: var(--paper); border: 1px solid var(--strong-line); border-radius: 8px; padding: .55rem .8rem; }
  .scripted #contents { display: none; }
  .scripted .open #contents { display: block; }
  #contents { padding: 0 1.25rem 1.5rem; }
  nav li a { padding-top: .35rem; padding-bottom: .35rem; }
  #search { font-size: 1rem; }
  main { padding: 1.75rem 1.25rem 3rem; }
  h1 { font-size: 1.9rem; }
  main h2 { margin-top: 2.5rem; font-size: 1.35rem; }
  pre { font-size: .8rem; }
}
@media (max-width: 40rem) {
  dl { grid-template-columns: 1fr; gap: 0; }
  dd + dt { margin-top: .5rem; }
  .attributes, .attributes tbody, .attributes tr { display: block; }
  .attributes thead { display: none; }
  .attributes { border-top: 1px solid var(--strong-line); }
  .attributes tr {
    display: flex; flex-wrap: wrap; gap: 0 .75rem; padding: .6rem 0; border-bottom: 1px solid var(--line);
  }
  .attributes td { display: block; border: 0; padding: 0; }
  .attributes td:nth-child(2) { margin-left: auto; font-size: .86rem; }
  .attributes td:nth-child(3) { flex-basis: 100%; color: var(--soft); font-size: .9rem; padding-top: .15rem; }
  .hit { background: var(--hit); } .hit td { background: none; box-shadow: none; }
}
@media print {
  nav.side, .code button { display: none; }
  body { display: block; }
  main { max-width: none; padding: 0; }
}
`;
