<?xml version="1.0" encoding="UTF-8"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:template match="/">
    <calls>
      <xsl:for-each select="//PortCall">
        <xsl:sort select="currency/currencyCode"/>
        <xsl:sort select="speed" data-type="number" order="descending"/>
        <xsl:sort select="port/unLoCode" case-order="upper-first"/>
        <call><xsl:value-of select="concat(currency/currencyCode, ' ', speed, ' ', port/unLoCode)"/></call>
      </xsl:for-each>
    </calls>
  </xsl:template>
</xsl:stylesheet>
