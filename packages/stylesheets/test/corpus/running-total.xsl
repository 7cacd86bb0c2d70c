<?xml version="1.0" encoding="UTF-8"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:template match="/">
    <legs><xsl:apply-templates select="/Voyage/portCalls/PortCall[1]"/></legs>
  </xsl:template>
  <xsl:template match="PortCall">
    <xsl:param name="miles" select="0"/>
    <xsl:variable name="sum" select="$miles + distanceActual"/>
    <leg to="{port/unLoCode}" sum="{$sum}"/>
    <xsl:apply-templates select="following-sibling::PortCall[1]"><xsl:with-param name="miles" select="$sum"/></xsl:apply-templates>
  </xsl:template>
</xsl:stylesheet>
