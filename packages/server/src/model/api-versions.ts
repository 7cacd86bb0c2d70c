// The table of API versions: what each one added. Attributes and actions name the version that introduced them
// (`since`). Validation, responses, the API description and the docs all use it.

export interface VersionRow {
  version: string;
  addition: string;
}

/** In order. Every version from the first to the last is valid, including those between two rows. */
export const versionTable: readonly VersionRow[] = [
  {
    version: '3.3',
    addition: 'Webhook subscriptions: one object or all of a type; create, update, delete; over HTTP.',
  },
  {
    version: '3.9',
    addition:
      'E-mail notifications (`channelInfo`), `json`, `expression`, the script filter (`dlpAlertScript`, ' +
      '`scriptParameterValues`, `useMsg`); these can be updated.',
  },
  { version: '3.16', addition: '`onlyMainObject`, and the action `sendFailedNotifications`.' },
  { version: '5.23', addition: '`rawObject`.' },
  { version: '5.24', addition: '`xsl` (edition ENTERPRISE).' },
  { version: '6.10', addition: '`doNotUnsubscribe`.' },
  { version: '6.44', addition: '`notSendMyChanges`.' },
];

export const oldestVersion = versionTable[0]!.version;
export const newestVersion = versionTable.at(-1)!.version;

/** Compares the parts as integers: 3.16 is after 3.9. */
export function compareVersions(one: string, other: string): number {
  const [[major, minor], [otherMajor, otherMinor]] = [partsOf(one), partsOf(other)];
  return major - otherMajor || minor - otherMinor;
}

export function isKnownVersion(text: string): boolean {
  return (
    /^(0|[1-9]\d{0,3})\.(0|[1-9]\d{0,3})$/.test(text) &&
    compareVersions(text, oldestVersion) >= 0 &&
    compareVersions(text, newestVersion) <= 0
  );
}

/** The newest row that a known version includes: 4.7 has what 3.16 has. */
export function versionStep(version: string): string {
  return versionTable.findLast((row) => compareVersions(row.version, version) <= 0)!.version;
}

function partsOf(version: string): [number, number] {
  const [major, minor] = version.split('.').map(Number);
  return [major!, minor!];
}
