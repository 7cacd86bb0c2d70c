// The height of rows: compact, or comfortable by preference.

import { computed } from '@preact/signals';
import { preference } from './preference.ts';

export const density = preference<'compact' | 'comfortable'>('density', 'compact', ['compact', 'comfortable']);

/** In pixels. On a touch screen rows are large enough for a finger. */
export const rowHeight = computed(() => (density.value === 'comfortable' || isTouch ? 40 : 32));

const isTouch = window.matchMedia('(pointer: coarse)').matches;
