<?xml version="1.0" encoding="UTF-8"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:output method="text" media-type="application/json"/>
  <xsl:template match="/Voyage">{"voyage":<xsl:value-of select="key"/>,"ports":[<xsl:for-each select="portCalls/PortCall"><xsl:if test="position() &gt; 1">,</xsl:if>"<xsl:value-of select="port/unLoCode"/>"</xsl:for-each>]}</xsl:template>
</xsl:stylesheet>
