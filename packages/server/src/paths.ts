// The paths of the service, relative to its base URL.

export const restPath = '/ws/rest';
export const tokenPath = '/oauth/token';
