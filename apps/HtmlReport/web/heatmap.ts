// The heat map of grains: factors of blocks by factors of threads, with a map for each combination of the other keys.

import { h, note, section, table } from './dom';
import { fatesOf, sentenceOf, stateMeanings, stateNames, type Fate, type State } from './fates';
import { gain, plural, time } from './format';
import { compareLabels, explain, parse } from './grain';
import { addressOf } from './links';
import type { Kernel, Model, Run } from './model';

/** Tells of a grain; a cell that was clicked stays told of until another one is clicked. */
type Show = (fate: Fate, pinned?: Element) => void;

/** More combinations of keys are folded. */
const mostFacets = 60;

interface Cell {
  fate: Fate;
  block: string;
  thread: string;
}
interface Facet {
  title: string;
  cells: Cell[];
}

const letters: Partial<Record<State, string>> = {
  refused: 'R',
  inapplicable: '–',
  'off-target': 'O',
  pruned: 'P',
  'timed-out': 'T',
  excluded: 'X',
  dropped: 'D',
  'not-tried': 'N',
  unmeasured: '·',
};

/** The colours by the least gain that has each; what gains less than all of them has the last one. */
const scale: [number, string][] = [
  [4, 'f5'],
  [2, 'f4'],
  [1.5, 'f3'],
  [1.15, 'f2'],
  [1.03, 'f1'],
  [0.97, 'z'],
  [0.87, 's1'],
  [0.67, 's2'],
  [0, 's3'],
];

function heat(fate: Fate): string {
  const ratio = fate.gain;
  if (ratio === undefined || !['chosen', 'measured'].includes(fate.state)) return fate.state;
  return scale.find(([least]) => ratio >= least)![1];
}

function facetsOf(fates: Fate[]): Facet[] {
  const facets = new Map<string, Facet>();
  for (const fate of fates) {
    const grain = parse(fate.id);
    const title = grain.rest.join(', ');
    if (!facets.has(title)) facets.set(title, { title, cells: [] });
    facets.get(title)!.cells.push({ fate, block: grain.block, thread: grain.thread });
  }
  const best = (facet: Facet) => Math.max(...facet.cells.map((each) => each.fate.gain ?? 0));
  return [...facets.values()].sort(
    (a, b) => Number(a.title !== '') - Number(b.title !== '') || b.cells.length - a.cells.length || best(b) - best(a),
  );
}

function saying(fate: Fate): string {
  const spread = fate.interval ? ` (${fate.interval})` : '';
  const measured = fate.us !== undefined ? `${time(fate.us)}, gain ${gain(fate.gain!)}${spread}. ` : '';
  const text = sentenceOf(fate);
  return `${fate.id}: ${measured}${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Moves the focus among the buttons of a map by the arrow keys. */
function onKey(event: Event): void {
  const { key, target } = event as KeyboardEvent;
  const step: Record<string, [number, number]> = {
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
  };
  const cell = (target as Element).closest('td');
  if (!step[key] || !cell) return;
  const rows = [...cell.closest('tbody')!.rows];
  const [down, right] = step[key];
  let [row, column] = [rows.indexOf(cell.parentElement as HTMLTableRowElement) + down, cell.cellIndex + right];
  while (rows[row]?.cells[column]) {
    const button = rows[row].cells[column].querySelector('button');
    if (button) {
      button.focus();
      event.preventDefault();
      return;
    }
    row += down;
    column += right;
  }
}

function button(fate: Fate, show: Show): HTMLElement {
  const isTimed = fate.us !== undefined && (fate.state === 'chosen' || fate.state === 'measured');
  const inside = isTimed ? [h('b', {}, time(fate.us!)), h('small', {}, gain(fate.gain!))] : letters[fate.state];
  return h(
    'button',
    {
      type: 'button',
      class: `cell ${heat(fate)}${fate.state === 'chosen' ? ' chosen' : ''}`,
      'aria-label': saying(fate),
      'data-state': fate.state,
      'data-grain': fate.id,
      mouseenter: () => show(fate),
      focus: () => show(fate),
      click: (event) => show(fate, event.currentTarget as Element),
    },
    inside,
    fate.state === 'chosen' && h('span', { class: 'tick' }, 'chosen'),
  );
}

/** Grains of which nothing is known but that they are legal say little: their rows and columns are folded. */
const isTelling = (fate: Fate) => fate.state !== 'unmeasured';

function drawMap(cells: Cell[], title: string, show: Show, corner = 'block ↓ thread →'): HTMLElement {
  const blocks = [...new Set(cells.map((each) => each.block))].sort(compareLabels);
  const threads = [...new Set(cells.map((each) => each.thread))].sort(compareLabels);
  const at = (block: string, thread: string) => cells.filter((each) => each.block === block && each.thread === thread);
  return h(
    'table',
    { class: 'heat', keydown: onKey },
    h('caption', {}, h('code', {}, title.replace(/, /g, ', \u200b') || 'no other key')),
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        h('th', { scope: 'col', class: 'corner' }, corner),
        threads.map((each) => h('th', { scope: 'col' }, each)),
      ),
    ),
    h(
      'tbody',
      {},
      blocks.map((block) =>
        h(
          'tr',
          {},
          h('th', { scope: 'row' }, block),
          threads.map((thread) =>
            h(
              'td',
              {},
              at(block, thread).map((each) => button(each.fate, show)),
            ),
          ),
        ),
      ),
    ),
  );
}

/** Keys that stand alone at factor one share a map with a row for each of them. */
function mapOfLoners(facets: Facet[], show: Show): HTMLElement {
  const cells = facets.map((each) => ({ fate: each.cells[0].fate, block: each.title, thread: 'alone' }));
  return h('div', { class: 'facet scroll', tabindex: -1 }, drawMap(cells, 'other keys, each alone', show, 'key ↓'));
}

const isLoner = ({ title, cells }: Facet) =>
  title !== '' && cells.length === 1 && cells[0].block === '1' && cells[0].thread === '1';

function map(facet: Facet, show: Show): HTMLElement {
  const telling = facet.cells.filter((each) => isTelling(each.fate));
  const few = facet.cells.filter(
    (each) => telling.some((one) => one.block === each.block) && telling.some((one) => one.thread === each.thread),
  );
  const hidden = facet.cells.length - few.length;
  const place = h('div', { class: 'facet scroll', tabindex: -1 });
  if (!few.length || hidden < 8) {
    place.append(drawMap(facet.cells, facet.title, show));
    return place;
  }
  const more = h(
    'button',
    { type: 'button', click: () => place.replaceChildren(drawMap(facet.cells, facet.title, show)) },
    `Show ${plural(hidden, 'more grain')} without a measurement`,
  );
  place.append(drawMap(few, facet.title, show), more);
  return place;
}

function legend(fates: Fate[]): HTMLElement {
  const present = (Object.keys(stateNames) as State[]).filter(
    (state) => letters[state] && fates.some((each) => each.state === state),
  );
  return h(
    'div',
    { class: 'legend' },
    h(
      'span',
      { class: 'scale' },
      h('span', {}, 'gain of at least'),
      [...scale].reverse().map(([least, step]) => h('span', { class: `cell ${step}` }, least ? String(least) : 'less')),
    ),
    h('span', {}, 'no cell: not among the inputs'),
    present.map((state) =>
      h(
        'span',
        {},
        h('span', { class: `cell key ${state}`, 'aria-hidden': 'true' }, letters[state]!),
        h(
          'span',
          {},
          `${stateNames[state]}: ${stateMeanings[state]} (${fates.filter((each) => each.state === state).length})`,
        ),
      ),
    ),
  );
}

/** Everything that is not measured, by reason: what the maps say by their letters, as a table. */
function reasons(fates: Fate[]): HTMLElement | false {
  const groups = new Map<string, Fate[]>();
  for (const fate of fates) {
    if (['chosen', 'measured'].includes(fate.state)) continue;
    const key = [fate.state, fate.reason, fate.place, fate.remedy].join('\n');
    groups.set(key, [...(groups.get(key) ?? []), fate]);
  }
  if (!groups.size) return false;
  const rows = [...groups.values()].sort((a, b) => a[0].state.localeCompare(b[0].state));
  return h(
    'details',
    { open: rows.length <= 20 },
    h('summary', {}, `Why not: ${plural(rows.length, 'reason')}`),
    table(
      'Grains without a time, by reason',
      [
        { title: 'State', head: true, cell: (each) => stateNames[each[0].state] },
        { title: 'Reason', cell: (each) => each[0].reason || '–' },
        { title: 'Where', cell: (each) => each[0].place || '–' },
        { title: 'Remedy', cell: (each) => each[0].remedy || '–' },
        {
          title: 'Grains',
          cell: (each) => [
            h('small', {}, `${each.length}: `),
            h(
              'code',
              {},
              each
                .slice(0, 8)
                .map((one) => one.id)
                .join('; ')
                .replace(/,/g, ',\u200b'),
            ),
            each.length > 8 && ' …',
          ],
        },
      ],
      rows,
    ),
  );
}

function maps(facets: Facet[], show: Show): HTMLElement {
  const loners = facets.filter(isLoner);
  const areJoined = loners.length > 2;
  return h(
    'div',
    { class: 'facets' },
    facets.filter((each) => !areJoined || !isLoner(each)).map((each) => map(each, show)),
    areJoined && mapOfLoners(loners, show),
  );
}

/** The combinations that tell little; their maps are made when they are asked for. */
function foldedMaps(facets: Facet[], show: Show): HTMLElement | false {
  if (!facets.length) return false;
  const folded = h('details', {}, h('summary', {}, `${plural(facets.length, 'more combination')} of keys`));
  folded.addEventListener('toggle', () => folded.append(maps(facets, show)), { once: true });
  return folded;
}

function countsOf(fates: Fate[]): string {
  const count = (...states: State[]) => fates.filter((each) => states.includes(each.state)).length;
  const told = (['refused', 'inapplicable', 'off-target', 'pruned', 'excluded'] as State[])
    .filter((each) => count(each) > 0)
    .map((each) => `${count(each)} ${stateNames[each]}, `);
  const others = count('not-tried', 'dropped', 'timed-out', 'unmeasured');
  return `${plural(fates.length, 'grain')}: ${count('chosen', 'measured')} measured, ${told.join('')}${others} without a time for other reasons.`;
}

const missing = 'No input tells which grains were tried (regrain inspect, explain or tune, with --json).';

/** The grain that an address pins is told of first; a cell that is clicked becomes a part of the address. */
export function grains(model: Model, kernel: Kernel, run: Run | undefined, pinnedId: string): HTMLElement {
  const fates = fatesOf(kernel, run);
  if (!fates.length) return section('grains', 'Grains', note(missing));
  const panel = h('div', { class: 'panel', role: 'status' });
  let pin: Element | undefined;
  const tell = (fate: Fate) => {
    const sentences = fate.id === 'original' ? [] : explain(fate.id, model.help).map((each) => h('li', {}, each));
    const hint = pin
      ? 'This cell is pinned; click it again to let it go.'
      : 'The chosen grain, or the one under the pointer or the focus. A click pins it.';
    panel.replaceChildren(h('p', {}, saying(fate)), h('ul', {}, sentences), h('p', { class: 'hint' }, hint));
  };
  const usual = fates.find((each) => each.state === 'chosen') ?? fates[0];
  const show: Show = (fate, pinned) => {
    if (!pinned && pin) return;
    pin?.setAttribute('aria-pressed', 'false');
    pin = pinned === pin ? undefined : pinned;
    pin?.setAttribute('aria-pressed', 'true');
    if (pinned) history.replaceState(null, '', addressOf(kernel, 'grains', run, pin && fate.id));
    tell(fate);
  };
  tell(usual);
  const facets = facetsOf(fates);
  const isFirst = (facet: Facet, i: number) => i < mostFacets && facet.cells.some((each) => isTelling(each.fate));
  const page = section(
    'grains',
    'Grains',
    h('p', {}, countsOf(fates)),
    legend(fates),
    // The panel stays in view beside the maps, and not beside the table of reasons.
    h(
      'div',
      { class: 'mapping', mouseleave: () => pin || tell(usual) },
      panel,
      maps(facets.filter(isFirst), show),
      foldedMaps(
        facets.filter((facet, i) => !isFirst(facet, i)),
        show,
      ),
    ),
    reasons(fates),
  );
  const asked = fates.find((each) => each.id === pinnedId);
  // A grain in a map that is folded has no cell.
  const cell = [...page.querySelectorAll('[data-grain]')].find((each) => each.getAttribute('data-grain') === pinnedId);
  if (asked && cell) show(asked, cell);
  else if (asked) tell(asked);
  return page;
}
