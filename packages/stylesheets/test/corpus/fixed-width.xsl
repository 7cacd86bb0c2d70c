<?xml version="1.0" encoding="UTF-8"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:output method="text"/>
  <xsl:variable name="blanks" select="'                                        '"/>
  <xsl:template match="/">
    <xsl:for-each select="//PortCall"><xsl:value-of select="substring(concat(port/unLoCode, $blanks), 1, 8)"/><xsl:value-of select="substring(concat(port/portName, $blanks), 1, 15)"/><xsl:value-of select="format-number(distanceActual, '00000.00')"/><xsl:value-of select="translate(substring(eta, 1, 16), '-T:', '')"/><xsl:text>&#10;</xsl:text></xsl:for-each>
  </xsl:template>
</xsl:stylesheet>
