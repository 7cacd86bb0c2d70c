<?xml version="1.0" encoding="UTF-8"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:f="http://exslt.org/functions" xmlns:my="urn:example:my" xmlns:math="http://exslt.org/math" xmlns:set="http://exslt.org/sets" xmlns:str="http://exslt.org/strings" xmlns:date="http://exslt.org/dates-and-times" extension-element-prefixes="f">
  <xsl:output method="text"/>
  <f:function name="my:knots"><xsl:param name="miles"/><xsl:param name="days"/><f:result select="round($miles div ($days * 24) * 100) div 100"/></f:function>
  <xsl:template match="/"><xsl:for-each select="//PortCall"><xsl:value-of select="my:knots(distanceActual, daysAtSea)"/>;</xsl:for-each><xsl:value-of select="math:max(//distanceActual)"/>;<xsl:value-of select="count(set:distinct(//PortCall/speed))"/>;<xsl:for-each select="str:tokenize('a-b-c', '-')">[<xsl:value-of select="."/>]</xsl:for-each>;<xsl:value-of select="date:day-in-week('2026-11-15')"/>;<xsl:value-of select="date:add('2026-11-15T00:00:00', 'P1DT2H')"/></xsl:template>
</xsl:stylesheet>
