// Roofline and occupancy: where the original and the choice stand between what the code asks for and what the
// device can do.

import { h, note, section, table, type Child } from './dom';
import { bytes, figure, percent, scaled, time } from './format';
import type { Model, Run } from './model';
import { roofline } from './roofline';
import { targetOf } from './fates';
import type { Footprint } from './schema';
import { boundOf, footprintOf, trafficOf, wavesOf, type Traffic } from './why';

/** One sentence for all lines with the same reason. */
function unknownAccesses(footprint: Footprint): string[] {
  const lines = new Map<string, Set<number>>();
  for (const { memory, line, reason } of footprint.unknown) {
    const key = `${memory}\n${reason}`;
    lines.set(key, (lines.get(key) ?? new Set()).add(line));
  }
  return [...lines].map(([key, all]) => {
    const [memory, reason] = key.split('\n');
    const known = [...all].filter((each) => each > 0).sort((a, b) => a - b);
    const place = known.length ? `, line${known.length > 1 ? 's' : ''} ${known.join(', ')}` : '';
    return `${memory}${place}: ${reason}`;
  });
}

/** Bars of what a block asks for and what it touches, in each memory. */
function memoryBars(run: Run): Child {
  const footprint = footprintOf(run.kernel);
  if (!footprint) return note('No input has the footprint (regrain inspect --json --footprint).');
  const most = Math.max(...footprint.memories.map((each) => each.asked_bytes), 1);
  const bar = (value: number | null, kind: string) =>
    value === null
      ? 'unknown'
      : [
          h('span', {
            class: `bar ${kind}`,
            style: `width:${Math.max(1, (100 * value) / most)}px`,
            'aria-hidden': 'true',
          }),
          ` ${bytes(value)}`,
        ];
  return [
    table(
      `Bytes of global memory for one block of ${footprint.block.join('x')}, with ${footprint.trips} trips for each loop of unknown length`,
      [
        { title: 'Memory', head: true, cell: (each) => each.memory },
        {
          title: 'Access',
          cell: (each) => [each.reads && 'read', each.writes && 'written'].filter(Boolean).join(' and '),
        },
        { title: 'A thread asks for', cell: (each) => h('code', {}, each.bytes_per_thread) },
        { title: 'Moved if nothing is reused', cell: (each) => bar(each.asked_bytes, 'asked') },
        { title: 'Must move', cell: (each) => bar(each.touched_bytes, 'touched') },
      ],
      footprint.memories,
    ),
    footprint.unknown.length > 0 &&
      h(
        'ul',
        {},
        unknownAccesses(footprint).map((each) => h('li', { class: 'missing' }, each)),
      ),
  ];
}

interface Occupancy {
  name: string;
  registers?: number | null;
  percent?: number | null;
  threads?: number | null;
}

/** What ran comes first, as the driver tells it; then the code for other targets. */
function occupancies(run: Run): Occupancy[] {
  const target = targetOf(run);
  const alternatives = run.kernel.built[0]?.kernel.alternatives ?? [];
  return [...new Set(['original', run.entry.alternative])].flatMap((id) => {
    const own = id === 'original' ? run.entry.original_code : run.entry.chosen_code;
    const codes = (alternatives.find((each) => each.id === id)?.code ?? [])
      .filter((each) => each.symbol && each.occupancy_percent != null && (each.kind !== target || !own))
      .map((each) => ({ ...each, name: `${id}, ${each.arch}` }));
    return [...(own ? [{ ...own, name: `${id}, as it ran` }] : []), ...codes].map((each) => ({
      name: each.name,
      registers: each.registers,
      percent: each.occupancy_percent,
      threads: each.occupancy_threads,
    }));
  });
}

function percentBar(value: number | null | undefined): Child {
  if (value == null) return '–';
  return [h('span', { class: 'bar touched', style: `width:${value}px`, 'aria-hidden': 'true' }), ` ${value} %`];
}

const withoutOccupancy = (run: Run) =>
  targetOf(run) === 'cpu'
    ? 'Occupancy has no meaning on the CPU, on which this class was measured.'
    : 'No input tells the occupancy: it is known for machine code (--targets=sm_NN, gfxNN), and as the driver tells it.';

function fillOf(waves: number): string {
  if (waves < 1) return `The grid fills at most ${percent(waves)} of the device.`;
  return `The grid fills the device ${waves === 1 ? 'once' : `more than ${waves / 2} and at most ${waves} times`}.`;
}

function occupancy(run: Run): Child {
  const rows = occupancies(run);
  const waves = wavesOf(run);
  return [
    waves !== undefined && h('p', {}, fillOf(waves)),
    rows.length
      ? table(
          'Occupancy: the part of a multiprocessor’s threads that fit',
          [
            { title: 'Code', head: true, cell: (each) => each.name },
            { title: 'Registers', number: true, cell: (each) => figure(each.registers) },
            { title: 'Threads of a block', number: true, cell: (each) => figure(each.threads) },
            { title: 'Occupancy', cell: (each) => percentBar(each.percent) },
          ],
          rows,
        )
      : note(withoutOccupancy(run)),
  ];
}

function moved(traffic: Traffic, run: Run): string {
  const rate = (us: number) => scaled(traffic.touched / (us * 1e-6), 'B/s');
  const other = ' (counted for another size of blocks than the launch has: give the footprint with --block)';
  const { original_us, chosen_us, alternative } = run.entry;
  return [
    `A launch of ${traffic.blocks} blocks must move at most ${bytes(traffic.touched)} `,
    `and asks for ${bytes(traffic.asked)}${traffic.isBlockRight ? '' : other}. `,
    `At ${time(original_us)} the original moves ${rate(original_us)}`,
    alternative === 'original' ? '.' : `, and the chosen grain ${rate(chosen_us)}.`,
  ].join('');
}

export function bounds(model: Model, run: Run | undefined): HTMLElement {
  if (!run)
    return section('bounds', 'Roofline and occupancy', note('This needs a measured time (regrain tune --json).'));
  const bound = boundOf(model, run);
  const traffic = trafficOf(run);
  return section(
    'bounds',
    'Roofline and occupancy',
    h('p', { class: 'big' }, 'Bound by: ', h('strong', {}, bound.verdict)),
    h(
      'ul',
      {},
      bound.evidence.map((each) => h('li', {}, each)),
      bound.missing.map((each) => h('li', { class: 'missing' }, `Not known – ${each}`)),
    ),
    roofline(model, run),
    h('h4', {}, 'Bytes that must move, and bytes moved'),
    traffic && h('p', {}, moved(traffic, run)),
    memoryBars(run),
    note(
      'Both figures are the compiler’s: what blocks share is not seen, and counters of the device are in no report.',
    ),
    h('h4', {}, 'Occupancy'),
    occupancy(run),
  );
}
