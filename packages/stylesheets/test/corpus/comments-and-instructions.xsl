<?xml version="1.0" encoding="UTF-8"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:output omit-xml-declaration="yes"/>
  <xsl:template match="/"><xsl:comment> made of <xsl:value-of select="//referenceNo"/> </xsl:comment><xsl:processing-instruction name="target">key="<xsl:value-of select="/Voyage/key"/>"</xsl:processing-instruction><doc/></xsl:template>
</xsl:stylesheet>
