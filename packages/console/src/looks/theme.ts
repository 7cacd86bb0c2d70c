// Light, dark, or as the system says.

import { effect } from '@preact/signals';
import { preference } from './preference.ts';

export const theme = preference<'system' | 'light' | 'dark'>('theme', 'system', ['system', 'light', 'dark']);

effect(() => {
  if (theme.value === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.value;
});
