// The thread that checks and runs stylesheets.

import { given, serveItems } from '@flaghoist/thread-pool';
import type { CheckResult, StylesheetWork, TransformResult } from './stylesheets.ts';
import { Transformer } from './transformer.ts';
import type { WasmModule } from './web-assembly.ts';

const transformer = new Transformer(given() as WasmModule);

serveItems<StylesheetWork, TransformResult | CheckResult>((work) =>
  work.kind === 'check'
    ? transformer.check(work.stylesheet.text)
    : transformer.transform({ version: work.version, stylesheet: work.stylesheet.text, xml: work.xml }),
);
