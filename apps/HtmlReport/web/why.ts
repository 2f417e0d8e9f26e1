// Sentences: why a kernel gained, and what bounds it. Each names the figures that it is made of.

import { bytes, gain, percent, scaled } from './format';
import { explain, parse } from './grain';
import { intensityOf } from './operations';
import { nowUs, type Kernel, type Model, type Run } from './model';
import { targetOf } from './fates';
import type { Access, Footprint, Limits, Listing, Side } from './schema';

/** The listings that show the alternative beside the original; those of the run's own target come first. */
export function listingsOf(kernel: Kernel, run?: Run): Listing[] {
  const kinds: Record<string, string> = { sass: 'cubin', ptx: 'ptx', amdgcn: 'hsaco', x86: 'cpu' };
  const listings = kernel.built.map((each) => each.kernel.listing).filter((each): each is Listing => !!each);
  const rank = (each: Listing) => {
    if (!run) return 0;
    const hasChoice = each.sides.some((side) => side.alternative === run.entry.alternative);
    return (hasChoice ? 0 : 2) + (kinds[each.form] === targetOf(run) ? 0 : 1);
  };
  return listings.sort((a, b) => rank(a) - rank(b));
}

const isTraffic = (each: Access) => each.memory !== 'parameter' && each.memory !== 'constant';

/** "12 global loads, 128 bits wide on average". */
function widthOf(side: Side, kind: string): { count: number; bits: number } {
  const all = side.accesses.filter((each) => isTraffic(each) && `${each.memory} ${each.access}` === kind);
  const count = all.reduce((sum, each) => sum + each.count, 0);
  return { count, bits: count ? all.reduce((sum, each) => sum + each.count * (each.bits ?? 32), 0) / count : 0 };
}

const memoryNames: Record<string, string> = { local: 'a thread’s own memory (stack)', generic: 'any memory' };

/** The kinds of accesses whose width or number changed most come first. */
function codeReasons(listing: Listing): string[] {
  const [before, after] = listing.sides;
  const kinds = [before, after].flatMap((side) =>
    side.accesses.filter(isTraffic).map((each) => `${each.memory} ${each.access}`),
  );
  const changes = [...new Set(kinds)].flatMap((kind) => {
    const [old, fresh] = [widthOf(before, kind), widthOf(after, kind)];
    if (old.count === fresh.count && old.bits === fresh.bits) return [];
    const [memory, access] = kind.split(' ');
    const wide = (each: { count: number; bits: number }) =>
      each.count ? `${each.count} (${Math.round(each.bits)} bits each on average)` : 'none';
    const text = `Instructions that ${access} in ${memoryNames[memory] ?? `${memory} memory`}: ${wide(old)} became ${wide(fresh)}.`;
    return [{ text, bits: Math.abs(Math.log((fresh.bits || 1) / (old.bits || 1))) }];
  });
  return changes.sort((a, b) => b.bits - a.bits).map((each) => each.text);
}

/** Why the chosen grain is faster: what it does, and what it changed in code and resources. */
export function gainReasons(model: Model, run: Run): string[] {
  const { entry, kernel } = run;
  if (entry.alternative === 'original') return [`The original stays: ${entry.verdict}.`];
  const reasons = explain(entry.alternative, model.help);
  const listing = listingsOf(kernel, run).find((each) => each.sides[1]?.alternative === entry.alternative);
  if (listing) {
    reasons.push(...codeReasons(listing).slice(0, 2));
    const [old, fresh] = listing.sides.map((each) => each.totals.instructions);
    const { block, thread } = parse(entry.alternative);
    const more = block !== '1' || thread !== '1' ? ', for more of the program’s work in one launched thread' : '';
    if (old && fresh) reasons.push(`Instructions in the code (${listing.form}): ${old} became ${fresh}${more}.`);
  }
  const [old, fresh] = [entry.original_code, entry.chosen_code];
  if (old?.registers != null && fresh?.registers != null) {
    reasons.push(
      `Registers of a thread: ${old.registers} became ${fresh.registers}; occupancy ${old.occupancy_percent ?? '–'} % became ${fresh.occupancy_percent ?? '–'} %.`,
    );
  }
  return reasons;
}

export const limitsOf = (model: Model, run: Run): Limits | undefined =>
  model.limits.find(
    (each) =>
      each.device === run.entry.device && (!each.multiprocessors || each.multiprocessors === run.entry.multiprocessors),
  );

export const footprintOf = (kernel: Kernel): Footprint | undefined =>
  kernel.built.map((each) => each.kernel.footprint).find((each): each is Footprint => !!each);

/** The program's blocks in a launch of the class. */
export function blocksOf(run: Run): number | undefined {
  const known = run.entry.measurements
    .map((each) => each.blocks ?? 0)
    .filter((each) => each > 0)
    .sort((a, b) => a - b);
  return known[Math.floor(known.length / 2)];
}

export interface Traffic {
  asked: number;
  touched: number;
  blocks: number;
  isBlockRight: boolean;
}

/** The bytes of a launch by the compiler's model, if inputs tell all its parts. */
export function trafficOf(run: Run): Traffic | undefined {
  const footprint = footprintOf(run.kernel);
  const blocks = blocksOf(run);
  if (
    !footprint ||
    !blocks ||
    footprint.unknown.length ||
    footprint.memories.some((each) => each.touched_bytes === null)
  )
    return undefined;
  const sum = (of: 'asked_bytes' | 'touched_bytes') =>
    footprint.memories.reduce((all, each) => all + (each[of] ?? 0), 0) * blocks;
  return {
    asked: sum('asked_bytes'),
    touched: sum('touched_bytes'),
    blocks,
    isBlockRight: blockOf(run) === footprint.block.join('x'),
  };
}

export const blockOf = (run: Run) => run.entry.class.match(/block=([\dx]+)/)?.[1] ?? '';

/** How often the grid fills the device, at most. */
export function wavesOf(run: Run): number | undefined {
  const text = run.entry.class.match(/waves=(\d+)(?:\/(\d+))?/);
  return text ? Number(text[1]) / Number(text[2] ?? 1) : undefined;
}

/** Operations of a launch, by the model. What it computes does not depend on the grain: the original's code tells it. */
export function computedBy(run: Run): number | undefined {
  const traffic = trafficOf(run);
  const side = listingsOf(run.kernel, run)[0]?.sides[0];
  const intensity = side && intensityOf(side);
  return traffic && intensity ? intensity * traffic.asked : undefined;
}

export interface Bound {
  verdict: string;
  evidence: string[];
  missing: string[];
}

function bandwidthEvidence(model: Model, run: Run, bound: Bound): void {
  const traffic = trafficOf(run);
  const limits = limitsOf(model, run);
  const us = nowUs(run.entry);
  if (!traffic) {
    bound.missing.push(
      footprintOf(run.kernel)
        ? blocksOf(run)
          ? 'The bytes of a launch: the footprint has accesses whose addresses the compiler does not know.'
          : 'The bytes of a launch: the report does not tell its blocks (regrain tune tells them since version 1.5 of its JSON).'
        : 'The bytes of a launch: no input has a footprint (regrain inspect --json --footprint).',
    );
    return;
  }
  const rate = traffic.touched / (us * 1e-6);
  const footprint = footprintOf(run.kernel)!;
  const trips = footprint.memories.some((each) => each.bytes_per_thread.includes('n'))
    ? ` (with ${footprint.trips} trips of each loop of unknown length)`
    : '';
  const words = `By the model, blocks touch ${bytes(traffic.touched)} in a launch${trips}, ${scaled(rate, 'B/s')}`;
  if (!limits?.copy_bytes_per_second) {
    bound.evidence.push(`${words}.`);
    bound.missing.push(
      `The device’s limits: no input has those of ${run.entry.device} (bench/limits/device_limits.cu measures them).`,
    );
    return;
  }
  const share = rate / limits.copy_bytes_per_second;
  bound.evidence.push(
    `${words}: ${percent(share)} of the ${scaled(limits.copy_bytes_per_second, 'B/s')} that a copy reaches.`,
  );
  if (share >= 0.6) bound.verdict ||= 'memory bandwidth';
}

function arithmeticEvidence(model: Model, run: Run, bound: Bound): void {
  const computed = computedBy(run);
  const most = limitsOf(model, run)?.float_operations_per_second;
  if (!computed || !most) return;
  const rate = computed / (nowUs(run.entry) * 1e-6);
  bound.evidence.push(
    `By the model, a launch computes ${scaled(computed, 'FLOP')}, ${scaled(rate, 'FLOP/s')}: ${percent(rate / most)} of the ${scaled(most, 'FLOP/s')} that multiply-adds reach.`,
  );
  if (rate / most >= 0.6) bound.verdict ||= 'arithmetic';
}

/** What bounds a kernel at the grain that runs. */
export function boundOf(model: Model, run: Run): Bound {
  const bound: Bound = { verdict: '', evidence: [], missing: [] };
  const waves = wavesOf(run);
  if (waves !== undefined && waves < 1) {
    bound.verdict = 'too few blocks';
    bound.evidence.push(`The grid fills at most ${percent(waves)} of the device.`);
  }
  bandwidthEvidence(model, run, bound);
  arithmeticEvidence(model, run, bound);
  const code = run.entry.alternative === 'original' ? run.entry.original_code : run.entry.chosen_code;
  if (code?.occupancy_percent != null) {
    bound.evidence.push(`Occupancy ${code.occupancy_percent} %, with ${code.registers ?? '–'} registers.`);
    if (code.occupancy_percent <= 25) bound.verdict ||= 'latency: few threads are resident';
  }
  const footprint = footprintOf(run.kernel);
  const [asked, touched] = (['asked_bytes', 'touched_bytes'] as const).map(
    (of) => footprint?.memories.reduce((all, each) => all + (each[of] ?? 0), 0) ?? 0,
  );
  if (asked && touched) {
    bound.evidence.push(
      `A block asks for ${bytes(asked)} and touches ${bytes(touched)}: each byte is asked for ${gain(asked / touched).replace('×', '')} times.`,
    );
    if (asked / touched >= 4) bound.verdict ||= 'loads that caches answer (by the model; not measured)';
  }
  const us = nowUs(run.entry);
  if (us < 5) bound.verdict ||= 'the launch itself: it takes a few microseconds';
  const mix = listingsOf(run.kernel, run)[0];
  const side = mix?.sides.find((each) => each.alternative === run.entry.alternative) ?? mix?.sides[0];
  if (side?.totals.instructions) {
    const accesses = side.accesses
      .filter((each) => each.memory === 'global' || each.memory === 'generic')
      .reduce((all, each) => all + each.count, 0);
    bound.evidence.push(
      `Of ${side.totals.instructions} instructions (${mix.form}, each counted once), ${side.totals.fma ?? 0} are fused multiply-adds and ${accesses} access global memory.`,
    );
  }
  // Nothing that is left is measured: what each thread executes, and waits for.
  if (trafficOf(run) && limitsOf(model, run)?.copy_bytes_per_second)
    bound.verdict ||= 'the instructions of each thread, and waiting between them (by exclusion)';
  bound.verdict ||= 'not told by these inputs';
  return bound;
}
