<?xml version="1.0" encoding="UTF-8"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:attribute-set name="base"><xsl:attribute name="unit">nm</xsl:attribute><xsl:attribute name="rounded">no</xsl:attribute></xsl:attribute-set>
  <xsl:attribute-set name="leg" use-attribute-sets="base"><xsl:attribute name="rounded">yes</xsl:attribute></xsl:attribute-set>
  <xsl:template match="/"><legs><xsl:for-each select="//PortCall"><leg xsl:use-attribute-sets="leg" unit="mile"><xsl:value-of select="round(distanceActual)"/></leg></xsl:for-each></legs></xsl:template>
</xsl:stylesheet>
