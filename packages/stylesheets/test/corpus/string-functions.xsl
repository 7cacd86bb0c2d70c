<?xml version="1.0" encoding="UTF-8"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:output method="text"/>
  <xsl:template match="/Voyage">
    <xsl:value-of select="string-length(comments)"/>|<xsl:value-of select="normalize-space(comments)"/>|<xsl:value-of select="substring(comments, 1.5, 2.6)"/>|<xsl:value-of select="starts-with(comments, 'Tanks')"/>|<xsl:value-of select="translate(vessel/vesselName, 'Ærø', 'ABC')"/>|<xsl:value-of select="substring-after(self, 'rest/')"/>|<xsl:value-of select="concat(isTc, ':', boolean(isTc), ':', boolean(demurrage))"/>
  </xsl:template>
</xsl:stylesheet>
