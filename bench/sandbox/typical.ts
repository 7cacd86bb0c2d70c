// Typical scripts and stylesheets: a script that compares two fields, iterates over the port calls and writes a
// message, and a stylesheet that picks fields and lists the port calls in order. Also hostile ones.

export const scriptsAtOnce = 100;
/** How many of them return true. */
export const scriptsTrue = 10;

/** Each with a distinct text. The first ten return true for every change of the benchmark. */
export function typicalScript(n: number): string {
  const callsMin = n < scriptsTrue ? 1 : 1_000;
  return `// Rule ${n}
if (svcObject.comments === oldSvcObject.comments) return false;
let calls = 0;
let days = 0;
for (const call of svcObject.portCalls) {
  if (call.reasonForCall === 'B') continue;
  calls += 1;
  days += (Date.parse(call.etd) - Date.parse(call.eta)) / 86400000;
}
if (calls < ${callsMin}) return false;
message.subject = \`Voyage \${svcObject.key}: \${svcObject.comments}\`;
message.body = {
  rule: ${n},
  voyage: svcObject.key,
  status: svcObject.voyageStatus,
  before: oldSvcObject.comments,
  after: svcObject.comments,
  calls,
  days: Math.round(days * 10) / 10,
};
return true;`;
}

export const typicalStylesheet = `<?xml version="1.0" encoding="UTF-8"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:output method="xml" encoding="UTF-8" indent="yes"/>
  <xsl:template match="/Voyage">
    <voyage number="{key}">
      <status><xsl:value-of select="voyageStatus"/></status>
      <comments><xsl:value-of select="comments"/></comments>
      <freight><xsl:value-of select="format-number(freight, '#,##0.00')"/></freight>
      <calls count="{count(portCalls/PortCall)}">
        <xsl:for-each select="portCalls/PortCall">
          <xsl:sort select="eta" order="descending"/>
          <call no="{position()}" reason="{reasonForCall}">
            <xsl:value-of select="concat(eta, ' to ', etd)"/>
          </call>
        </xsl:for-each>
      </calls>
    </voyage>
  </xsl:template>
</xsl:stylesheet>`;

export const loopingScript = 'while (1) {}';
export const greedyScript = 'const a = []; while (1) a.push(new Array(1e5).fill(1));';
/** 2^40 templates. */
export const endlessStylesheet = stylesheetOf(
  '<xsl:call-template name="t"><xsl:with-param name="n" select="40"/></xsl:call-template>',
  `<xsl:template name="t"><xsl:param name="n"/><xsl:if test="$n &gt; 0">
    <xsl:call-template name="t"><xsl:with-param name="n" select="$n - 1"/></xsl:call-template>
    <xsl:call-template name="t"><xsl:with-param name="n" select="$n - 1"/></xsl:call-template></xsl:if></xsl:template>`,
);

/** Its text doubles in each step. */
export const greedyStylesheet = stylesheetOf(
  '<xsl:call-template name="t"><xsl:with-param name="s" select="\'xy\'"/></xsl:call-template>',
  `<xsl:template name="t"><xsl:param name="s"/>
    <xsl:call-template name="t"><xsl:with-param name="s" select="concat($s, $s)"/></xsl:call-template></xsl:template>`,
);

export function stylesheetOf(content: string, top = ''): string {
  return `<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
<xsl:template match="/"><x>${content}</x></xsl:template>${top}</xsl:stylesheet>`;
}
