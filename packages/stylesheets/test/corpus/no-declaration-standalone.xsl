<?xml version="1.0" encoding="UTF-8"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:output standalone="yes" version="1.0" encoding="UTF-8" doctype-system="voyage.dtd"/>
  <xsl:template match="/"><Voyage/></xsl:template>
</xsl:stylesheet>
