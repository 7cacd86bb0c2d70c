<?xml version="1.0" encoding="UTF-8"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:output method="text" encoding="utf-8"/>
  <xsl:template name="field"><xsl:param name="of"/><xsl:text>"</xsl:text><xsl:call-template name="double"><xsl:with-param name="text" select="string($of)"/></xsl:call-template><xsl:text>"</xsl:text></xsl:template>
  <xsl:template name="double"><xsl:param name="text"/><xsl:choose><xsl:when test="contains($text, '&quot;')"><xsl:value-of select="substring-before($text, '&quot;')"/>""<xsl:call-template name="double"><xsl:with-param name="text" select="substring-after($text, '&quot;')"/></xsl:call-template></xsl:when><xsl:otherwise><xsl:value-of select="$text"/></xsl:otherwise></xsl:choose></xsl:template>
  <xsl:template match="/">
    <xsl:text>sequence;port;agent;eta&#13;&#10;</xsl:text>
    <xsl:for-each select="//PortCall"><xsl:value-of select="portCallSequence"/>;<xsl:call-template name="field"><xsl:with-param name="of" select="port/portName"/></xsl:call-template>;<xsl:call-template name="field"><xsl:with-param name="of" select="agent/businessPartnerName"/></xsl:call-template>;<xsl:value-of select="eta"/><xsl:text>&#13;&#10;</xsl:text></xsl:for-each>
  </xsl:template>
</xsl:stylesheet>
