// Parts that several pages have.

import { h, type Child } from './dom';
import type { Kernel, Run } from './model';

/** The address of a part of a kernel's page, for one class of its launches and with one grain pinned. */
export function addressOf(kernel: Kernel, part = '', run?: Run, grain?: string): string {
  const index = run ? kernel.runs.indexOf(run) : 0;
  const ofClass = part && (index > 0 || grain) ? `/${index}` : '';
  return `#/kernel/${kernel.index}${part && `/${part}`}${ofClass}${part && grain ? `/${encodeURIComponent(grain)}` : ''}`;
}

export const kernelLink = (kernel: Kernel, part = '', text: Child = kernel.short, run?: Run) =>
  h('a', { href: addressOf(kernel, part, run) }, text);

export function card(title: string, ...children: Child[]): HTMLElement {
  return h('article', { class: 'card' }, h('h3', {}, title), ...children);
}

/** A grain, which may be broken behind a comma. */
export const grainText = (id: string) => h('code', {}, id.replace(/,/g, ',\u200b'));
