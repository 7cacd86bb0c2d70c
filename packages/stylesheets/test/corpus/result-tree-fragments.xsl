<?xml version="1.0" encoding="UTF-8"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:output encoding="UTF-8"/>
  <xsl:variable name="header"><head><xsl:value-of select="/Voyage/referenceNo"/></head></xsl:variable>
  <xsl:template match="/">
    <xsl:variable name="line"><b><xsl:value-of select="//vesselName"/></b>!</xsl:variable>
    <out length="{string-length($line)}" text="{$line}"><xsl:copy-of select="$header"/><xsl:copy-of select="$line"/><xsl:value-of select="$header"/></out>
  </xsl:template>
</xsl:stylesheet>
