// The settings that limit requests and responses, a part of the settings table.

import { parseInteger } from './parse-setting.ts';
import { row } from './setting-row.ts';

export const requestSettings = {
  bodyBytesMax: row(
    'FLAGHOIST_BODY_BYTES_MAX',
    '1048576',
    parseInteger(1024, 268_435_456),
    'The largest request body.',
  ),
  fileBodyBytesMax: row(
    'FLAGHOIST_FILE_BODY_BYTES_MAX',
    '16777216',
    parseInteger(1024, 268_435_456),
    'The largest request body of types that hold files (Remarks, Attachment).',
  ),
  answerBytesMax: row(
    'FLAGHOIST_ANSWER_BYTES_MAX',
    '268435456',
    parseInteger(1_048_576, 17_179_869_184),
    'How many bytes of responses may be in flight in this process. A client with a quarter of that waits with its ' +
      'next requests.',
  ),
  bodyDepthMax: row('FLAGHOIST_BODY_DEPTH_MAX', '64', parseInteger(4, 1000), 'How deep a request body may nest.'),
  filtersMax: row('FLAGHOIST_FILTERS_MAX', '100', parseInteger(1, 10_000), 'How many filters one request may have.'),
  arrayObjectsMax: row(
    'FLAGHOIST_ARRAY_OBJECTS_MAX',
    '1000',
    parseInteger(1, 100_000),
    'How many objects an array in a body may have: an array POST, or a collection.',
  ),
};
