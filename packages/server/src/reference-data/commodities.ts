// Commodities that are shipped in bulk, dry and liquid.

const codesAndNames = `
IRONORE Iron ore, COALTHERMAL Thermal coal, COALCOKING Coking coal, PETCOKE Petroleum coke, BAUXITE Bauxite,
ALUMINA Alumina, MANGANESE Manganese ore, NICKELORE Nickel ore, COPPERCONC Copper concentrate, WHEAT Wheat,
CORN Corn (maize), BARLEY Barley, SOYBEANS Soybeans, SOYBEANMEAL Soybean meal, RICE Rice in bags, SUGARRAW Raw sugar,
FERTILISER Fertiliser in bulk, UREA Urea, PHOSPHATE Phosphate rock, POTASH Potash, SULPHUR Sulphur, SALT Salt,
CEMENT Cement, CLINKER Cement clinker, LIMESTONE Limestone, SCRAP Scrap metal, STEELCOILS Steel coils,
STEELSLABS Steel slabs, LOGS Logs, WOODPELLETS Wood pellets, WOODPULP Wood pulp, CRUDEOIL Crude oil, FUELOIL Fuel oil,
GASOIL Gas oil, GASOLINE Gasoline, JETFUEL Jet fuel, NAPHTHA Naphtha, BITUMEN Bitumen, METHANOL Methanol,
CAUSTICSODA Caustic soda solution, SULPHURICACID Sulphuric acid, PALMOIL Palm oil, SOYBEANOIL Soybean oil,
LNG Liquefied natural gas, LPG Liquefied petroleum gas, AMMONIA Ammonia
`;

export const commodities = codesAndNames
  .trim()
  .split(/,\s/)
  .map((row) => {
    const codeEnd = row.indexOf(' ');
    return { commodityCode: row.slice(0, codeEnd), commodityName: row.slice(codeEnd + 1) };
  });
