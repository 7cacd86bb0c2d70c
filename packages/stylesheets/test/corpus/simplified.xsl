<voyage xsl:version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" no="{Voyage/referenceNo}">
  <xsl:for-each select="//PortCall"><port><xsl:value-of select="port/unLoCode"/></port></xsl:for-each>
</voyage>
