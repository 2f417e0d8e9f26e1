// Gains with their intervals: a bar for a table's cell, and all measurements of a class.

import { h, longTable, note, section, svg, type Child } from './dom';
import { gain, interval, plural, shortClass, time } from './format';
import { hasInterval, intervalWords, isTimed, type Run } from './model';
import type { Choice, Measurement } from './schema';

const width = 160;

/** If the original stays, the gain is that of the best candidate, which is not used. */
export function gainCell(choice: Choice): Child {
  const words = interval(choice.gain_low, choice.gain_high);
  if (choice.alternative !== 'original') return [gain(choice.gain), h('small', { class: 'block' }, words)];
  // No candidate was timed.
  if (choice.gain_low === choice.gain_high) return '1×';
  return [
    '1×',
    h('small', { class: 'block' }, `best tried: ${gain(choice.gain)}`),
    h('small', { class: 'block' }, words),
  ];
}

/** A bar from low to high with a mark at the gain; the line is at 1. The table beside it has the figures. */
export function spread(middle: number, low: number, high: number, most: number): SVGElement {
  const x = (value: number) =>
    4 + ((width - 8) * (Math.log(Math.min(Math.max(value, 1 / most), most)) / Math.log(most) + 1)) / 2;
  return svg(
    'svg',
    { viewBox: `0 0 ${width} 18`, width, height: 18, class: 'spread', 'aria-hidden': 'true' },
    svg('line', { x1: x(1), x2: x(1), y1: 0, y2: 18, class: 'axis' }),
    svg('line', { x1: x(low), x2: x(high), y1: 9, y2: 9, class: 'range' }),
    svg('circle', { cx: x(middle), cy: 9, r: 4, class: middle >= 1 ? 'faster' : 'slower' }),
  );
}

export function measurements(run: Run): HTMLElement {
  const all = run.entry.measurements;
  const timed = all.filter(isTimed).sort((a, b) => b.gain - a.gain);
  if (!timed.length)
    return section(
      'measurements',
      'Measurements',
      note('This session did not measure the class; the choice is from an earlier one.'),
    );
  const most = Math.max(
    2,
    ...timed.map((each) => Math.min(64, Math.max(each.gain_high, 1 / Math.max(each.gain_low, 1e-3)))),
  );
  return section(
    'measurements',
    'Measurements',
    h(
      'p',
      {},
      `Class ${shortClass(run.entry.class)}: ${plural(timed.length, 'measurement')} of ${plural(new Set(timed.map((each) => each.launch)).size, 'launch', 'launches')}. The bar is the 95 % interval of the gain; its line is at 1×.`,
    ),
    candidates(timed, most),
  );
}

function candidates(rows: Measurement[], most: number): Child {
  return longTable<Measurement>(
    'Timed candidates, the largest gain first',
    [
      { title: 'Grain', head: true, cell: (each) => h('code', {}, each.alternative.replace(/,/g, ',\u200b')) },
      {
        title: 'Gain',
        number: true,
        cell: (each) => [gain(each.gain), h('small', { class: 'block' }, intervalWords([each], each.gain_low, each.gain_high))],
      },
      { title: 'Spread', cell: (each) => hasInterval([each]) && spread(each.gain, each.gain_low, each.gain_high, most) },
      { title: 'Original', number: true, cell: (each) => time(each.original_us) },
      { title: 'Candidate', number: true, cell: (each) => time(each.candidate_us) },
      { title: 'Launch', number: true, cell: (each) => each.launch },
      { title: 'Pairs', number: true, cell: (each) => each.pairs },
      { title: 'Outcome', cell: (each) => each.outcome },
    ],
    rows,
    12,
  );
}
