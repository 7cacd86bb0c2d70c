<?xml version="1.0" encoding="UTF-8"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:exsl="http://exslt.org/common" exclude-result-prefixes="exsl">
  <xsl:output indent="yes"/>
  <xsl:template match="/">
    <xsl:variable name="ports"><xsl:for-each select="//PortCall"><xsl:sort select="port/portName"/><p n="{position()}"><xsl:value-of select="port/portName"/></p></xsl:for-each></xsl:variable>
    <out type="{exsl:object-type($ports)}" count="{count(exsl:node-set($ports)/p)}"><xsl:copy-of select="exsl:node-set($ports)/p[@n &lt; 4]"/></out>
  </xsl:template>
</xsl:stylesheet>
