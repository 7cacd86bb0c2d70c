<?xml version="1.0" encoding="UTF-8"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns="urn:example:voyages">
  <xsl:template match="/"><voyages><xsl:for-each select="//PortCall[position() &lt; 3]"><call xmlns=""><xsl:value-of select="key"/></call></xsl:for-each><inner/></voyages></xsl:template>
</xsl:stylesheet>
