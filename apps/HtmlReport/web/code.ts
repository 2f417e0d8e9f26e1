// The source and the code of two grains side by side. A line of one marks those of the others that belong to it.

import { common, normalised } from './diff';
import { h, note, section, table } from './dom';
import { baseName, figure } from './format';
import type { Kernel, Run } from './model';
import type { Instruction, Listing, Side } from './schema';
import { listingsOf } from './why';

const lineKey = (file: string | null, line: number) => (file && line ? `${baseName(file)}:${line}` : '');

interface Row {
  text: string;
  key: string;
  gutter: string;
  label: string;
  isChanged: boolean;
  width: number | null;
}

function instructionRows(side: Side, isCommon: boolean[] | undefined, mark: string): Row[] {
  return side.instructions.map((each: Instruction, i) => ({
    text: each.text,
    key: lineKey(each.file, each.line),
    gutter: each.line ? String(each.line) : '',
    isChanged: isCommon !== undefined && !isCommon[i],
    label: isCommon !== undefined && !isCommon[i] ? mark : ' ',
    width: each.access && each.access.memory !== 'parameter' ? each.access.bits : null,
  }));
}

function sourceRows(listing: Listing): Row[] {
  return (listing.source ?? []).map((each) => ({
    text: each.text,
    key: lineKey(each.file, each.line),
    gutter: String(each.line),
    label: ' ',
    isChanged: false,
    width: null,
  }));
}

function pane(title: string, rows: Row[], mark: (key: string, from: Element) => void): HTMLElement {
  const onMark = (event: Event) => {
    const line = (event.target as Element).closest<HTMLElement>('[data-key]');
    if (line && (event.type !== 'keydown' || (event as KeyboardEvent).key === 'Enter'))
      mark(line.dataset.key!, event.currentTarget as Element);
  };
  const onArrow = (event: Event) => {
    const { key, target } = event as KeyboardEvent;
    const next =
      key === 'ArrowDown'
        ? (target as Element).nextElementSibling
        : key === 'ArrowUp'
          ? (target as Element).previousElementSibling
          : null;
    if (!(next instanceof HTMLElement)) return;
    (target as HTMLElement).tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
    event.preventDefault();
  };
  return h(
    'div',
    { class: 'pane' },
    h('h4', {}, title),
    h(
      'ol',
      {
        class: 'lines',
        'aria-label': title,
        click: onMark,
        keydown: (event) => {
          onArrow(event);
          onMark(event);
        },
        focusin: onMark,
      },
      rows.map((each, i) =>
        h(
          'li',
          { class: each.isChanged ? 'changed' : null, 'data-key': each.key || null, tabindex: i === 0 ? 0 : -1 },
          h('span', { class: 'gutter', 'aria-hidden': 'true' }, each.gutter),
          h('span', { class: 'mark', 'aria-label': each.isChanged ? 'differs' : null }, each.label),
          h('code', {}, each.text),
          each.width !== null && h('span', { class: `width w${each.width}` }, `${each.width} bits`),
        ),
      ),
    ),
  );
}

function counts(listing: Listing): HTMLElement {
  const [before, after] = listing.sides;
  const keyOf = (each: { memory: string; access: string; bits: number | null; hint: string | null }) =>
    `${each.memory} ${each.access}, ${each.bits ?? 'unknown'} bits${each.hint ? `, ${each.hint}` : ''}`;
  const names = [...new Set(listing.sides.flatMap((each) => each.accesses.map(keyOf)))];
  const count = (side: Side | undefined, name: string) =>
    side ? side.accesses.filter((each) => keyOf(each) === name).reduce((all, each) => all + each.count, 0) : null;
  const rows = [
    ...names.map((name) => ({ name, old: count(before, name), fresh: count(after, name) })),
    ...Object.keys(before.totals).map((name) => ({
      name: name.replace(/_/g, ' '),
      old: before.totals[name],
      fresh: after?.totals[name] ?? null,
    })),
  ];
  const told = rows.filter((row) => row.old !== null || row.fresh !== null);
  const difference = (row: (typeof rows)[number]) =>
    row.old === null || row.fresh === null
      ? '–'
      : row.fresh === row.old
        ? '='
        : `${row.fresh > row.old ? '+' : '−'}${Math.abs(row.fresh - row.old)}`;
  return table(
    'Accesses by width, and totals',
    [
      { title: 'What', head: true, cell: (row) => row.name },
      { title: before.alternative, number: true, cell: (row) => figure(row.old) },
      { title: after?.alternative ?? 'no alternative', number: true, cell: (row) => figure(row.fresh) },
      { title: 'Difference', number: true, cell: difference },
    ],
    told,
    (row) => ({ class: row.old !== row.fresh ? 'changed' : null }),
  );
}

/** What the listing lacks: the code of the grain that runs; without a run, what the listing says. */
function missingOf(listing: Listing, run: Run | undefined): string | undefined {
  if (!run) return listing.missing ? `Missing: ${listing.missing}.` : undefined;
  const { alternative } = run.entry;
  if (listing.sides.some((each) => each.alternative === alternative)) return undefined;
  return `The code of ${alternative}, which runs, is not in this input (regrain inspect --json --code=${listing.form} --alternative=${alternative} writes it).`;
}

function view(listing: Listing, run: Run | undefined): HTMLElement {
  const [before, after] = listing.sides;
  if (!before) return note(listing.missing ?? 'No code.');
  const texts = listing.sides.map((side) => side.instructions.map((each) => normalised(each.text)));
  const [inBefore, inAfter] = after ? common(texts[0], texts[1]) : [undefined, undefined];
  const panes = h('div', { class: 'panes' });
  const mark = (key: string, from: Element) => {
    for (const line of panes.querySelectorAll('.linked')) line.classList.remove('linked');
    if (!key) return;
    for (const list of panes.querySelectorAll<HTMLElement>('.lines')) {
      const lines = [...list.children].filter((each): each is HTMLElement => (each as HTMLElement).dataset.key === key);
      lines.forEach((each) => each.classList.add('linked'));
      if (list !== from && lines.length) list.scrollTop = lines[0].offsetTop - 40;
    }
  };
  const source = sourceRows(listing);
  const missing = missingOf(listing, run);
  if (source.length) panes.append(pane('Source', source, mark));
  panes.append(pane(before.alternative, instructionRows(before, inBefore, '−'), mark));
  if (after) panes.append(pane(after.alternative, instructionRows(after, inAfter, '+'), mark));
  return h(
    'div',
    {},
    missing && note(missing),
    !source.length &&
      note(
        'The source is not among the inputs: its lines are in the JSON if the file was compiled with -lineinfo and the source is unchanged.',
      ),
    h(
      'p',
      { class: 'hint' },
      'A chosen line marks those that belong to it in the other columns. Marked with − and +: instructions without a counterpart; registers’ numbers do not count.',
    ),
    panes,
    counts(listing),
  );
}

export function code(kernel: Kernel, run: Run | undefined): HTMLElement {
  const listings = listingsOf(kernel, run);
  if (!listings.length) return section('code', 'Code', note('No input has code (regrain inspect --json --code).'));
  const body = h('div', {});
  const show = (listing: Listing) => body.replaceChildren(view(listing, run));
  const name = (each: Listing) =>
    `${each.form} for ${each.arch}: ${each.sides.map((side) => side.alternative).join(' and ')}`;
  const choice = h(
    'select',
    { id: 'form', change: () => show(listings[choice.selectedIndex]) },
    listings.map((each) => h('option', {}, name(each))),
  );
  show(listings[0]);
  return section('code', 'Code', h('div', { class: 'form' }, h('label', { for: 'form' }, 'Code'), choice), body);
}
