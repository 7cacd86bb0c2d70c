// The model for clients that use the original wire names. In it, `eventType` of a subscription is the letter of the
// operation. This holds for responses, filters, sorts and the API description. Filters also take the dotted form.

import { newestVersion } from '../model/api-versions.ts';
import { narrowModel } from '../model/narrow-model.ts';
import type { Attribute, Model, ObjectType, ScalarAttribute } from '../model/object-type.ts';
import { withIncluded } from '../model/scopes.ts';

export function wireModel(model: Model, wireNames: 'service' | 'dataloy'): Model {
  if (wireNames === 'service') return model;
  // A copy of the whole model.
  const copy = narrowModel(model, { version: newestVersion, scopes: withIncluded(['admin']) });
  const subscription = copy.types.get('WebhookSubscription');
  if (subscription) Object.assign(subscription, withLetter(subscription));
  return copy;
}

function withLetter({ attributes, scalars }: ObjectType): Partial<ObjectType> {
  const dotted = attributes.get('eventType') as ScalarAttribute;
  const letter: ScalarAttribute = {
    ...(attributes.get('operation') as ScalarAttribute),
    name: 'eventType',
    alternative: dotted,
    description:
      'The operation, with `objectType` and, for one object, `objectKey`. It can be sent, and filtered by, as ' +
      '`<Resource>.<C|U|D>[.<key>]` instead. Null if there are several `eventTypes`, or a wildcard.',
  };
  const replace = <T extends Attribute>(attribute: T) => (attribute.name === 'eventType' ? letter : attribute);
  return {
    attributes: new Map([...attributes].map(([name, attribute]) => [name, replace(attribute)])),
    scalars: scalars.map(replace),
  };
}
