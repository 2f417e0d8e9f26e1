// Parts that several pages have.

import { h, type Child } from './dom';
import type { Kernel } from './model';

export const kernelLink = (kernel: Kernel, part = '', text: Child = kernel.short) =>
  h('a', { href: `#/kernel/${kernel.index}${part && `/${part}`}` }, text);

export function card(title: string, ...children: Child[]): HTMLElement {
  return h('article', { class: 'card' }, h('h3', {}, title), ...children);
}

/** A grain, which may be broken behind a comma. */
export const grainText = (id: string) => h('code', {}, id.replace(/,/g, ',\u200b'));
