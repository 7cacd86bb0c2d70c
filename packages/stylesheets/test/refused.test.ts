// Stylesheets that access what they must not: each is rejected when it is saved, and could do nothing otherwise.

import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseXml } from '../src/compiled-stylesheet.ts';
import { Engine, newMemory } from '../src/engine.ts';
import { compileEngine } from '../src/engine-binary.ts';
import { type Canary, openCanary, sheet, useStylesheets } from './stylesheet-fixture.ts';

const { transform, expectRefused } = useStylesheets();

let canary: Canary;

beforeAll(async () => {
  canary = await openCanary();
});

afterAll(() => canary.close());

describe('what accesses anything else is rejected', () => {
  test('XSL-04: a DOCTYPE, whatever is in it', async () => {
    const bodies = [
      '[<!ENTITY e SYSTEM "file:///etc/passwd">]',
      '[]',
      'SYSTEM "file:///etc/passwd"',
      '[<!ATTLIST xsl:template name CDATA "x">]',
    ];
    for (const body of bodies)
      await expectRefused(
        `<?xml version="1.0"?>\n<!-- x -->\n<!DOCTYPE x ${body}>\n${sheet('<a>&#65;</a>')}`,
        /DOCTYPE/,
        3,
      );
  });

  test('XSL-05: external DTDs, parameter entities, xml-stylesheet, XInclude, xml:base: none is fetched', async () => {
    await expectRefused(`<!DOCTYPE x SYSTEM "${canary.url}/x.dtd">${sheet('<a/>')}`, /DOCTYPE/);
    await expectRefused(`<!DOCTYPE x [<!ENTITY % p SYSTEM "${canary.url}/p.dtd"> %p;]>${sheet('<a/>')}`, /DOCTYPE/);
    await expectRefused(
      `<?xml-stylesheet type="text/xsl" href="${canary.url}/y"?>\n${sheet('<a/>')}`,
      /xml-stylesheet/,
      1,
    );
    for (const year of [2001, 2003])
      await expectRefused(
        sheet(`<x:include xmlns:x="http://www.w3.org/${year}/XInclude" href="${canary.url}/z"/>`),
        /XInclude/,
        2,
      );
    await expectRefused(sheet(`<a xml:base="${canary.url}/"/>`), /xml:base/, 2);
    expect(canary.hits).toBe(0);
  });

  test('imports and includes', async () => {
    for (const name of ['import', 'include'])
      for (const href of [`${canary.url}/i.xsl`, 'file:///etc/passwd', '', 'data:text/xml,%3Ca/%3E'])
        await expectRefused(sheet('<a/>', { top: `<xsl:${name} href="${href}"/>` }), new RegExp(`xsl:${name}`), 1);
    expect(canary.hits).toBe(0);
  });

  test.each([
    `document('file:///etc/passwd')`,
    `document('/etc/passwd')`,
    `document('')`,
    `document (/Voyage/key, .)`,
    `count(document(concat('', '/etc/passwd')))`,
    `'document(1)' and document("")`,
  ])('XSL-07: %s', async (expression) => {
    const escaped = expression.replaceAll('"', '&quot;');
    await expectRefused(sheet(`<xsl:copy-of select="${escaped}"/>`), /document\(\) is not allowed/, 2);
    await expectRefused(sheet(`<a b="x{{ {${escaped}}"/>`), /document\(\) is not allowed/, 2);
    await expectRefused(sheet(`<xsl:for-each select="*[${escaped}]"/>`), /document\(\) is not allowed/, 2);
    await expectRefused(sheet('', { top: `<xsl:key name="k" match="*" use="${escaped}"/>` }), /document\(\) is not/, 1);
    await expectRefused(sheet('', { top: `<xsl:variable name="v" select="${escaped}"/>` }), /document\(\) is not/, 1);
  });

  test.each([
    'doc',
    'unparsed-text',
    'unparsed-text-lines',
    'collection',
    'json-doc',
    'environment-variable',
    'transform',
  ])('XSL-07: %s() of later versions', async (name) => {
    await expectRefused(
      sheet(`<xsl:value-of select="${name}('/etc/passwd')"/>`),
      new RegExp(`"${name}" is not part of XSLT 1.0`),
      2,
    );
  });

  test('a word in quotes is not a call', async () => {
    const stylesheet = sheet(`<a b="{'document(1)'}"><xsl:value-of select="&quot;doc('x')&quot;"/></a>`);
    expect(await transform(stylesheet)).toMatchObject({ kind: 'made', body: expect.stringContaining(`doc('x')`) });
  });

  test('XSL-08: document() over the network: 0 hits', async () => {
    for (const url of [`${canary.url}/`, 'http://169.254.169.254/', `${canary.url.replace('http:', 'ftp:')}/`])
      await expectRefused(sheet(`<xsl:copy-of select="document('${url}')"/>`), /document/);
    expect(canary.hits).toBe(0);
  });

  test('XSL-08: an object that is XML with a DTD leads nowhere either', async () => {
    const xml = `<!DOCTYPE a SYSTEM "${canary.url}/o.dtd" [<!ENTITY e SYSTEM "${canary.url}/e">]><a>&e;</a>`;
    const result = await transform(sheet('<xsl:copy-of select="."/>'), xml);
    expect(JSON.stringify(result)).not.toContain('canary/');
    expect(canary.hits).toBe(0);
  });

  test.each([
    ['exsl:document', 'http://exslt.org/common', 'document'],
    ['redirect:write', 'http://xml.apache.org/xalan/redirect', 'write'],
    ['redirect:write of old', 'org.apache.xalan.xslt.extensions.Redirect', 'write'],
    ['saxon:output', 'http://icl.com/saxon', 'output'],
    ['xt:document', 'http://www.jclark.com/xt', 'document'],
    ['libxslt:test', 'http://xmlsoft.org/XSLT/namespace', 'test'],
  ])('XSL-10: %s writes nothing', async (_, namespace, name) => {
    const path = '/tmp/flaghoist-pwned';
    const element = `<e:${name} href="${path}" file="${path}" select="'${path}'"><a/></e:${name}>`;
    const declared = { namespaces: `xmlns:e="${namespace}"` };
    await expectRefused(sheet(element, declared), /extension of an engine/, 2);
    const asExtension = { namespaces: `xmlns:e="${namespace}" extension-element-prefixes="e"` };
    await expectRefused(sheet(element, asExtension), /extension/);
    expect(existsSync(path)).toBe(false);
  });

  test.each(['document', 'result-document', 'evaluate', 'source-document', 'script', 'for-each-group', 'function'])(
    'XSL-10: xsl:%s is not part of XSLT 1.0',
    async (name) => {
      await expectRefused(
        sheet(`<xsl:${name} href="/tmp/flaghoist-pwned"><a/></xsl:${name}>`),
        new RegExp(`xsl:${name}`),
        2,
      );
      expect(existsSync('/tmp/flaghoist-pwned')).toBe(false);
    },
  );

  test.each([
    ['http://php.net/xsl', `e:function('system', 'id')`],
    ['http://xml.apache.org/xalan/java', `e:java.lang.Runtime.getRuntime()`],
    ['http://xml.apache.org/xalan/java/java.lang.Runtime', 'e:exec(1)'],
    ['java:java.lang.Runtime', 'e:getRuntime()'],
    ['urn:schemas-microsoft-com:xslt', `e:node-set(.)`],
    ['http://saxon.sf.net/', `e:evaluate('1')`],
    ['http://icl.com/saxon', `e:expression('1')`],
    ['http://saxonica.com/ns/interactiveXSLT', `e:eval('1')`],
    ['http://saxonica.com/ns/interactiveXSLT', `e:call(., 'x')`],
    ['http://exslt.org/dynamic', `e:evaluate("document('')")`],
    ['http://exslt.org/crypto', `e:md5('1')`],
  ])('XSL-11: the functions of %s', async (namespace, call) => {
    const body = `<xsl:value-of select="${call.replaceAll('"', '&quot;')}"/>`;
    await expectRefused(sheet(body, { namespaces: `xmlns:e="${namespace}"` }), /not available/, 2);
  });

  test.each(['urn:schemas-microsoft-com:xslt', 'http://xml.apache.org/xalan', 'http://exslt.org/functions'])(
    'XSL-11: a script element of %s',
    async (namespace) => {
      const top = `\n<e:script xmlns:e="${namespace}" language="javascript" implements-prefix="u">1</e:script>`;
      await expectRefused(sheet('', { top }), /extension of an engine/, 2);
    },
  );

  test('XSL-11: prefixes of extensions other than EXSLT', async () => {
    await expectRefused(
      sheet('<a/>', { namespaces: 'xmlns:u="urn:x" extension-element-prefixes="u"' }),
      /"u" is not allowed/,
      1,
    );
    await expectRefused(sheet('<a xmlns:u="urn:x" xsl:extension-element-prefixes="u"/>'), /"u" is not allowed/, 2);
    await expectRefused(sheet('<xsl:value-of select="u:f()"/>'), /"u:f" is not declared/, 2);
  });
});

describe('without the check, the engine still cannot access anything', () => {
  /** As the engine would execute it if it were not refused. */
  function executeUnchecked(stylesheet: string): string {
    const engine = new Engine(compileEngine(), newMemory());
    const compiled = engine.run.xsltParseStylesheetDoc(parseXml(engine, stylesheet, 'stylesheet'));
    if (compiled === 0) return engine.takeOutput();
    const result = engine.run.xsltApplyStylesheet(compiled, parseXml(engine, '<a/>', 'object'), 0);
    const buffer = engine.run.xmlAllocOutputBuffer(0);
    if (result !== 0) engine.run.xsltSaveResultTo(buffer, result, compiled);
    return `${engine.takeOutput()}${engine.read(engine.run.xmlOutputBufferGetContent(buffer))}`;
  }

  test('XSL-07, XSL-08: neither document() nor xsl:include gets a file or a page', () => {
    for (const url of ['/etc/passwd', 'file:///etc/passwd', `${canary.url}/`, '/proc/self/environ']) {
      const read = executeUnchecked(sheet(`<b><xsl:copy-of select="document('${url}')"/></b>`));
      expect(read).toContain('<b/>');
      expect(read).toMatch(/failed/);
      expect(executeUnchecked(sheet('', { top: `<xsl:include href="${url}"/>` }))).toMatch(/unable to load/);
    }
    expect(canary.hits).toBe(0);
  });

  test.each([
    ['http://exslt.org/common', 'document'],
    ['http://icl.com/saxon', 'output'],
    ['org.apache.xalan.xslt.extensions.Redirect', 'write'],
  ])('XSL-10: elements of %s write no file', (namespace, name) => {
    const path = '/tmp/flaghoist-pwned';
    const namespaces = `xmlns:e="${namespace}" extension-element-prefixes="e"`;
    executeUnchecked(
      sheet(`<e:${name} href="${path}" file="${path}" select="'${path}'"><a/></e:${name}>`, { namespaces }),
    );
    expect(existsSync(path)).toBe(false);
  });
});
