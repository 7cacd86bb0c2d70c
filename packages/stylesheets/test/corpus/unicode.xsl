<?xml version="1.0" encoding="UTF-8"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:output encoding="UTF-8"/>
  <xsl:template match="/"><ü attr="ñ&#x1F6A2;"><xsl:value-of select="//comments"/> – «&#x10FFFF;» <xsl:value-of select="//PortCall[4]/port/portName"/></ü></xsl:template>
</xsl:stylesheet>
