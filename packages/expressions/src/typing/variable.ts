// The objects that an expression can name.

/** `changed` and `oldChanged`: the object that changed, wherever it is in the hierarchy of the subscribed one. */
export type Variable = 'new' | 'old' | 'changed' | 'oldChanged';

export const variableNames: Readonly<Record<Variable, string>> = {
  new: 'svcObject',
  old: 'oldSvcObject',
  changed: 'changedObject',
  oldChanged: 'oldChangedObject',
};

/** The variables by name. Two of them have a second name. */
export const variables: ReadonlyMap<string, Variable> = new Map([
  ...(Object.keys(variableNames) as Variable[]).map((variable) => [variableNames[variable], variable] as const),
  ['dlpObject', 'new'],
  ['oldDlpObject', 'old'],
]);
