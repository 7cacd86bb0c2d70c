<?xml version="1.0" encoding="UTF-8"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:o="urn:example:alias">
  <xsl:namespace-alias stylesheet-prefix="o" result-prefix="xsl"/>
  <xsl:template match="/"><o:stylesheet version="1.0"><o:template match="{name(*)}"><o:value-of select="key"/></o:template></o:stylesheet></xsl:template>
</xsl:stylesheet>
