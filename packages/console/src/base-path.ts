// Where the service is mounted. The service writes its path into the page, because a proxy may serve it under a prefix.

const meta = document.querySelector<HTMLMetaElement>('meta[name="flaghoist-path"]');

/** Empty, or a path such as `/flaghoist`, without a slash at the end. */
export const basePath = meta?.content ?? '';

export const consolePath = `${basePath}/console`;
