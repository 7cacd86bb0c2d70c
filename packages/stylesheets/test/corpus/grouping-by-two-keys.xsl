<?xml version="1.0" encoding="UTF-8"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:key name="call" match="PortCall" use="concat(currency/currencyCode, '|', reasonForCall)"/>
  <xsl:template match="/">
    <groups>
      <xsl:for-each select="//PortCall[count(. | key('call', concat(currency/currencyCode, '|', reasonForCall))[1]) = 1]">
        <group name="{currency/currencyCode}/{reasonForCall}"><xsl:value-of select="count(key('call', concat(currency/currencyCode, '|', reasonForCall)))"/></group>
      </xsl:for-each>
    </groups>
  </xsl:template>
</xsl:stylesheet>
