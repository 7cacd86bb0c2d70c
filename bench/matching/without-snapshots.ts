// For `node --import`: the worker without snapshots.

import { register } from 'node:module';

register('./without-snapshots-loader.js', import.meta.url);
