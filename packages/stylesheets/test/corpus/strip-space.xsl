<?xml version="1.0" encoding="UTF-8"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:strip-space elements="*"/>
  <xsl:preserve-space elements="comments"/>
  <xsl:output indent="yes"/>
  <xsl:template match="/"><all> <xsl:text>  </xsl:text><kept xml:space="preserve"> <i/> </kept><xsl:copy-of select="//comments"/></all></xsl:template>
</xsl:stylesheet>
