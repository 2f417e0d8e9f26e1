// Sentences: why a kernel gained, and what bounds it. Each names the figures that it is made of.

import { bytes, gain, percent, scaled } from './format';
import { explain } from './grain';
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

/** How much of the program's work the code of a grain does in place of the original's; 1 if that is not told. */
function workOf(kernel: Kernel, id: string): number {
  // Steps are a loop, so that the code of one step does the work of all.
  if (/(^|,)steps=/.test(id)) return 1;
  const alternatives = kernel.built.flatMap((each) => each.kernel.alternatives ?? []);
  const found = alternatives.find((each) => each.id === id && each.block_factors && each.thread_factors);
  return [...(found?.block_factors ?? []), ...(found?.thread_factors ?? [])].reduce((all, each) => all * each, 1);
}

function accessesOf(side: Side, kind: string): { count: number; bits: number } {
  const all = side.accesses.filter((each) => `${each.access} ${each.memory}` === kind);
  const count = all.reduce((sum, each) => sum + each.count, 0);
  return { count, bits: count ? all.reduce((sum, each) => sum + each.count * (each.bits ?? 32), 0) / count : 0 };
}

/** "98 became 104 for 4 times the work: 26 for each". */
function became(old: number, fresh: number, work: number): string {
  const share = fresh / work;
  const each =
    work > 1 ? ` for ${work} times the work: ${share < 10 ? share.toFixed(1) : Math.round(share)} for each` : '';
  return `${old} became ${fresh}${each}`;
}

/** What changed most, for the work that is done, comes first. */
function codeReasons(listing: Listing, work: number): string[] {
  const [before, after] = listing.sides;
  const isTold = (each: Access) => ['global', 'generic', 'shared'].includes(each.memory);
  const kinds = [before, after].flatMap((side) =>
    side.accesses.filter(isTold).map((each) => `${each.access} ${each.memory}`),
  );
  const changes = [...new Set(kinds)].flatMap((kind) => {
    const [old, fresh] = [accessesOf(before, kind), accessesOf(after, kind)];
    const change = Math.log((fresh.count || 0.1) / work / (old.count || 0.1));
    if (Math.abs(change) < 0.05 && old.bits === fresh.bits) return [];
    const [access, memory] = kind.split(' ');
    const wider =
      old.bits && fresh.bits && Math.abs(Math.log(fresh.bits / old.bits)) > 0.1
        ? `; each moved ${Math.round(old.bits)} bits on average, now ${Math.round(fresh.bits)}`
        : '';
    const name = `Instructions that ${access} ${memory === 'generic' ? 'any' : memory} memory`;
    return [{ text: `${name}: ${became(old.count, fresh.count, work)}${wider}.`, change: Math.abs(change) }];
  });
  return changes.sort((a, b) => b.change - a.change).map((each) => each.text);
}

/** Why the chosen grain is faster: what it does, and what it changed in code and resources. */
export function gainReasons(model: Model, run: Run): string[] {
  const { entry, kernel } = run;
  if (entry.alternative === 'original') return [`The original stays: ${entry.verdict}.`];
  const reasons = explain(entry.alternative, model.help);
  const listing = listingsOf(kernel, run).find((each) => each.sides[1]?.alternative === entry.alternative);
  if (listing) {
    const work = workOf(kernel, entry.alternative);
    const [old, fresh] = listing.sides.map((each) => each.totals.instructions);
    if (old && fresh) reasons.push(`Instructions of the code (${listing.form}): ${became(old, fresh, work)}.`);
    reasons.push(...codeReasons(listing, work).slice(0, 2));
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

/** More than a copy reaches is not moved, with some room for what a copy does worse than a kernel. */
const mostShare = 1.25;

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
  if (share > mostShare) {
    bound.evidence.push('Memory cannot move that much: blocks share what they touch, and caches answer the rest.');
    bound.verdict ||= 'loads that caches answer (by the model; not measured)';
  } else if (share >= 0.6) bound.verdict ||= 'memory bandwidth';
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
