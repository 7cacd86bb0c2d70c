<?xml version="1.0" encoding="UTF-8"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:template match="/"><list count="{count(//PortCall)}"><xsl:for-each select="//Cargo"><c n="{position()}" of="{last()}" before="{count(preceding-sibling::Cargo)}"><xsl:if test="position() != last()">,</xsl:if></c></xsl:for-each><l><xsl:value-of select="//PortCall[last() - 1]/port/unLoCode"/></l><m><xsl:value-of select="count(//PortCall[position() mod 2 = 0])"/></m></list></xsl:template>
</xsl:stylesheet>
