<?xml version="1.0" encoding="UTF-8"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:template match="/"><axes><a><xsl:for-each select="//PortCall[3]/ancestor::*"><xsl:value-of select="name()"/>/</xsl:for-each></a><b><xsl:value-of select="count(//PortCall[3]/preceding::key)"/></b><c><xsl:value-of select="count(//PortCall[3]/following::key)"/></c><d><xsl:value-of select="name(//PortCall[3]/descendant::*[5])"/></d><e><xsl:value-of select="//portName[../../portCallSequence = 4]"/></e><f><xsl:value-of select="count(//*[not(*)])"/></f></axes></xsl:template>
</xsl:stylesheet>
