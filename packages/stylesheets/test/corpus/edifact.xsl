<?xml version="1.0" encoding="UTF-8"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:output method="text"/>
  <xsl:strip-space elements="*"/>
  <xsl:template match="/Voyage">UNB+UNOC:3+FLAGHOIST+PORT'<xsl:text/>
BGM+98+<xsl:value-of select="referenceNo"/>+9'<xsl:text/>
TDT+20+<xsl:value-of select="key"/>+1+++++:::<xsl:value-of select="translate(vessel/vesselName, 'æøåÆØÅ', 'aoaAOA')"/>'<xsl:apply-templates select="portCalls"/>
UNT+<xsl:value-of select="3 + 2 * count(portCalls/PortCall)"/>+1'
</xsl:template>
  <xsl:template match="PortCall">
LOC+<xsl:choose><xsl:when test="reasonForCall = 'L'">9</xsl:when><xsl:when test="reasonForCall = 'D'">11</xsl:when><xsl:otherwise>153</xsl:otherwise></xsl:choose>+<xsl:value-of select="port/unLoCode"/>'
DTM+132:<xsl:value-of select="translate(substring(eta, 1, 16), '-T:', '')"/>:203'</xsl:template>
</xsl:stylesheet>
