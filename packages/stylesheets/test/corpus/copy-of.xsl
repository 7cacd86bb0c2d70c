<?xml version="1.0" encoding="UTF-8"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:template match="/"><copy><xsl:copy-of select="//PortCall[port/unLoCode = 'NLRTM']/port"/><xsl:copy-of select="//Cargo/quantity"/><xsl:copy-of select="'text'"/><xsl:copy-of select="1 = 1"/></copy></xsl:template>
</xsl:stylesheet>
