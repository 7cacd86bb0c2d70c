// What this package relies on in the binary of libxslt-wasm, beyond the functions of libxslt: the imports that
// `engine-imports.ts` answers, and the structures whose offsets `xml-tree.ts` and `compiled-stylesheet.ts` know. If one
// of these tests fails after an upgrade, compare those files with the new version before anything else.

import { expect, test } from 'vitest';
import { compileStylesheet, contentTypeOf, parseXml } from '../src/compiled-stylesheet.ts';
import { Engine, newMemory } from '../src/engine.ts';
import { compileEngine } from '../src/engine-binary.ts';
import { Module } from '../src/web-assembly.ts';
import { readTree } from '../src/xml-tree.ts';
import { sheet } from './stylesheet-fixture.ts';

test('the engine imports only functions that are provided or rejected on purpose', () => {
  const names = Module.imports(compileEngine()).map(({ name }) => name);
  expect(names.filter((name) => !name.startsWith('_embind_register_')).sort()).toEqual([
    ...['__asyncjs__fetchBytes', '__syscall_dup', '__syscall_fcntl64', '__syscall_ioctl', '__syscall_mkdirat'],
    ...['__syscall_openat', '__syscall_stat64', '_abort_js', '_emscripten_init_main_thread_js'],
    ...['_emscripten_notify_mailbox_postmessage', '_emscripten_receive_on_main_thread_js'],
    ...['_emscripten_thread_cleanup', '_emscripten_thread_mailbox_await', '_emscripten_thread_set_strongref'],
    ...['_gmtime_js', '_localtime_js', '_tzset_js', 'clock_time_get', 'emscripten_check_blocking_allowed'],
    ...['emscripten_date_now', 'emscripten_exit_with_live_runtime', 'emscripten_get_now', 'emscripten_resize_heap'],
    ...['environ_get', 'environ_sizes_get', 'exit', 'fd_close', 'fd_read', 'fd_seek', 'fd_write', 'memory'],
  ]);
});

test('the nodes of a document are where they are read', () => {
  const engine = new Engine(compileEngine(), newMemory());
  const document = parseXml(engine, '<?p x?><a xmlns:n="urn:n"\n n:b="1&lt;2"><c/><n:d/></a>', 'document');
  const { hasDoctype, instructions, elements } = readTree(engine, document);
  expect({ hasDoctype, instructions }).toEqual({ hasDoctype: false, instructions: [{ name: 'p', line: 1 }] });
  expect(elements.map(({ namespaceOf, ...element }) => ({ ...element, bound: namespaceOf('n') }))).toEqual([
    {
      namespace: '',
      name: 'a',
      line: 2,
      attributes: [{ namespace: 'urn:n', name: 'b', value: '1<2' }],
      bound: 'urn:n',
    },
    { namespace: '', name: 'c', line: 2, attributes: [], bound: 'urn:n' },
    { namespace: 'urn:n', name: 'd', line: 2, attributes: [], bound: 'urn:n' },
  ]);
});

test('the output settings of a stylesheet are where they are read and written', () => {
  const engine = new Engine(compileEngine(), newMemory());
  const outputs = (top: string) => {
    const compiled = compileStylesheet(engine, sheet('<html/>', { top }));
    if (compiled.kind !== 'compiled') throw new Error(compiled.message);
    const result = engine.run.xsltApplyStylesheet(compiled.address, parseXml(engine, '<a/>', 'object'), 0);
    return contentTypeOf(engine, compiled.address, result);
  };
  expect(outputs('<xsl:output method="text"/>')).toBe('text/plain; charset=utf-8');
  expect(outputs('<xsl:output media-type="text/x-y" encoding="ISO-8859-1"/>')).toBe('text/x-y; charset=utf-8');
  expect(outputs('')).toBe('text/html; charset=utf-8');
});
