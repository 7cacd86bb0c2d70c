<?xml version="1.0" encoding="UTF-8"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:output cdata-section-elements="comments note" indent="no"/>
  <xsl:template match="/Voyage"><doc><xsl:copy-of select="comments"/><note>a ]]&gt; b</note><plain>a ]]&gt; b</plain><![CDATA[<from> & stylesheet]]></doc></xsl:template>
</xsl:stylesheet>
