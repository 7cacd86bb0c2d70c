<?xml version="1.0" encoding="UTF-8"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:output encoding="UTF-8"/>
  <xsl:template match="/Voyage">
    <v a="{referenceNo}-{vessel/key}" b="{{literal}}" c="{concat('}', &quot;{&quot;)}" d="{portCalls/PortCall[last()]/port/unLoCode}" e="{comments}"><xsl:element name="{name(vessel)}-{vessel/key}"><xsl:attribute name="{translate('A B', ' ', '_')}">x&#10;y&lt;</xsl:attribute></xsl:element></v>
  </xsl:template>
</xsl:stylesheet>
