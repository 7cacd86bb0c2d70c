// Stylesheets that exceed a limit: each is ended, and affects no other.

import { PoolBusy } from '@flaghoist/thread-pool';
import { describe, expect, test } from 'vitest';
import { compileEngine } from '../src/engine-binary.ts';
import { openStylesheets } from '../src/stylesheets.ts';
import { Transformer } from '../src/transformer.ts';
import { doubledText, doubling, manyNodes, sheet, useStylesheets } from './stylesheet-fixture.ts';

const { stylesheets, transform, expectRefused } = useStylesheets();

describe('what does not end is ended', () => {
  test.each([
    [
      'call-template',
      sheet('<xsl:call-template name="t"/>', {
        top: '<xsl:template name="t"><xsl:call-template name="t"/></xsl:template>',
      }),
    ],
    ['apply-templates', sheet('<xsl:apply-templates select="."/>')],
    [
      'a variable in for-each',
      sheet('<xsl:call-template name="t"/>', {
        top:
          '<xsl:template name="t"><xsl:for-each select="/*"><xsl:variable name="v"><xsl:call-template ' +
          'name="t"/></xsl:variable></xsl:for-each></xsl:template>',
      }),
    ],
    [
      'a function of its own',
      sheet('<xsl:value-of select="m:f()"/>', {
        namespaces: 'xmlns:m="urn:m" xmlns:f="http://exslt.org/functions" extension-element-prefixes="f"',
        top: '<f:function name="m:f"><f:result select="m:f()"/></f:function>',
      }),
    ],
    [
      'variables in a circle',
      sheet('<xsl:value-of select="$a"/>', {
        top: '<xsl:variable name="a" select="$b"/><xsl:variable name="b" select="$a"/>',
      }),
    ],
    [
      'attribute sets in a circle',
      sheet('<a xsl:use-attribute-sets="s"/>', { top: '<xsl:attribute-set name="s" use-attribute-sets="s"/>' }),
    ],
  ])('XSL-13: recursion without end: %s', async (_, stylesheet) => {
    const started = performance.now();
    const result = await transform(stylesheet);
    expect(result.kind).toBe('failed');
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  test('XSL-13: recursion that ends, 900 deep, is allowed', async () => {
    const top =
      '<xsl:template name="t"><xsl:param name="n"/><xsl:choose><xsl:when test="$n &gt; 0"><xsl:call-template ' +
      'name="t"><xsl:with-param name="n" select="$n - ' +
      '1"/></xsl:call-template></xsl:when><xsl:otherwise><end/></xsl:otherwise></xsl:choose></xsl:template>';
    const stylesheet = sheet(
      '<xsl:call-template name="t"><xsl:with-param name="n" select="900"/></xsl:call-template>',
      { top },
    );
    expect(await transform(stylesheet)).toMatchObject({ kind: 'made', body: expect.stringContaining('<end/>') });
  });

  test.each([
    ['2^26 templates', doubling(26), '<a/>'],
    [
      'a product of 10,000 and 10,000 nodes',
      sheet(
        '<xsl:for-each select="//b"><xsl:for-each select="//b"><xsl:if test="position() = ' +
          '-1">x</xsl:if></xsl:for-each></xsl:for-each>',
      ),
      manyNodes(10_000),
    ],
    [
      'an XPath over all pairs of nodes',
      sheet('<xsl:value-of select="count(//b[count(//b[. = current()]) &gt; 20000])"/>'),
      manyNodes(10_000),
    ],
    [
      'a sort of a sort',
      sheet('<xsl:for-each select="//b"><xsl:sort select="count(//b[. = current()])"/>x</xsl:for-each>'),
      manyNodes(10_000),
    ],
    [
      'a key whose use walks everything',
      sheet(`<xsl:value-of select="count(key('k', 'x'))"/>`, {
        top: '<xsl:key name="k" match="b" use="concat(count(//b[. = current()]), count(preceding::*))"/>',
      }),
      manyNodes(10_000),
    ],
  ])('XSL-14: %s is killed after a second', async (_, stylesheet, xml) => {
    const started = performance.now();
    expect(await transform(stylesheet, xml)).toEqual({
      kind: 'failed',
      message: 'The stylesheet took longer than 1000 ms.',
      isOverTime: true,
    });
    expect(performance.now() - started).toBeLessThan(8_000);
  });

  test('XSL-14: //*//*//* on 10,000 nodes ends in time: no node is visited for each pair', async () => {
    const result = await transform(sheet('<xsl:value-of select="count(//*//*//*)"/>'), manyNodes(10_000));
    expect(result).toMatchObject({ kind: 'made', body: expect.stringContaining('\n0\n') });
  });

  test('XSL-14: text that doubles 30 times runs out of memory, which is bounded', async () => {
    const result = await transform(doubledText(30));
    expect(result).toEqual({ kind: 'failed', message: 'The stylesheet needs too much memory.', isOverTime: true });
  });

  test('the limit is 64 MB: texts of 16 MB in all fit beside the copies made on the way, texts of 32 MB do not', () => {
    // In this thread, where no limit of time ends it first.
    const transformer = new Transformer(compileEngine());
    const measure = (times: number) => {
      const stylesheet = doubledText(times, 'string-length($s)');
      return transformer.transform({ version: `${times}`, stylesheet, xml: '<a/>' });
    };
    expect(measure(20)).toMatchObject({ kind: 'made', body: expect.stringContaining(`${8 * 2 ** 20}`) });
    expect(measure(21)).toMatchObject({ kind: 'failed', message: 'The stylesheet needs too much memory.' });
  });

  test('XSL-14: the memory of many that ran out of it does not add up', async () => {
    const before = process.memoryUsage().rss;
    for (let n = 0; n < 20; n++) await transform(doubledText(30));
    expect((process.memoryUsage().rss - before) / 1e6).toBeLessThan(300);
  });

  test('XSL-16: regular expressions, which could run without end, are not supported', async () => {
    for (const call of [`matches('aaaa', '(a+)+$')`, `replace('aaaa', '(a+)+$', '')`, `tokenize('aaaa', '(a+)+$')`])
      await expectRefused(sheet(`<xsl:value-of select="${call}"/>`), /not part of XSLT 1.0/, 2);
    const namespaces = 'xmlns:r="http://exslt.org/regular-expressions"';
    await expectRefused(sheet(`<xsl:value-of select="r:test('a', '(a+)+$')"/>`, { namespaces }), /not available/, 2);
  });

  test('more output than 1 MB is a failure that says so', async () => {
    expect(await transform(doubledText(17))).toMatchObject({
      message: 'The output of the stylesheet is larger than 1000000 bytes.',
    });
    expect((await transform(doubledText(16))).kind).toBe('made');
  });
});

describe('one that fails does not affect the others', () => {
  test('XSL-14: in a batch, all others are made', async () => {
    const good = sheet('<a><xsl:value-of select="/Voyage/key"/></a>');
    const bad = [
      doubling(26),
      doubledText(30),
      sheet('<xsl:apply-templates select="."/>'),
      '<a',
      sheet('<xsl:value-of select="$x"/>'),
    ];
    // Two batches, each in the time that a batch has.
    for (const batch of ['one', 'another']) {
      const transforms = bad.flatMap((stylesheet, n) => [
        { version: `good ${n} of ${batch}`, stylesheet: good, xml: `<Voyage><key>${n}</key></Voyage>` },
        { version: `bad ${n} of ${batch}`, stylesheet, xml: '<Voyage/>' },
      ]);
      const results = await stylesheets.transform(transforms);
      for (const [n, result] of results.entries())
        if (n % 2 === 1) expect(result.kind).toBe('failed');
        else expect(result).toMatchObject({ kind: 'made', body: expect.stringContaining(`<a>${n / 2}</a>`) });
    }
  });

  test('XSL-17: xsl:message terminate="yes" is a failure with its text', async () => {
    const body =
      '<a><xsl:message>so far</xsl:message><xsl:message terminate="yes">Voyage <xsl:value-of ' +
      'select="/Voyage/key"/> has no Łódź</xsl:message></a>';
    expect(await stylesheets.check(sheet(body))).toEqual({ kind: 'fits' });
    expect(await transform(sheet(body))).toEqual({
      kind: 'failed',
      message: 'The stylesheet terminated itself: so far\nVoyage 1 has no Łódź',
      isOverTime: false,
    });
  });

  test.each([
    'runtime error: file stylesheet line 77 element value-of\nNo such thing',
    'runtime error: line 77 element x\nNo such thing',
    'runtime error\nNo such thing',
    'compilation error: element x\nNo such thing',
    'stylesheet:77: parser error : No such thing',
    'object:77: parser error : No such thing',
  ])('a message that looks like an error of the engine is reported as a message: %j', async (message) => {
    const ended = sheet(`<a><xsl:message terminate="yes">${message}</xsl:message></a>`);
    expect(await transform(ended)).toEqual({
      kind: 'failed',
      message: `The stylesheet terminated itself: ${message}`,
      isOverTime: false,
    });
    const mistaken = sheet(`<a><xsl:message>${message}</xsl:message>\n<xsl:value-of select="$none"/></a>`);
    expect(await transform(mistaken)).toMatchObject({
      message: expect.stringMatching(/^Line \d of the stylesheet: value-of: Variable 'none' has not been declared\.$/),
    });
  });

  const messages: Record<string, string> = {
    'one message of 100,000 characters': `<xsl:message>${'x'.repeat(100_000)}</xsl:message>`,
    '2,000 messages': '<xsl:message>Łódź is not known</xsl:message>'.repeat(2_000),
  };

  test.each(Object.entries(messages))('after %s the failure is still told, with its line', async (_, said) => {
    expect(await transform(sheet(`<a>${said}\n<xsl:value-of select="$none"/></a>`))).toMatchObject({
      message: "Line 3 of the stylesheet: value-of: Variable 'none' has not been declared.",
    });
    const ended = await transform(sheet(`<a>${said}<xsl:message terminate="yes">Łódź at last</xsl:message></a>`));
    expect(ended).toMatchObject({
      message: expect.stringMatching(/^The stylesheet terminated itself: .*\nŁódź at last$/s),
    });
    expect(ended).toHaveProperty('message.length', 500 + 'The stylesheet terminated itself: '.length);
  });

  test('xsl:message alone changes nothing', async () => {
    const message = 'runtime error: file stylesheet line 1 element x';
    const result = await transform(sheet(`<a><xsl:message>${message}</xsl:message></a>`));
    expect(result).toMatchObject({ kind: 'made', body: '<?xml version="1.0"?>\n<a/>\n' });
  });

  test('XSL-22: a valid stylesheet that fails with one object reports why, and works with the next', async () => {
    const stylesheet = sheet(
      '<a><xsl:if test="/Voyage/key = 2"><xsl:value-of select="$none"/></xsl:if>\n<xsl:value-of select="/Voyage/key"/></a>',
    );
    expect(await stylesheets.check(stylesheet)).toEqual({ kind: 'fits' });
    const results = await stylesheets.transform(
      [1, 2, 3].map((key) => ({ version: 'XSL-22', stylesheet, xml: `<Voyage><key>${key}</key></Voyage>` })),
    );
    expect(results.map(({ kind }) => kind)).toEqual(['made', 'failed', 'made']);
    expect(results[1]).toMatchObject({
      message: `Line 2 of the stylesheet: value-of: Variable 'none' has not been declared.`,
    });
  });
});

describe('nothing piles up', () => {
  test(
    'the memory of a thread stays flat over many transforms, ' + 'compiled stylesheets that are dropped, and failures',
    () => {
      const transformer = new Transformer(compileEngine());
      const xml = `<Voyage>${'<PortCall><key>1</key></PortCall>'.repeat(10)}</Voyage>`;
      const body =
        '<a><xsl:for-each select="//key"><xsl:sort select="."/><b c="{.}"><xsl:copy-of ' +
        'select=".."/></b></xsl:for-each></a>';
      const stylesheet = sheet(body, { top: `<xsl:key name="k" match="*" use="."/><!-- ${'x'.repeat(2_000)} -->` });
      const failing = sheet('<a><xsl:value-of select="$none"/></a>');
      const work = (times: number) => {
        for (let n = 0; n < times; n++) {
          transformer.transform({ version: `${n % 400}`, stylesheet, xml });
          if (n % 10 === 0) transformer.transform({ version: 'failing', stylesheet: failing, xml });
          if (n % 10 === 5) transformer.check(failing.replace('$none', 'a['));
        }
      };
      work(2_000);
      const before = process.memoryUsage().rss;
      work(10_000);
      expect((process.memoryUsage().rss - before) / 1e6).toBeLessThan(20);
    },
  );

  test('after it is closed, work rejects with PoolBusy', async () => {
    const closed = openStylesheets({ threads: 2 });
    expect(closed.freeThreads).toBe(2);
    await closed.close();
    expect(closed.freeThreads).toBe(0);
    await expect(closed.check('<a/>')).rejects.toBeInstanceOf(PoolBusy);
    await expect(closed.transform([{ version: 'a', stylesheet: '', xml: '' }])).rejects.toBeInstanceOf(PoolBusy);
  });
});
