// What the engine makes of real kinds of stylesheets, byte for byte. The expected files were written by xsltproc.

import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { renderObjectXml } from '../../server/src/render/object-xml.ts';
import { typeOf } from '../../server/test/snapshots/payload-fixture.ts';
import { sheet, useStylesheets } from './stylesheet-fixture.ts';

const { stylesheets, transform } = useStylesheets();

const folder = fileURLToPath(new URL('./corpus/', import.meta.url));
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.xsl'))
  .map((file) => file.slice(0, -4));
const read = (file: string) => readFileSync(folder + file, 'utf8');
const xml = read('voyage.xml').trimEnd();

async function make(stylesheet: string): Promise<{ body: string; contentType: string }> {
  const result = await transform(stylesheet, xml);
  if (result.kind !== 'made') throw new Error(JSON.stringify(result));
  return result;
}

test('the object of these tests is rendered as this XML', () => {
  expect(renderObjectXml(typeOf('Voyage'), read('voyage.json').trim())).toBe(xml);
});

test.each(names)('%s: the same bytes as are stored', async (name) => {
  expect(await stylesheets.check(read(`${name}.xsl`))).toEqual({ kind: 'fits' });
  expect((await make(read(`${name}.xsl`))).body).toBe(read(`${name}.out`));
});

const hasXsltproc = spawnSync('xsltproc', ['--version']).status === 0;

describe.skipIf(!hasXsltproc)(hasXsltproc ? 'xsltproc' : 'skipped, because xsltproc is not installed', () => {
  test.each(names)('%s: xsltproc makes what is stored', (name) => {
    const made = execFileSync('xsltproc', ['--nonet', `${folder}${name}.xsl`, `${folder}voyage.xml`], {
      encoding: 'utf8',
    });
    expect(made).toBe(read(`${name}.out`));
  });
});

test(
  'the engine is newer than the xsltproc of Debian 12, and ' + 'these are all the differences that were found',
  async () => {
    const half = await make(sheet(`<a><xsl:value-of select="format-number(486.25, '0.0')"/></a>`));
    expect(half.body, 'a half is rounded to the even digit, as the JDK does, to which XSLT 1.0 refers').toContain(
      '486.2',
    );
    const attribute = await make(sheet('<a b="é"/>'));
    expect(attribute.body, 'attributes are not escaped where no encoding is set').toContain('b="é"');
    const html = await make(sheet(`<html><head/><body title='"'/></html>`));
    expect(html.body, 'HTML has its charset and its quotes as HTML 5 has them').toContain('<meta charset="UTF-8">');
    expect(html.body).toContain('title="&quot;"');
  },
);

describe('the output is UTF-8', () => {
  test.each(['ISO-8859-1', 'UTF-16', 'windows-1252', 'US-ASCII', 'nonsense'])(
    'also where %s is asked for, and says so',
    async (encoding) => {
      const { body } = await make(sheet('<a b="é">Gdańsk 🚢</a>', { top: `<xsl:output encoding="${encoding}"/>` }));
      expect(body).toBe('<?xml version="1.0" encoding="UTF-8"?>\n<a b="é">Gdańsk 🚢</a>\n');
    },
  );
});

describe('the content type', () => {
  test.each([
    ['', '<a/>', 'application/xml'],
    ['<xsl:output method="xml"/>', '<html/>', 'application/xml'],
    ['<xsl:output method="html"/>', '<a/>', 'text/html'],
    ['', '<html/>', 'text/html'],
    ['<xsl:output method="text"/>', 'a', 'text/plain'],
    ['<xsl:output method="text" media-type="application/json"/>', '{}', 'application/json'],
    [
      '<xsl:output media-type="application/vnd.example+xml" encoding="ISO-8859-1"/>',
      '<a/>',
      'application/vnd.example+xml',
    ],
    ['<xsl:output media-type="a/b&#13;&#10;X-Evil: 1"/>', '<a/>', 'application/xml'],
    ['<xsl:output media-type="text/xml; charset=iso-8859-1"/>', '<a/>', 'application/xml'],
  ])('of %s around %s is %s', async (output, body, expected) => {
    expect((await make(sheet(body, { top: output }))).contentType).toBe(`${expected}; charset=utf-8`);
  });
});
