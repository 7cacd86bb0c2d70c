<?xml version="1.0" encoding="UTF-8"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:template match="/Voyage">
    <voyage><contents><xsl:apply-templates select="portCalls/PortCall" mode="contents"/></contents><xsl:apply-templates select="portCalls/PortCall" mode="detail"/></voyage>
  </xsl:template>
  <xsl:template match="PortCall" mode="contents"><entry href="#p{portCallSequence}"><xsl:value-of select="port/unLoCode"/></entry></xsl:template>
  <xsl:template match="PortCall" mode="detail"><port id="p{portCallSequence}"><xsl:apply-templates select="port/portName"/></port></xsl:template>
  <xsl:template match="portName"><name><xsl:apply-templates/></name></xsl:template>
</xsl:stylesheet>
