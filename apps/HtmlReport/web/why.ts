// Sentences: what differs in the code of a kernel that gained. Each names the figures that it is made of.

import { explain } from './grain';
import { type Kernel, type Model, type Run } from './model';
import { h, type Child } from './dom';
import { fatesOf, targetOf } from './fates';
import { gain } from './format';
import { grainText } from './links';
import { occupancyOf, threadsOf } from './occupancy';
import type { Access, Listing, Side } from './schema';

/** The listings that show the alternative beside the original; those of the run's own target come first. */
export function listingsOf(kernel: Kernel, run?: Run): Listing[] {
  const kinds: Record<string, string> = { sass: 'cubin', ptx: 'ptx', amdgcn: 'hsaco', x86: 'cpu' };
  const listings = kernel.built.map((each) => each.kernel.listing).filter((each): each is Listing => !!each);
  const rank = (each: Listing) => {
    if (!run) return 0;
    const hasChoice = each.sides.some((side) => side.alternative === run.entry.alternative);
    return (hasChoice ? 0 : 2) + (kinds[each.form] === targetOf(run)?.kind ? 0 : 1);
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

/** Other grains that gain nearly as much: at least 70 % of the best, and surely more than nothing. */
export function nearlyAsGood(run: Run): Child {
  const { entry } = run;
  const others = fatesOf(run.kernel, run)
    .filter((each) => each.state === 'measured' && each.gain! >= 0.7 * entry.gain && each.low! > 1)
    .sort((a, b) => b.gain! - a.gain!);
  if (!others.length) return false;
  const text = others.slice(0, 3).map((each, i) => [i > 0 && ', ', grainText(each.id), ` ${gain(each.gain!)}`]);
  const isOfFewer = others.slice(0, 3).some((each) => each.coverage);
  return h('p', {}, 'Nearly as much: ', text, others.length > 3 && ` and ${others.length - 3} more`, isOfFewer && ' (some in fewer launches: the map tells)', '.');
}

/** Blocks of another size than the program's; those of less than a warp leave lanes idle. */
function blockReason(run: Run): string | undefined {
  const { alternative, device } = run.entry;
  const [before, after] = [threadsOf(run, 'original'), threadsOf(run, alternative)];
  if (!before || !after || before === after) return undefined;
  const idle =
    /^NVIDIA/.test(device) && before < 32 ? `; a warp has 32, of which ${32 - before} were idle` : '';
  return `Threads of a block: ${before} became ${after}${idle}.`;
}

/** How much of the gain the original has too, if it is compiled by the same route. */
function controlReason(run: Run): string | undefined {
  const control = fatesOf(run.kernel, run).find((each) => each.id === 'control' && each.gain !== undefined);
  if (!control || run.entry.alternative === 'control') return undefined;
  return `The original by the same compile route (control): ${gain(control.gain!)} (${control.interval}).`;
}

/** What the chosen grain does, and what it changed in code and resources. */
export function gainReasons(model: Model, run: Run): string[] {
  const { entry, kernel } = run;
  if (entry.alternative === 'original') return [`The original stays: ${entry.verdict}.`];
  const reasons = explain(entry.alternative, model.help);
  for (const reason of [controlReason(run), blockReason(run)]) if (reason) reasons.push(reason);
  const listing = listingsOf(kernel, run).find((each) => each.sides[1]?.alternative === entry.alternative);
  if (listing) {
    const work = workOf(kernel, entry.alternative);
    const [old, fresh] = listing.sides.map((each) => each.totals.instructions);
    if (old && fresh) reasons.push(`Instructions of the code (${listing.form}, each counted once, in loops too): ${became(old, fresh, work)}.`);
    reasons.push(...codeReasons(listing, work).slice(0, 2));
  }
  const [old, fresh] = [entry.original_code, entry.chosen_code];
  if (old?.registers != null && fresh?.registers != null) {
    const words = ['original', entry.alternative].map((id) => {
      const occupancy = occupancyOf(model, run, id);
      return `${occupancy?.percent == null ? 'not known' : `${occupancy.percent} %`} with blocks of ${occupancy?.threads ?? '–'}`;
    });
    reasons.push(
      `Registers of a thread: ${old.registers} became ${fresh.registers}; occupancy: ${words[0]} became ${words[1]} threads.`,
    );
  }
  return reasons;
}
