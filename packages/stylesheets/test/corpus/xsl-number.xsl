<?xml version="1.0" encoding="UTF-8"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:template match="/"><n><xsl:for-each select="//PortCall"><i><xsl:number format="01. "/><xsl:number value="position() * 9" format="I"/><xsl:text> </xsl:text><xsl:number value="position() * 13" format="a"/></i></xsl:for-each><xsl:for-each select="//key[. = 9002]"><m><xsl:number level="multiple" count="PortCall|Remarks" format="1.A"/></m><any><xsl:number level="any" count="key"/></any></xsl:for-each><g><xsl:number value="1234567" grouping-separator="," grouping-size="3"/></g></n></xsl:template>
</xsl:stylesheet>
