<?xml version="1.0" encoding="UTF-8"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:output indent="yes"/>
  <xsl:key name="by-currency" match="PortCall" use="currency/currencyCode"/>
  <xsl:template match="/Voyage">
    <currencies>
      <xsl:for-each select="portCalls/PortCall[generate-id() = generate-id(key('by-currency', currency/currencyCode)[1])]">
        <xsl:sort select="currency/currencyCode" order="descending"/>
        <currency code="{currency/currencyCode}" calls="{count(key('by-currency', currency/currencyCode))}" miles="{sum(key('by-currency', currency/currencyCode)/distanceActual)}">
          <xsl:for-each select="key('by-currency', currency/currencyCode)"><port><xsl:value-of select="port/portName"/></port></xsl:for-each>
        </currency>
      </xsl:for-each>
    </currencies>
  </xsl:template>
</xsl:stylesheet>
