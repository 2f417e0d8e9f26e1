// Roofline and occupancy: where the original and the choice stand between what the code asks for and what the device can do.

import { h, note, section, svg, table, type Child } from './dom';
import { bytes, figure, percent, scaled, time } from './format';
import type { Model, Run } from './model';
import type { Code, Listing, Side } from './schema';
import { targetOf } from './fates';
import { boundOf, footprintOf, limitsOf, listingsOf, trafficOf, wavesOf } from './why';

interface Point { name: string; isChosen: boolean; intensity: number; rate: number }

/** Operations for each byte of global memory, with every instruction counted once. */
function intensityOf(side: Side): number | undefined {
  const moved = side.accesses.filter((each) => each.memory === 'global' || each.memory === 'generic').reduce((all, each) => all + each.count * (each.bits ?? 32) / 8, 0);
  const operations = side.instructions.reduce((all, each) => all + (/\b(fma|ffma|vfmadd\w*|v_fma\w*|v_fmac\w*)/i.test(each.opcode) ? 2 : /^(fadd|fmul|add\.(rn\.)?f|mul\.(rn\.)?f|v_(add|mul)_f|v(add|mul)[ps]s)/i.test(each.opcode) ? 1 : 0), 0);
  return moved && operations ? operations / moved : undefined;
}

function pointsOf(run: Run): Point[] {
  const traffic = trafficOf(run);
  const listing: Listing | undefined = listingsOf(run.kernel, run)[0];
  if (!traffic || !listing) return [];
  const times: [string, number][] = [['original', run.entry.original_us]];
  if (run.entry.alternative !== 'original') times.push([run.entry.alternative, run.entry.chosen_us]);
  const points: Point[] = [];
  for (const [name, us] of times) {
    // What a launch computes does not depend on the grain: the original's code tells it.
    const intensity = intensityOf(listing.sides[0]);
    if (intensity) points.push({ name, isChosen: name !== 'original', intensity: intensity * traffic.asked / traffic.touched, rate: intensity * traffic.asked / (us * 1e-6) });
  }
  return points;
}

function roofline(model: Model, run: Run): Child {
  const points = pointsOf(run);
  if (!points.length) return note('The roofline needs the bytes of a launch, and code with floating-point operations; the list above says what is missing.');
  const limits = limitsOf(model, run);
  const bandwidth = limits?.copy_bytes_per_second ?? undefined;
  const peak = limits?.float_operations_per_second ?? undefined;
  const [width, height, left, bottom] = [640, 320, 104, 40];
  const ridge = bandwidth && peak ? peak / bandwidth : undefined;
  const xs = [...points.map((each) => each.intensity), ...(ridge ? [ridge] : [])];
  const ys = [...points.map((each) => each.rate), ...(peak ? [peak] : []), ...(bandwidth ? points.map((each) => bandwidth * each.intensity) : [])];
  const [x0, x1] = [Math.floor(Math.log10(Math.min(...xs)) - 0.3), Math.ceil(Math.log10(Math.max(...xs)) + 0.3)];
  const [y0, y1] = [Math.floor(Math.log10(Math.min(...ys)) - 0.3), Math.ceil(Math.log10(Math.max(...ys)) + 0.2)];
  const x = (value: number) => left + (width - left - 10) * (Math.log10(value) - x0) / (x1 - x0);
  const y = (value: number) => height - bottom - (height - bottom - 10) * (Math.log10(value) - y0) / (y1 - y0);
  const ticks = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => 10 ** (from + i));
  const roof: Child[] = [];
  if (bandwidth) {
    const end = Math.min(10 ** x1, ridge ?? Infinity, 10 ** y1 / bandwidth);
    const start = Math.max(10 ** x0, 10 ** y0 / bandwidth);
    roof.push(svg('line', { x1: x(start), y1: y(start * bandwidth), x2: x(end), y2: y(end * bandwidth), class: 'roof' }),
      svg('text', { x: (x(start) + x(end)) / 2 - 8, y: (y(start * bandwidth) + y(end * bandwidth)) / 2 - 8, class: 'label', 'text-anchor': 'end' }, `copy: ${scaled(bandwidth, 'B/s')}`));
  }
  if (peak) {
    roof.push(svg('line', { x1: x(Math.max(10 ** x0, ridge ?? 0)), y1: y(peak), x2: width - 10, y2: y(peak), class: 'roof' }),
      svg('text', { x: width - 14, y: y(peak) - 6, class: 'label', 'text-anchor': 'end' }, `multiply-adds: ${scaled(peak, 'FLOP/s')}`));
  }
  const words = points.map((each) => `${each.name}: ${each.intensity.toFixed(2)} FLOP/B, ${scaled(each.rate, 'FLOP/s')}`).join('; ');
  return h('figure', {}, svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `Roofline. ${words}`, class: 'chart' },
    ticks(x0, x1).map((each) => [svg('line', { x1: x(each), x2: x(each), y1: 10, y2: height - bottom, class: 'grid' }), svg('text', { x: x(each), y: height - bottom + 16, 'text-anchor': 'middle' }, String(each))]),
    ticks(y0, y1).map((each) => [svg('line', { x1: left, x2: width - 10, y1: y(each), y2: y(each), class: 'grid' }), svg('text', { x: left - 6, y: y(each) + 4, 'text-anchor': 'end' }, scaled(each, 'FLOP/s'))]),
    svg('text', { x: (left + width) / 2, y: height - 6, 'text-anchor': 'middle' }, 'FLOP for each byte that blocks touch (model)'),
    roof,
    points.map((each) => svg('circle', { cx: x(each.intensity), cy: y(each.rate), r: 7, class: each.isChosen ? 'chosen' : 'original' }, svg('title', {}, each.name))),
    points.map((each, i) => svg('text', { x: x(each.intensity) + 12, y: y(each.rate) + (i ? -6 : 14), class: 'label' }, each.isChosen ? 'chosen' : 'original'))),
  h('figcaption', {}, `${words}. The operations are those of the listing, with each instruction counted once, for the bytes that it asks for; so the height is a model, and only the times are measured.`,
    !limits && ` No roof: no input has the limits of ${run.entry.device}.`, limits && ` Limits: ${limits.how}.`));
}

/** Bars of what a block asks for and what it touches, in each memory. */
function memoryBars(run: Run): Child {
  const footprint = footprintOf(run.kernel);
  if (!footprint) return note('No input has the footprint (regrain inspect --json --footprint).');
  const most = Math.max(...footprint.memories.map((each) => each.asked_bytes), 1);
  const bar = (value: number | null, kind: string) => value === null ? 'unknown' : [h('span', { class: `bar ${kind}`, style: `width:${Math.max(1, 100 * value / most)}px`, 'aria-hidden': 'true' }), ` ${bytes(value)}`];
  return [table(`Bytes of global memory for one block of ${footprint.block.join('x')}, with ${footprint.trips} trips for each loop of unknown length`, [
    { title: 'Memory', head: true, cell: (each) => each.memory },
    { title: 'Access', cell: (each) => [each.reads && 'read', each.writes && 'written'].filter(Boolean).join(' and ') },
    { title: 'A thread asks for', cell: (each) => h('code', {}, each.bytes_per_thread) },
    { title: 'Moved if nothing is reused', cell: (each) => bar(each.asked_bytes, 'asked') },
    { title: 'Must move', cell: (each) => bar(each.touched_bytes, 'touched') }], footprint.memories),
  footprint.unknown.length > 0 && h('ul', {}, footprint.unknown.map((each) => h('li', { class: 'missing' }, `${each.memory}${each.line ? `, line ${each.line}` : ''}: ${each.reason}`)))];
}

function occupancy(run: Run): Child {
  const target = targetOf(run);
  const rows: { name: string; code?: Code; registers?: number | null; percent?: number | null; threads?: number | null }[] = [];
  const ids = [...new Set(['original', run.entry.alternative])];
  const short = (id: string) => (id === 'original' ? run.entry.original_code : run.entry.chosen_code);
  for (const id of ids) {
    const figures = short(id);
    if (figures) rows.push({ name: `${id}, as it ran`, registers: figures.registers, percent: figures.occupancy_percent, threads: figures.occupancy_threads });
    for (const { kernel } of run.kernel.built.slice(0, 1)) {
      for (const code of kernel.alternatives?.find((each) => each.id === id)?.code ?? []) {
        if (code.symbol && code.occupancy_percent != null && (code.kind !== target || !figures)) rows.push({ name: `${id}, ${code.arch}`, registers: code.registers, percent: code.occupancy_percent, threads: code.occupancy_threads });
      }
    }
  }
  const waves = wavesOf(run);
  return [waves !== undefined && h('p', {}, waves < 1 ? `The grid fills at most ${percent(waves)} of the device.` : `The grid fills the device ${waves === 1 ? 'once' : `more than ${waves / 2} and at most ${waves} times`}.`),
    rows.length ? table('Occupancy: the part of a multiprocessor’s threads that fit', [
      { title: 'Code', head: true, cell: (each) => each.name },
      { title: 'Registers', number: true, cell: (each) => figure(each.registers) },
      { title: 'Threads of a block', number: true, cell: (each) => figure(each.threads) },
      { title: 'Occupancy', cell: (each) => each.percent == null ? '–' : [h('span', { class: 'bar touched', style: `width:${each.percent}px`, 'aria-hidden': 'true' }), ` ${each.percent} %`] }], rows)
      : note(target === 'cpu' ? 'Occupancy has no meaning on the CPU, on which this class was measured.' : 'No input tells the occupancy: it is known for machine code (--targets=sm_NN, gfxNN) and as the driver tells it while tuning.')];
}

export function bounds(model: Model, run: Run | undefined): HTMLElement {
  if (!run) return section('bounds', 'Roofline and occupancy', note('This needs a measured time (regrain tune --json).'));
  const bound = boundOf(model, run);
  const traffic = trafficOf(run);
  return section('bounds', 'Roofline and occupancy',
    h('p', { class: 'big' }, 'Bound by: ', h('strong', {}, bound.verdict)),
    h('ul', {}, bound.evidence.map((each) => h('li', {}, each)), bound.missing.map((each) => h('li', { class: 'missing' }, `Not known – ${each}`))),
    roofline(model, run),
    h('h4', {}, 'Bytes that must move, and bytes moved'),
    traffic && h('p', {}, `A launch of ${traffic.blocks} blocks must move at most ${bytes(traffic.touched)} and asks for ${bytes(traffic.asked)}${traffic.isBlockRight ? '' : ' (counted for another size of blocks than the launch has: give the footprint with --block)'}. At ${time(run.entry.original_us)} the original moves ${scaled(traffic.touched / (run.entry.original_us * 1e-6), 'B/s')}${run.entry.alternative !== 'original' ? `, and the chosen grain ${scaled(traffic.touched / (run.entry.chosen_us * 1e-6), 'B/s')}` : ''}.`),
    memoryBars(run),
    note('Both figures are the compiler’s: what blocks share is not seen, and counters of the device are in no report.'),
    h('h4', {}, 'Occupancy'), occupancy(run));
}
