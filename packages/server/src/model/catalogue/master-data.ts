// The master data that other objects refer to: vessels, ports, partners, and code lists.

import type { TypeDeclaration } from '../object-type.ts';

export const masterData: Record<string, TypeDeclaration> = {
  Vessel: {
    description: 'A ship.',
    shownBy: ['vesselName', 'imoNumber'],
    attributes: {
      vesselName: { kind: 'text', maxLength: 40, isRequired: true, example: 'Northern Light' },
      imoNumber: {
        kind: 'text',
        maxLength: 7,
        format: 'imoNumber',
        description: 'Seven digits, the last a check digit.',
        example: '9074729',
      },
      callSignal: { kind: 'text', maxLength: 7, description: 'Radio call sign.' },
      vesselType: { kind: 'text', description: 'Kind of ship.' },
      flag: { kind: 'text', description: 'State of registration.' },
      builtYear: { kind: 'integer', description: 'Year of building.' },
      dwtSummer: { kind: 'decimal', description: 'Deadweight at summer draught, in metric tons.' },
    },
  },
  Port: {
    description: 'A port or canal.',
    shownBy: ['unLoCode', 'portName'],
    attributes: {
      portName: { kind: 'text', maxLength: 64, example: 'Rotterdam' },
      unLoCode: { kind: 'text', maxLength: 5, isCode: true, description: 'UN/LOCODE.', example: 'NLRTM' },
      country: { kind: 'text', maxLength: 2, description: 'ISO 3166-1 code of the country.', example: 'NL' },
      timezone: { kind: 'text', description: 'IANA name of the time zone.', example: 'Europe/Amsterdam' },
      isCanal: { kind: 'boolean', description: 'Whether it is a canal.' },
    },
  },
  BusinessPartner: {
    description: 'A company we deal with, or one of our own.',
    shownBy: ['businessPartnerCode', 'businessPartnerName'],
    attributes: {
      businessPartnerName: { kind: 'text', maxLength: 128, description: 'Name of the company.' },
      businessPartnerCode: { kind: 'text', maxLength: 32, isCode: true, example: 'NORDIC' },
      businessPartnerType: {
        kind: 'code',
        values: ['CHR', 'AGT', 'SUP', 'BRK', 'OWN', 'CMP', 'OTH'],
        description: 'Charterer, agent, supplier, broker, owner, own company, other.',
      },
    },
  },
  Currency: {
    description: 'A currency of ISO 4217.',
    shownBy: ['currencyCode', 'currencyName'],
    attributes: {
      currencyCode: { kind: 'text', maxLength: 3, isCode: true, example: 'USD' },
      currencyName: { kind: 'text', maxLength: 128, example: 'US Dollar' },
    },
  },
  Commodity: {
    description: 'A kind of goods.',
    shownBy: ['commodityCode', 'commodityName'],
    attributes: {
      commodityCode: { kind: 'text', maxLength: 32, isCode: true, example: 'COAL' },
      commodityName: { kind: 'text', maxLength: 128, description: 'Name of the goods.' },
    },
  },
  BunkerType: {
    description: 'A grade of fuel.',
    shownBy: ['bunkerTypeCode', 'bunkerTypeName'],
    attributes: {
      bunkerTypeCode: { kind: 'text', maxLength: 32, isCode: true, example: 'VLSFO' },
      bunkerTypeName: { kind: 'text', maxLength: 128, description: 'Name of the grade.' },
      sulphurPercent: { kind: 'decimal', example: 0.5 },
    },
  },
};
