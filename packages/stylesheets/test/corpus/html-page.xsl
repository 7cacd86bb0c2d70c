<?xml version="1.0" encoding="UTF-8"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:output method="html" doctype-public="-//W3C//DTD HTML 4.01//EN" doctype-system="http://www.w3.org/TR/html4/strict.dtd" indent="no"/>
  <xsl:template match="/Voyage">
    <html><body><h1><xsl:value-of select="vessel/vesselName"/></h1><hr/><p title="{vessel/vesselName}">a &lt; b &amp; c<br/>&#160;&#169;</p><table border="1"><xsl:for-each select="portCalls/PortCall"><tr><td nowrap="nowrap"><xsl:value-of select="port/portName"/></td><td><a href="/p?x=1&amp;y={key}"><xsl:value-of select="eta"/></a></td></tr></xsl:for-each></table><input checked="checked" disabled="disabled"/></body></html>
  </xsl:template>
</xsl:stylesheet>
