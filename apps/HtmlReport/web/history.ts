// The same kernel over builds, drivers and devices.

import { chartWidth, h, note, section, svg, table, type Child } from './dom';
import { deviceKind } from './device';
import { driver, shortClass, time } from './format';
import { gainCell } from './intervals';
import { nowUs, type Kernel, type Model, type Past } from './model';
import { kernelLink } from './links';

const day = (when: string) => when.replace('T', ' ').replace('Z', '');

const [height, left] = [170, 80];

/** Times of one class on one device: hollow marks are the originals, filled ones the choices. */
function picture(name: string, points: Past[]): HTMLElement {
  const times = points.flatMap((each) => [each.choice.original_us, chosenUs(each)]);
  const [low, high] = [Math.min(...times) / 1.15, Math.max(...times) * 1.15];
  const width = chartWidth();
  const x = (i: number) => left + 20 + ((width - left - 60) * i) / (points.length - 1);
  const y = (us: number) => 12 + (height - 50) * (Math.log(high / us) / Math.log(high / low));
  const line = (of: (each: Past) => number, kind: string) => [
    svg('polyline', { points: points.map((each, i) => `${x(i)},${y(of(each))}`).join(' '), class: `line ${kind}` }),
    points.map((each, i) => svg('circle', { cx: x(i), cy: y(of(each)), r: 5, class: kind })),
  ];
  const words = points
    .map((each) => `${day(each.choice.when)}: ${time(each.choice.original_us)} became ${time(chosenUs(each))}`)
    .join('; ');
  const drawing = svg(
    'svg',
    { viewBox: `0 0 ${width} ${height}`, role: 'img', class: 'chart', 'aria-label': `${name}. ${words}` },
    [low * 1.15, high / 1.15].map((each) => [
      svg('line', { x1: left, x2: width - 10, y1: y(each), y2: y(each), class: 'grid' }),
      svg('text', { x: left - 6, y: y(each) + 4, 'text-anchor': 'end' }, time(each)),
    ]),
    line((each) => each.choice.original_us, 'original'),
    line(chosenUs, 'chosen'),
    points.map((each, i) =>
      svg('text', { x: x(i), y: height - 8, 'text-anchor': 'middle' }, each.choice.when.slice(0, 10)),
    ),
  );
  const caption = `${name}: hollow marks are the original, filled ones the chosen grain.`;
  return h('figure', {}, drawing, h('figcaption', {}, caption));
}

/** More series are in the table alone. */
const mostPictures = 8;

function chart(past: Past[]): Child {
  const series = new Map<string, Past[]>();
  for (const each of past) {
    const key = `${each.key.device}, ${shortClass(each.choice.class)}`;
    series.set(key, [...(series.get(key) ?? []), each]);
  }
  const several = [...series].filter(([, points]) => points.length > 1);
  return several.slice(0, mostPictures).map(([name, points]) => picture(name, points));
}

const chosenUs = (each: Past) => nowUs(each.choice);

function pastTable(model: Model, rows: { kernel?: Kernel; past: Past }[], withKernel: boolean): HTMLElement {
  return table(
    'Choices by time, with what they hold for',
    [
      ...(withKernel
        ? [
            {
              title: 'Kernel',
              head: true,
              cell: (row: { kernel?: Kernel; past: Past }) => kernelLink(row.kernel!, 'history'),
            },
          ]
        : []),
      { title: 'When (UTC)', head: !withKernel, cell: ({ past }) => day(past.choice.when) },
      { title: 'Device', cell: ({ past }) => past.key.device },
      { title: 'Driver', cell: ({ past }) => (deviceKind(model, past.key.device) === 'CPU' ? '–' : driver(past.key.driver)) },
      { title: 'Before', number: true, cell: ({ past }) => time(past.choice.original_us) },
      { title: 'After', number: true, cell: ({ past }) => time(chosenUs(past)) },
      { title: 'Gain', number: true, cell: ({ past }) => gainCell(past.choice) },
      { title: 'Grain', cell: ({ past }) => h('code', {}, past.choice.alternative.replace(/,/g, ',\u200b')) },
      { title: 'Class', cell: ({ past }) => shortClass(past.choice.class).replace(/:/g, ':\u200b') },
      { title: 'Compiler', cell: ({ past }) => past.key.compiler },
      { title: 'Kernel’s code', cell: ({ past }) => h('code', {}, past.key.hash.slice(0, 8)) },
      { title: 'From', cell: ({ past }) => past.from },
    ],
    rows,
  );
}

export function history(model: Model, kernel: Kernel): HTMLElement {
  if (!kernel.past.length)
    return section(
      'history',
      'History',
      note('No tuning run or database with this kernel is among the inputs (regrain db export).'),
    );
  return section(
    'history',
    'History',
    chart(kernel.past),
    pastTable(
      model,
      kernel.past.map((past) => ({ past })),
      false,
    ),
    kernel.past.length === 1 && note('More databases, or exports of them, add more lines.'),
  );
}

export function allHistory(model: Model): HTMLElement {
  const rows = model.kernels.flatMap((kernel) => kernel.past.map((past) => ({ kernel, past })));
  return h(
    'div',
    {},
    h('h2', { tabindex: -1 }, 'History'),
    rows.length ? pastTable(model, rows, true) : note('No tuning run or database is among the inputs.'),
  );
}
