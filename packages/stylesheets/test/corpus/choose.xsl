<?xml version="1.0" encoding="UTF-8"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:template match="/"><states><xsl:for-each select="//PortCall"><xsl:choose><xsl:when test="not(etd)"><open/></xsl:when><xsl:when test="arrivalFixed = 'true'"><fixed/></xsl:when><xsl:when test="speed &gt;= 13 and daysAtSea &lt; 1 or reasonForCall = 'C'"><other/></xsl:when><xsl:otherwise><plain><xsl:if test="agent">agent</xsl:if></plain></xsl:otherwise></xsl:choose></xsl:for-each></states></xsl:template>
</xsl:stylesheet>
