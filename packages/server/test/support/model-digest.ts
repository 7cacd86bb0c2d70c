// The digest of the model that test databases are made from.

import { digestOfModel } from '../../src/database/applied-model.ts';
import { buildModel } from '../../src/model/build-model.ts';
import { catalogue } from '../../src/model/catalogue/catalogue.ts';

export const modelDigest = digestOfModel(buildModel(catalogue));
