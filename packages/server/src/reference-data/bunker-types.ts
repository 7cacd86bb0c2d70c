// Fuels for ships. `sulphurPercent`: the maximum sulphur content of the grade, in percent by mass (MARPOL Annex VI,
// ISO 8217).

export const bunkerTypes = [
  { bunkerTypeCode: 'VLSFO', bunkerTypeName: 'Very low sulphur fuel oil', sulphurPercent: 0.5 },
  { bunkerTypeCode: 'ULSFO', bunkerTypeName: 'Ultra low sulphur fuel oil', sulphurPercent: 0.1 },
  { bunkerTypeCode: 'HSFO380', bunkerTypeName: 'High sulphur fuel oil 380 cSt', sulphurPercent: 3.5 },
  { bunkerTypeCode: 'HSFO180', bunkerTypeName: 'High sulphur fuel oil 180 cSt', sulphurPercent: 3.5 },
  { bunkerTypeCode: 'LSMGO', bunkerTypeName: 'Low sulphur marine gas oil', sulphurPercent: 0.1 },
  { bunkerTypeCode: 'MGO', bunkerTypeName: 'Marine gas oil (DMA)', sulphurPercent: 1 },
  { bunkerTypeCode: 'MDO', bunkerTypeName: 'Marine diesel oil (DMB)', sulphurPercent: 1.5 },
  { bunkerTypeCode: 'B24', bunkerTypeName: 'Bio blend, 24 % FAME in VLSFO', sulphurPercent: 0.5 },
  { bunkerTypeCode: 'B30', bunkerTypeName: 'Bio blend, 30 % FAME in VLSFO', sulphurPercent: 0.5 },
  { bunkerTypeCode: 'B100', bunkerTypeName: 'Biodiesel (FAME)', sulphurPercent: 0.001 },
  { bunkerTypeCode: 'HVO', bunkerTypeName: 'Hydrotreated vegetable oil', sulphurPercent: 0.0005 },
  { bunkerTypeCode: 'LNG', bunkerTypeName: 'Liquefied natural gas', sulphurPercent: 0 },
  { bunkerTypeCode: 'BIOLNG', bunkerTypeName: 'Liquefied biomethane', sulphurPercent: 0 },
  { bunkerTypeCode: 'LPG', bunkerTypeName: 'Liquefied petroleum gas', sulphurPercent: 0 },
  { bunkerTypeCode: 'ETHANE', bunkerTypeName: 'Ethane', sulphurPercent: 0 },
  { bunkerTypeCode: 'METHANOL', bunkerTypeName: 'Methanol', sulphurPercent: 0 },
  { bunkerTypeCode: 'BIOMETHANOL', bunkerTypeName: 'Methanol from biomass', sulphurPercent: 0 },
  { bunkerTypeCode: 'AMMONIA', bunkerTypeName: 'Ammonia', sulphurPercent: 0 },
];
