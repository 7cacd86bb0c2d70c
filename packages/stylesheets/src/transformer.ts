// Transforms objects in one thread, and keeps the engine and the most recently used stylesheets, compiled. A broken
// engine is dropped, and its work is retried once with a fresh one: earlier work may have filled the engine.

import { LRUCache } from 'lru-cache';
import { type Compiled, compileStylesheet, contentTypeOf, parseXml } from './compiled-stylesheet.ts';
import { Engine, newMemory } from './engine.ts';
import { objectName, readError, readMessages } from './engine-error.ts';
import type { CheckResult, Transform, TransformResult } from './stylesheets.ts';
import type { WasmModule } from './web-assembly.ts';

const outputBytesMax = 1_000_000;

/** Of the kept stylesheets, as text. Compiled, they take about twenty times as much. */
const keptCharsMax = 1_000_000;
const keptMax = 200;

type Attempt<Result> = { readonly kind: 'done'; readonly result: Result } | { readonly kind: 'broken'; why: string };

export class Transformer {
  readonly #module: WasmModule;
  readonly #memory = newMemory();
  #engine: Engine | undefined;
  #kept = this.#newCache();

  constructor(module: WasmModule) {
    this.#module = module;
  }

  transform(transform: Transform): TransformResult {
    return this.#attempt(
      (engine) => this.#transform(engine, transform),
      (message) => ({ kind: 'failed', message, isOverTime: true }),
    );
  }

  check(stylesheet: string): CheckResult {
    return this.#attempt(
      (engine) => checkWith(engine, stylesheet),
      (message): CheckResult => ({ kind: 'mistaken', message, line: undefined }),
    );
  }

  #attempt<Result>(work: (engine: Engine) => Result, fail: (message: string) => Result): Result {
    const isUsed = this.#engine !== undefined;
    let attempt = this.#attemptOnce(work);
    if (attempt.kind === 'broken' && isUsed) attempt = this.#attemptOnce(work);
    return attempt.kind === 'done' ? attempt.result : fail(attempt.why);
  }

  #attemptOnce<Result>(work: (engine: Engine) => Result): Attempt<Result> {
    this.#engine ??= new Engine(this.#module, this.#memory);
    const engine = this.#engine;
    try {
      const result = work(engine);
      if (!engine.isBroken) return { kind: 'done', result };
      this.#drop();
      return { kind: 'broken', why: whyBroken(engine) };
    } catch (error) {
      this.#drop();
      return { kind: 'broken', why: whyBroken(engine, error) };
    }
  }

  #drop(): void {
    this.#engine = undefined;
    // Not cleared: the compiled stylesheets went with the engine, so nothing must be freed.
    this.#kept = this.#newCache();
  }

  #newCache(): LRUCache<string, { address: number; engine: Engine }> {
    return new LRUCache({
      max: keptMax,
      maxSize: keptCharsMax,
      dispose: ({ address, engine }) => engine.run.xsltFreeStylesheet(address),
    });
  }

  #transform(engine: Engine, { version, stylesheet, xml }: Transform): TransformResult {
    const compiled = this.#compiled(engine, version, stylesheet);
    if (compiled.kind === 'mistaken') return failed(atLine(compiled));
    const document = parseXml(engine, xml, objectName);
    if (document === 0) return failed(`The object cannot be read: ${readError(engine.takeOutput())?.message ?? ''}`);
    const result = engine.run.xsltApplyStylesheet(compiled.address, document, 0);
    try {
      return result === 0 ? failed(whyNot(engine)) : save(engine, compiled.address, result);
    } finally {
      if (result !== 0) engine.run.xmlFreeDoc(result);
      engine.run.xmlFreeDoc(document);
      engine.takeOutput();
    }
  }

  #compiled(engine: Engine, version: string, stylesheet: string): Compiled {
    const kept = this.#kept.get(version);
    if (kept) return { kind: 'compiled', address: kept.address };
    const compiled = compileStylesheet(engine, stylesheet);
    if (compiled.kind === 'compiled')
      this.#kept.set(version, { address: compiled.address, engine }, { size: stylesheet.length + 1 });
    return compiled;
  }
}

function checkWith(engine: Engine, stylesheet: string): CheckResult {
  const compiled = compileStylesheet(engine, stylesheet);
  if (compiled.kind === 'mistaken') return compiled;
  engine.run.xsltFreeStylesheet(compiled.address);
  return { kind: 'fits' };
}

function save(engine: Engine, stylesheet: number, result: number): TransformResult {
  const buffer = engine.run.xmlAllocOutputBuffer(0);
  try {
    if (engine.run.xsltSaveResultTo(buffer, result, stylesheet) < 0) return failed('The result could not be written.');
    const bytes = engine.run.xmlOutputBufferGetSize(buffer);
    if (bytes > outputBytesMax) return failed(`The output of the stylesheet is larger than ${outputBytesMax} bytes.`);
    const body = engine.readBytes(engine.run.xmlOutputBufferGetContent(buffer), bytes);
    return { kind: 'made', body, contentType: contentTypeOf(engine, stylesheet, result) };
  } finally {
    engine.run.xmlOutputBufferClose(buffer);
  }
}

function whyBroken(engine: Engine, error?: unknown): string {
  if (engine.isOutOfMemory) return 'The stylesheet needs too much memory.';
  if (error instanceof RangeError) return 'The stylesheet recurses too deeply.';
  return `The stylesheet crashed the engine: ${error instanceof Error ? error.message : 'its stack is full'}`;
}

function whyNot(engine: Engine): string {
  const output = engine.takeOutput();
  const error = readError(output);
  if (error) return atLine(error);
  const messages = readMessages(output);
  return messages === '' ? 'The stylesheet failed.' : `The stylesheet terminated itself: ${messages}`;
}

function atLine({ message, line }: { message: string; line: number | undefined }): string {
  return line === undefined ? message : `Line ${line} of the stylesheet: ${message}`;
}

function failed(message: string): TransformResult {
  return { kind: 'failed', message, isOverTime: false };
}
