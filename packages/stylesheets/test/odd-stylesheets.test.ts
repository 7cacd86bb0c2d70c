// Stylesheets with mistakes, and with what is strange but allowed.

import { describe, expect, test } from 'vitest';
import { sheet, useStylesheets } from './stylesheet-fixture.ts';

const { stylesheets, transform, expectRefused } = useStylesheets();

describe('odd stylesheets get a message that says what is wrong', () => {
  test.each([
    ['nothing', '', /empty/, 1],
    ['no stylesheet', '<a/>', /not a stylesheet/, 1],
    ['not well-formed', sheet('\n\n<a>'), /mismatch/, 4],
    ['a bad expression', sheet('\n<xsl:value-of select="a["/>'), /'a\['/, 3],
    ['a bad pattern', sheet('', { top: '<xsl:template match="a[["/>' }), /a\[\[/, 1],
    ['a prefix that is not declared', sheet('<u:a/>'), /prefix u/i, 2],
    ['NUL', sheet('<a>\0</a>'), /./, undefined],
    ['a control character', sheet('<a>\u0001</a>'), /./, 2],
    ['a control character as a reference', sheet('<a>&#1;</a>'), /./, 2],
    ['an entity of nobody', sheet('<a>&nbsp;</a>'), /nbsp/, 2],
    ['300 levels of elements', sheet(`${'<a>'.repeat(300)}${'</a>'.repeat(300)}`), /depth/, 2],
    [
      '20,000 levels of brackets',
      sheet(`<xsl:value-of select="${'('.repeat(20_000)}1${')'.repeat(20_000)}"/>`),
      /Recursion limit/,
      2,
    ],
  ])('%s', async (_, stylesheet, message, line) => {
    expect(await stylesheets.check(stylesheet)).toMatchObject({
      kind: 'mistaken',
      message: expect.stringMatching(message),
    });
    if (line !== undefined) expect(await stylesheets.check(stylesheet)).toMatchObject({ line });
  });

  test.each([
    ['<a>&#1;</a>', 'CharRef: invalid xmlChar value 1.'],
    ['<a>&#xFFFFFFFF;</a>', 'CharRef: character reference out of bounds.'],
    ['<a>& b</a>', 'EntityRef: no name.'],
    ['</xsl:template><xsl:template match="a[[">', "template: failed to compile 'a[['."],
  ])('the message about %s says what is wrong, without the name of an engine function', async (body, message) => {
    expect(await stylesheets.check(sheet(body))).toEqual({ kind: 'mistaken', message, line: 2 });
  });

  test('a billion laughs are rejected because of their DOCTYPE', async () => {
    const entities = Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join('');
    await expectRefused(`<!DOCTYPE x [<!ENTITY l0 "lol">${entities}]>${sheet('<a>&l9;</a>')}`, /DOCTYPE/);
    await expectRefused(`<!DOCTYPE x [<!ENTITY l0 "lol">${entities}]>${sheet('<a b="&l9;"/>')}`, /DOCTYPE/);
  });

  test('attributes of 200,000 characters and names of 40,000 work', async () => {
    const long = 'x'.repeat(200_000);
    expect(await transform(sheet(`<a b="${long}"/>`))).toMatchObject({
      kind: 'made',
      body: expect.stringContaining(long),
    });
    expect((await stylesheets.check(sheet(`<xsl:value-of select="${long.slice(0, 40_000)}"/>`))).kind).toBe('fits');
    expect((await stylesheets.check(sheet(`<xsl:value-of select="${'1+'.repeat(100_000)}1"/>`))).kind).toBe('fits');
  });

  test.each([
    [`format-number(1 div 0, '#;;;0%')`],
    [`format-number(1e300, '${'#'.repeat(5_000)}.${'0'.repeat(5_000)}')`],
    [`format-number('x', '')`],
    [`format-number(1, 'abc')`],
    [`format-number(-1, '0;0')`],
    [`substring('abc', 0 div 0, 1 div 0)`],
    [`str:padding(2000000000, 'ab')`],
  ])('%s harms nothing', async (call) => {
    await transform(sheet(`<xsl:value-of select="${call}"/>`, { namespaces: 'xmlns:str="http://exslt.org/strings"' }));
    expect((await transform(sheet('<a/>'))).kind).toBe('made');
  });

  test('a key that uses itself harms nothing', async () => {
    const top = `<xsl:key name="k" match="*" use="key('k', .)"/>`;
    await transform(sheet(`<xsl:value-of select="key('k', 1)"/>`, { top }));
    expect((await transform(sheet('<a/>'))).kind).toBe('made');
  });

  test('a version that is too new is read as 1.0', async () => {
    expect(await transform(sheet('<a/>').replace('version="1.0"', 'version="3.0"'))).toMatchObject({ kind: 'made' });
  });
});
