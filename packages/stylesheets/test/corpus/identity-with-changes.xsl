<?xml version="1.0" encoding="UTF-8"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:output indent="yes"/>
  <xsl:template match="@*|node()">
    <xsl:copy><xsl:apply-templates select="@*|node()"/></xsl:copy>
  </xsl:template>
  <xsl:template match="self|createdById|changedById|PortCall/voyage|Cargo/voyage"/>
  <xsl:template match="key"><id><xsl:value-of select="."/></id></xsl:template>
  <xsl:template match="PortCall/eta[. &lt; 0] | eta"><arrival date="{substring-before(., 'T')}" time="{substring-after(., 'T')}"/></xsl:template>
</xsl:stylesheet>
