// Scripts and stylesheets with which a subscriber could harm the service, on purpose or by mistake. They must affect
// only their own subscription.

import { endlessStylesheet, greedyScript, greedyStylesheet, loopingScript, stylesheetOf } from './typical.ts';

export const hostileScripts: Readonly<Record<string, string>> = {
  'a loop': loopingScript,
  'an array without end': greedyScript,
  'a text that doubles': 'let s = "xy"; for (;;) s += s;',
  'a pattern that backtracks': 'return /(a+)+$/.test("a".repeat(50) + "b");',
  'a function that calls itself': '(function f() { f() })();',
  'a loop that catches its end': 'for (;;) { try { for (;;); } catch {} }',
  'a job that queues itself': 'const f = () => { Promise.resolve().then(f) }; f(); return true;',
  'async functions that swallow their end': 'async function f() { for (;;); } for (;;) f();',
  'a big number': 'let n = 3n; for (;;) n = n * n;',
  'a huge array that is filled': 'const a = new Array(2 ** 32 - 1); a.fill(1);',
  'a sparse array': 'const a = []; a[4294967294] = 1; return a.reduce((x) => x, 0);',
  'a search that nothing interrupts': 'const s = "a".repeat(1e6); for (;;) s.indexOf("a".repeat(5e5) + "b");',
  'memory errors that are caught':
    'const a = []; for (;;) try { for (;;) a.push("x".repeat(1e5) + a.length) } catch {}',
};

export const hostileStylesheets: Readonly<Record<string, string>> = {
  'templates without end': endlessStylesheet,
  'a template that calls itself': stylesheetOf(
    '<xsl:call-template name="t"/>',
    '<xsl:template name="t"><xsl:call-template name="t"/></xsl:template>',
  ),
  'a text that doubles, as a stylesheet': greedyStylesheet,
};
