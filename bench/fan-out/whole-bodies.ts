// For `node --import`: the service that stores whole bodies.

import { register } from 'node:module';

register('./whole-bodies-loader.js', import.meta.url);
