<?xml version="1.0" encoding="UTF-8"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:env="http://schemas.xmlsoap.org/soap/envelope/" xmlns:v="urn:example:voyage" xmlns:unused="urn:example:unused" exclude-result-prefixes="unused">
  <xsl:output indent="yes"/>
  <xsl:template match="/Voyage">
    <env:Envelope>
      <env:Body><v:VoyageUpdate><xsl:apply-templates select="referenceNo|vessel"/><xsl:element name="v:made" namespace="urn:example:other"><xsl:attribute name="q:kind" namespace="urn:example:q">z</xsl:attribute></xsl:element></v:VoyageUpdate></env:Body>
    </env:Envelope>
  </xsl:template>
  <xsl:template match="*"><xsl:element name="v:{name()}"><xsl:apply-templates/></xsl:element></xsl:template>
  <xsl:template match="self"/>
</xsl:stylesheet>
