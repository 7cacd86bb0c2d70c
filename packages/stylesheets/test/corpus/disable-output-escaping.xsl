<?xml version="1.0" encoding="UTF-8"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:template match="/"><x><xsl:text disable-output-escaping="yes">&lt;raw/&gt; &amp;amp; </xsl:text><xsl:value-of select="//comments" disable-output-escaping="no"/></x></xsl:template>
</xsl:stylesheet>
