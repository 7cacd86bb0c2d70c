<?xml version="1.0" encoding="UTF-8"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:param name="sender" select="'FLAGHOIST'"/>
  <xsl:template name="party">
    <xsl:param name="role">XX</xsl:param>
    <xsl:param name="of" select="/.."/>
    <party role="{$role}"><xsl:choose><xsl:when test="$of"><xsl:value-of select="$of/businessPartnerCode"/></xsl:when><xsl:otherwise>none</xsl:otherwise></xsl:choose></party>
  </xsl:template>
  <xsl:template match="/">
    <message from="{$sender}">
      <xsl:for-each select="//PortCall"><xsl:call-template name="party"><xsl:with-param name="role" select="'AG'"/><xsl:with-param name="of" select="agent"/></xsl:call-template></xsl:for-each>
      <xsl:call-template name="party"/>
    </message>
  </xsl:template>
</xsl:stylesheet>
