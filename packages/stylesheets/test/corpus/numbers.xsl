<?xml version="1.0" encoding="UTF-8"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:output method="text"/>
  <xsl:template match="/Voyage">
    <xsl:for-each select="freight|commission|foConsumption|daysTotal|referenceNo"><xsl:value-of select="number()"/>;<xsl:value-of select="round(.)"/>;<xsl:value-of select="floor(.)"/>;<xsl:value-of select="ceiling(.)"/>;<xsl:value-of select=". * 3"/>;<xsl:value-of select=". div 7"/>;<xsl:value-of select=". mod 7"/><xsl:text>
</xsl:text></xsl:for-each><xsl:value-of select="number('x')"/>;<xsl:value-of select="1 div 0"/>;<xsl:value-of select="-1 div 0"/>;<xsl:value-of select="0.1 + 0.2"/>;<xsl:value-of select="100000000000000000000"/>;<xsl:value-of select="sum(//distanceActual)"/></xsl:template>
</xsl:stylesheet>
