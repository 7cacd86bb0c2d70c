// Every page: its address, its place in the rail, who may see it, and how it is loaded. Each is a chunk of its own.

import type { ComponentType } from 'preact';
import type { PageProps } from '../routing/page-props.ts';

export interface PageEntry {
  /** `:name` stands for any part. */
  pattern: string;
  scope: 'read' | 'write' | 'webhook' | 'admin';
  load(): Promise<ComponentType<PageProps>>;
}

export const pages: readonly PageEntry[] = [
  { pattern: '/', scope: 'read', load: async () => (await import('../pages/overview/overview-page.tsx')).OverviewPage },
  {
    pattern: '/streams',
    scope: 'webhook',
    load: async () => (await import('../pages/streams/streams-page.tsx')).StreamsPage,
  },
  {
    pattern: '/streams/:stream',
    scope: 'webhook',
    load: async () => (await import('../pages/streams/stream-page.tsx')).StreamPage,
  },
  {
    pattern: '/notifications',
    scope: 'webhook',
    load: async () => (await import('../pages/notifications/notifications-page.tsx')).NotificationsPage,
  },
  {
    pattern: '/notifications/:notification',
    scope: 'webhook',
    load: async () => (await import('../pages/notifications/notification-page.tsx')).NotificationPage,
  },
  { pattern: '/jobs', scope: 'webhook', load: async () => (await import('../pages/jobs/jobs-page.tsx')).JobsPage },
  { pattern: '/jobs/:job', scope: 'webhook', load: async () => (await import('../pages/jobs/job-page.tsx')).JobPage },
  {
    pattern: '/objects',
    scope: 'read',
    load: async () => (await import('../pages/objects/types-page.tsx')).TypesPage,
  },
  {
    pattern: '/objects/:type',
    scope: 'read',
    load: async () => (await import('../pages/objects/type-page.tsx')).TypePage,
  },
  {
    pattern: '/objects/:type/new',
    scope: 'write',
    load: async () => (await import('../pages/objects/new-object-page.tsx')).NewObjectPage,
  },
  {
    pattern: '/subscriptions',
    scope: 'webhook',
    load: async () => (await import('../pages/subscriptions/list/subscriptions-page.tsx')).SubscriptionsPage,
  },
  {
    pattern: '/subscriptions/new',
    scope: 'webhook',
    load: async () => (await import('../pages/subscriptions/editor/new-page.tsx')).NewSubscriptionPage,
  },
  {
    pattern: '/subscriptions/:key',
    scope: 'webhook',
    load: async () => (await import('../pages/subscriptions/one/subscription-page.tsx')).SubscriptionPage,
  },
  {
    pattern: '/subscriptions/:key/edit',
    scope: 'webhook',
    load: async () => (await import('../pages/subscriptions/editor/edit-page.tsx')).EditSubscriptionPage,
  },
  {
    pattern: '/objects/:type/:key',
    scope: 'read',
    load: async () => (await import('../pages/objects/object-page.tsx')).ObjectPage,
  },
  {
    pattern: '/why-not',
    scope: 'webhook',
    load: async () => (await import('../pages/why-not/why-not-page.tsx')).WhyNotPage,
  },
  {
    pattern: '/scripts',
    scope: 'read',
    load: async () => (await import('../pages/scripts/scripts-page.tsx')).ScriptsPage,
  },
  {
    pattern: '/scripts/new',
    scope: 'admin',
    load: async () => (await import('../pages/scripts/script-page.tsx')).NewScriptPage,
  },
  {
    pattern: '/scripts/:key',
    scope: 'read',
    load: async () => (await import('../pages/scripts/script-page.tsx')).ScriptPage,
  },
  { pattern: '/users', scope: 'admin', load: async () => (await import('../pages/users/users-page.tsx')).UsersPage },
  {
    pattern: '/users/:key',
    scope: 'admin',
    load: async () => (await import('../pages/users/user-page.tsx')).UserPage,
  },
  { pattern: '/audit', scope: 'admin', load: async () => (await import('../pages/audit/audit-page.tsx')).AuditPage },
  {
    pattern: '/system',
    scope: 'admin',
    load: async () => (await import('../pages/system/system-page.tsx')).SystemPage,
  },
];

export interface RailEntry {
  path: string;
  title: string;
  /** An SVG path on a grid of 16 by 16. */
  icon: string;
  /** `g` and this key. */
  key: string;
  scope: PageEntry['scope'];
  /** Below the line: pages that are needed less often. */
  isSecond?: boolean;
}

export const rail: readonly RailEntry[] = [
  {
    path: '/',
    title: 'Overview',
    icon: 'M2 14V9M6 14V5M10 14V8M14 14V2',
    key: 'h',
    scope: 'read',
  },
  {
    path: '/notifications',
    title: 'Notifications',
    icon: 'M2.5 4h11M2.5 8h11M2.5 12h7',
    key: 'n',
    scope: 'webhook',
  },
  {
    path: '/subscriptions',
    title: 'Subscriptions',
    icon: 'M2.5 13.5a1 1 0 1 0 0-2 1 1 0 0 0 0 2zM2 7.5a6.5 6.5 0 0 1 6.5 6.5M2 3a11 11 0 0 1 11 11',
    key: 's',
    scope: 'webhook',
  },
  {
    path: '/objects',
    title: 'Objects',
    icon: 'M8 1.5l6 3v7l-6 3-6-3v-7zM2 4.5l6 3 6-3M8 7.5v7',
    key: 'o',
    scope: 'read',
  },
  {
    path: '/why-not',
    title: 'Why not?',
    icon: 'M5.5 6a2.5 2.5 0 1 1 3.6 2.2c-.7.4-1.1.9-1.1 1.8M8 12.5h.01',
    key: 'w',
    scope: 'webhook',
  },
  {
    path: '/scripts',
    title: 'Scripts',
    icon: 'M5.5 4.5L2 8l3.5 3.5M10.5 4.5L14 8l-3.5 3.5M9 3L7 13',
    key: 'c',
    scope: 'read',
    isSecond: true,
  },
  {
    path: '/streams',
    title: 'Streams',
    icon: 'M1.5 5c2-2 4-2 6.5 0s4.5 2 6.5 0M1.5 11c2-2 4-2 6.5 0s4.5 2 6.5 0',
    key: 't',
    scope: 'webhook',
    isSecond: true,
  },
  {
    path: '/users',
    title: 'Users',
    icon: 'M8 8a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2.5 14a5.5 5.5 0 0 1 11 0',
    key: 'u',
    scope: 'admin',
    isSecond: true,
  },
  { path: '/audit', title: 'Audit', icon: 'M4 2h8v12H4zM6 5h4M6 8h4M6 11h2', key: 'a', scope: 'admin', isSecond: true },
  {
    path: '/system',
    title: 'System',
    icon: 'M2 3h12v4H2zM2 9h12v4H2zM4.5 5h.01M4.5 11h.01',
    key: 'y',
    scope: 'admin',
    isSecond: true,
  },
];

export interface FoundPage {
  entry: PageEntry;
  props: PageProps;
}

export function findPage(path: string): FoundPage | undefined {
  for (const entry of pages) {
    const props = matchPattern(entry.pattern, path);
    if (props) return { entry, props };
  }
  return undefined;
}

function matchPattern(pattern: string, path: string): PageProps | undefined {
  const [expected, given] = [pattern.split('/'), path.split('/')];
  if (expected.length !== given.length) return undefined;
  const props: Record<string, string> = {};
  for (const [index, part] of expected.entries()) {
    if (part.startsWith(':')) props[part.slice(1)] = decodePart(given[index]!);
    else if (part !== given[index]) return undefined;
  }
  return props;
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
