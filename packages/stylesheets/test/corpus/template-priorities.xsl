<?xml version="1.0" encoding="UTF-8"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:template match="/"><p><xsl:apply-templates select="//PortCall"/></p></xsl:template>
  <xsl:template match="PortCall"><any/></xsl:template>
  <xsl:template match="PortCall[reasonForCall = 'L']"><load/></xsl:template>
  <xsl:template match="PortCall[port/unLoCode = 'BEANR']" priority="2"><antwerp/></xsl:template>
  <xsl:template match="portCalls/PortCall[last()]"><last/></xsl:template>
</xsl:stylesheet>
