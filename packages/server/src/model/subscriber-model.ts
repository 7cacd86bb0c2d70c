// The model as subscribers see it.

import { newestVersion } from './api-versions.ts';
import { narrowModel } from './narrow-model.ts';
import type { Model } from './object-type.ts';
import { withIncluded } from './scopes.ts';

/**
 * The same for every subscriber. It has the newest API version, because the version of a request never changes what is
 * delivered. It shows what `read` shows, because a notification goes to anyone behind the URL.
 */
export function subscriberModel(model: Model): Model {
  return narrowModel(model, { version: newestVersion, scopes: withIncluded(['read', 'webhook']) });
}
