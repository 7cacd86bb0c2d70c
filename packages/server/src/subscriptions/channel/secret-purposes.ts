// What each secret of a subscription is encrypted for. A value that was encrypted for one cannot be used for another.

export const signingSecretPurpose = 'webhook signing secret';
export const webhookPasswordPurpose = 'webhook password';
export const headersPurpose = 'webhook headers';
/** Of `auth` in `channelInfo`. */
export const channelSecretPurpose = 'channel secret';
