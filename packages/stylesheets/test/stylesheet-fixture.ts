// Threads for stylesheets in tests, small stylesheets, and a server that must not be called.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect } from 'vitest';
import { openStylesheets, type Stylesheets, type TransformResult } from '../src/stylesheets.ts';

/** The template for the root begins in line 2. */
export function sheet(body: string, { top = '', namespaces = '' } = {}): string {
  return (
    `<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" ${namespaces}>${top}\n<xsl:template ` +
    `match="/">${body}</xsl:template>\n</xsl:stylesheet>`
  );
}

export interface StylesheetFixture {
  stylesheets: Stylesheets;
  transform(stylesheet: string, xml?: string): Promise<TransformResult>;
  /** Refused when it is saved; executed all the same, it fails. */
  expectRefused(stylesheet: string, message: RegExp, line?: number): Promise<void>;
}

/** To be called at the top of a test file. */
export function useStylesheets(): StylesheetFixture {
  const stylesheets = openStylesheets({ threads: 1 });
  afterAll(() => stylesheets.close());
  const transform: StylesheetFixture['transform'] = async (stylesheet, xml = '<Voyage><key>1</key></Voyage>') => {
    const [result] = await stylesheets.transform([{ version: stylesheet, stylesheet, xml }]);
    const { tookMs, ...untimed } = result!;
    return untimed;
  };
  return {
    stylesheets,
    transform,
    expectRefused: async (stylesheet, message, line) => {
      const checked = await stylesheets.check(stylesheet);
      expect(checked).toMatchObject({ kind: 'mistaken', message: expect.stringMatching(message) });
      if (line !== undefined) expect(checked).toMatchObject({ line });
      expect((await transform(stylesheet)).kind).toBe('failed');
    },
  };
}

export interface Canary {
  readonly url: string;
  readonly hits: number;
  close(): void;
}

export async function openCanary(): Promise<Canary> {
  let hits = 0;
  const server = createServer((_, response) => {
    hits++;
    response.end('<canary/>');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get hits() {
      return hits;
    },
    close: () => void server.close(),
  };
}

/** Calls itself twice, `times` deep. */
export const doubling = (times: number) =>
  sheet(`<xsl:call-template name="t"><xsl:with-param name="n" select="${times}"/></xsl:call-template>`, {
    top: `<xsl:template name="t"><xsl:param name="n"/><xsl:if test="$n &gt; 0">${'<xsl:call-template name="t"><xsl:with-param name="n" select="$n - 1"/></xsl:call-template>'.repeat(2)}</xsl:if></xsl:template>`,
  });

/** Eight characters, doubled `times` times. `shown`: what is put out of it, which is called `$s`. */
export const doubledText = (times: number, shown = '$s') =>
  sheet(
    `<xsl:call-template name="t"><xsl:with-param name="n" select="${times}"/><xsl:with-param name="s" ` +
      'select="\'abcdefgh\'"/></xsl:call-template>',
    {
      top:
        '<xsl:template name="t"><xsl:param name="n"/><xsl:param name="s"/><xsl:choose><xsl:when test="$n &gt; ' +
        '0"><xsl:call-template name="t"><xsl:with-param name="n" select="$n - 1"/><xsl:with-param name="s" ' +
        `select="concat($s, $s)"/></xsl:call-template></xsl:when><xsl:otherwise><xsl:value-of select="${shown}"/></xsl:otherwise></xsl:choose></xsl:template>`,
    },
  );

export const manyNodes = (count: number) => `<a>${'<b/>'.repeat(count)}</a>`;
