// For queries of tests whose JSON is compared or parsed by the test: the driver hands it over as text.

import pg from 'pg';

const jsonType = 114;

export const asTexts: pg.CustomTypesConfig = {
  getTypeParser: (type, format) =>
    type === jsonType ? (text: string) => text : pg.types.getTypeParser(type, format as 'text'),
};
