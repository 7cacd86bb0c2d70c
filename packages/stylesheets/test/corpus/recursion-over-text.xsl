<?xml version="1.0" encoding="UTF-8"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:output method="text"/>
  <xsl:template name="words">
    <xsl:param name="text"/>
    <xsl:param name="n" select="1"/>
    <xsl:if test="$text != ''">
      <xsl:value-of select="concat($n, '=', substring-before(concat($text, ' '), ' '), '&#10;')"/>
      <xsl:call-template name="words">
        <xsl:with-param name="text" select="substring-after($text, ' ')"/>
        <xsl:with-param name="n" select="$n + 1"/>
      </xsl:call-template>
    </xsl:if>
  </xsl:template>
  <xsl:template match="/Voyage">
    <xsl:call-template name="words"><xsl:with-param name="text" select="normalize-space(comments)"/></xsl:call-template>
  </xsl:template>
</xsl:stylesheet>
