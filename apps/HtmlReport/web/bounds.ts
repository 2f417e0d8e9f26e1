// Roofline and occupancy: where the original and the choice stand between what the code asks for and what the
// device can do.

import { h, note, section, table, type Child } from './dom';
import { bytes, figure, percent, plural, scaled } from './format';
import type { Model, Run } from './model';
import { roofline } from './roofline';
import { targetOf } from './fates';
import type { Arithmetic, Footprint, Memory } from './schema';
import { boundOf, type Bound, type SharedBound } from './bound';
import { occupancyOf, type Occupancy } from './occupancy';
import { deviceKind, deviceWords } from './device';
import { footprintOf, wavesOf } from './launch';
import { isOpen, trafficOf, type Traffic } from './work';

/** What the counts are made for, beside the code. */
const launchOf = (footprint: Footprint) =>
  footprint.launch ? `; at ${footprint.launch}` : footprint.trips_given ? `; ${footprint.trips} of each` : '';

const unknownLength = 'not known: in a loop whose length is not known';

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

/** What a thread of the original computes, by the size of the numbers. */
function operations(run: Run): Child {
  const footprint = footprintOf(run);
  if (!footprint?.arithmetic) return note('No input tells the operations (regrain inspect --json --footprint).');
  if (!footprint.arithmetic.length) return h('p', {}, 'The code computes no floating-point numbers.');
  return table(
    `Floating-point operations of a thread (modelled; n: trips of a loop${launchOf(footprint)})`,
    [
      {
        title: 'What',
        head: true,
        cell: (each) =>
          each.function
            ? ['calls of ', h('code', {}, each.function)]
            : `additions, products, quotients${each.bits ? ` on ${each.bits} bits` : ''}`,
      },
      { title: 'A thread computes', cell: (each) => h('code', {}, each.per_thread) },
      { title: 'Under a condition', cell: (each) => (each.conditional ? 'partly, counted as if it held' : 'no') },
      { title: 'A block computes', cell: (each) => ofBlock(footprint, each) },
    ],
    footprint.arithmetic,
  );
}

function ofBlock(footprint: Footprint, each: Arithmetic): Child {
  if (each.function) return plural(each.of_block, 'call');
  if (isOpen(footprint, each.per_thread)) return unknownLength;
  return scaled(each.of_block, 'FLOP');
}

/** Bars of what a block asks for and what it touches, in each memory. */
function memoryBars(run: Run): Child {
  const footprint = footprintOf(run);
  if (!footprint) return note('No input has the footprint (regrain inspect --json --footprint).');
  const isUnknown = (each: Memory) => isOpen(footprint, each.bytes_per_thread);
  const most = Math.max(...footprint.memories.filter((each) => !isUnknown(each)).map((each) => each.asked_bytes), 1);
  const bar = (memory: Memory, value: number | null, kind: string) =>
    value === null
      ? 'not known'
      : isUnknown(memory)
        ? unknownLength
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
      `Bytes of global memory for one block of ${footprint.block.join('x')} (modelled; n: trips of a loop${launchOf(footprint)})`,
      [
        { title: 'Memory', head: true, cell: (each) => each.memory },
        {
          title: 'Access',
          cell: (each) => [each.reads && 'read', each.writes && 'written'].filter(Boolean).join(' and '),
        },
        { title: 'A thread asks for', cell: (each) => h('code', {}, each.bytes_per_thread) },
        { title: 'Its threads ask for', cell: (each) => bar(each, each.asked_bytes, 'asked') },
        { title: `A block touches, in whole sectors of ${footprint.sector_bytes} B`, cell: (each) => bar(each, each.touched_bytes, 'touched') },
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

interface NamedOccupancy extends Occupancy {
  name: string;
}

/** What ran comes first, with the blocks that were launched; then the code for other targets. */
function occupancies(model: Model, run: Run): NamedOccupancy[] {
  const target = targetOf(run);
  const alternatives = run.kernel.built[0]?.kernel.alternatives ?? [];
  return [...new Set(['original', run.entry.alternative])].flatMap((id) => {
    const own = id === 'original' ? run.entry.original_code : run.entry.chosen_code;
    const codes = (alternatives.find((each) => each.id === id)?.code ?? [])
      .filter((each) => each.symbol && each.occupancy_percent != null && (each.kind !== target?.kind || !own))
      .map((each) => ({ ...each, name: `${id}, ${each.arch}` }));
    const ran = own && occupancyOf(model, run, id);
    const others = codes.map((each) => ({
      name: each.name,
      registers: each.registers,
      percent: each.occupancy_percent,
      threads: each.occupancy_threads,
    }));
    return [...(ran ? [{ ...ran, name: `${id}, as it ran` }] : []), ...others];
  });
}

function percentBar(value: number | null | undefined): Child {
  if (value == null) return 'not known for these blocks';
  return [h('span', { class: 'bar touched', style: `width:${value}px`, 'aria-hidden': 'true' }), ` ${value} %`];
}

const withoutOccupancy =
  'No input tells the occupancy: it is known for machine code (--targets=sm_NN, gfxNN), and as the driver tells it.';

function fillOf(waves: number): string {
  if (waves < 1) return `The grid fills at most ${percent(waves)} of the device.`;
  return `The grid fills the device ${waves === 1 ? 'once' : `more than ${waves / 2} and at most ${waves} times`}.`;
}

function occupancy(model: Model, run: Run): Child {
  if (deviceKind(model, run.entry.device) === 'CPU')
    return note(`Occupancy has no meaning on ${deviceWords(model, run.entry.device)}, on which the times were measured.`);
  const rows = occupancies(model, run);
  const waves = wavesOf(run);
  return [
    waves !== undefined && h('p', {}, fillOf(waves)),
    rows.length
      ? table(
          'Occupancy: the part of a multiprocessor’s slots for warps that blocks of these threads fill',
          [
            { title: 'Code', head: true, cell: (each) => each.name },
            { title: 'Registers', number: true, cell: (each) => figure(each.registers) },
            { title: 'Threads of a block', number: true, cell: (each) => figure(each.threads) },
            { title: 'Occupancy', cell: (each) => percentBar(each.percent) },
          ],
          rows,
        )
      : note(withoutOccupancy),
  ];
}

function moved(traffic: Traffic): string {
  const other = ' (counted for another size of blocks than the launch has: give the footprint with --block)';
  return `By the model, the ${traffic.blocks} blocks of a launch touch at most ${bytes(traffic.touched)} and ask for ${bytes(traffic.asked)}${traffic.isBlockRight ? '' : other}.`;
}

/** The answer and how sure it is. */
export const verdictOf = (bound: Bound) =>
  h(
    'p',
    { class: 'big' },
    'Bound by: ',
    h('strong', {}, bound.verdict),
    bound.certainty !== 'not known' && [' ', h('span', { class: 'certainty' }, bound.certainty)],
  );

/** The same for several classes of launches, each answer with its part of them. */
export const verdictsOf = (bounds: SharedBound[], classes: number) =>
  h(
    'p',
    { class: 'big' },
    'Bound by: ',
    bounds.map(({ verdict, certainty, classes: some, share }, i) => [
      i > 0 && '; ',
      h('strong', {}, verdict),
      certainty !== 'not known' && [' ', h('span', { class: 'certainty' }, certainty)],
      bounds.length > 1 && h('small', {}, ` in ${some} of ${classes} classes, ${percent(share)} of the time`),
    ]),
  );

export const evidenceOf = (bound: Bound) =>
  h(
    'ul',
    {},
    bound.evidence.map((each) => h('li', {}, each)),
    bound.missing.map((each) => h('li', { class: 'missing' }, `Not known – ${each}`)),
  );

export function bounds(model: Model, run: Run | undefined): HTMLElement {
  if (!run)
    return section('bounds', 'Roofline and occupancy', note('This needs a measured time (regrain tune --json).'));
  const bound = boundOf(model, run);
  const traffic = trafficOf(run);
  return section(
    'bounds',
    'Roofline and occupancy',
    verdictOf(bound),
    evidenceOf(bound),
    roofline(model, run),
    h('h4', {}, 'Bytes of global memory'),
    'value' in traffic && h('p', {}, moved(traffic.value)),
    memoryBars(run),
    note(
      'Modelled by the compiler: what blocks share is not seen, and counters of the device are in no report.',
    ),
    h('h4', {}, 'Floating-point operations'),
    operations(run),
    h('h4', {}, 'Occupancy'),
    occupancy(model, run),
  );
}
