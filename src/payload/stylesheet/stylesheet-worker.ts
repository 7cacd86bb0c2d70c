// The thread that stylesheets run in.

import { given, serveItems } from '../../sandbox/serve-items.ts';
import type { CheckResult, StylesheetWork, TransformResult } from './stylesheets.ts';
import { Transformer } from './transformer.ts';
import type { WasmModule } from './web-assembly.ts';

const transformer = new Transformer(given() as WasmModule);

serveItems<StylesheetWork, TransformResult | CheckResult>((work) =>
  work.kind === 'check'
    ? transformer.check(work.stylesheet.text)
    : transformer.transform({ edition: work.edition, stylesheet: work.stylesheet.text, xml: work.xml }),
);
