<?xml version="1.0" encoding="UTF-8"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:output method="text"/>
  <xsl:decimal-format name="eu" decimal-separator="," grouping-separator="."/>
  <xsl:decimal-format name="odd" minus-sign="~" NaN="none" infinity="endless" zero-digit="0" digit="#" pattern-separator=";"/>
  <xsl:template match="/Voyage">
    <xsl:value-of select="format-number(freight, '#,##0.00')"/><xsl:text>&#10;</xsl:text>
    <xsl:value-of select="format-number(freight, '#.##0,00', 'eu')"/><xsl:text>&#10;</xsl:text>
    <xsl:value-of select="format-number(commission, '#,##0.00;(#,##0.00)')"/><xsl:text>&#10;</xsl:text>
    <xsl:value-of select="format-number(commission, '#0.0', 'odd')"/><xsl:text>&#10;</xsl:text>
    <xsl:value-of select="format-number(demurrage, '#0.0', 'odd')"/><xsl:text>&#10;</xsl:text>
    <xsl:value-of select="format-number(1 div 0, '#0.0', 'odd')"/><xsl:text>&#10;</xsl:text>
    <xsl:value-of select="format-number(daysWaiting div 7, '0%')"/><xsl:text>&#10;</xsl:text>
    <xsl:value-of select="format-number(foConsumption, '0.0000000')"/><xsl:text>&#10;</xsl:text>
    <xsl:value-of select="format-number(daysTotal, '000000')"/><xsl:text>&#10;</xsl:text>
  </xsl:template>
</xsl:stylesheet>
