// What bounds a kernel, and how sure that is. A figure that the inputs do not tell is not replaced by a guess.

import { deviceKind } from './device';
import { bytes, gain, percent, scaled, time } from './format';
import { nowUs, type Model, type Run } from './model';
import { occupancyOf } from './occupancy';
import { limitsOf, wavesOf } from './launch';
import { listingsOf } from './why';
import { computedBy, leastSeconds, totalOf, trafficOf } from './work';

/** How sure an answer is: a figure of the run, a figure of the compiler's model, or none. */
export type Certainty = 'measured' | 'modelled' | 'not known';

export interface Bound {
  verdict: string;
  certainty: Certainty;
  evidence: string[];
  missing: string[];
}

/** A count of at most this part of a limit leaves something else to bound the kernel; more of it is the bound. */
const largeShare = 0.6;

/** A kernel may do a little more than the copy that was measured. */
const mostShare = 1.25;

/** A share of a limit; no figure where it is more than a device can do. */
function shareOf(share: number, limit: string): string {
  if (share <= 1) return `${percent(share)} of the ${limit}`;
  if (share <= mostShare) return `about as much as the ${limit}`;
  return `more than the ${limit}: data stay in caches, or the count is only a bound, and says nothing of the time`;
}

class Judge {
  readonly bound: Bound = { verdict: '', certainty: 'not known', evidence: [], missing: [] };
  private readonly us: number;

  constructor(
    private readonly model: Model,
    private readonly run: Run,
  ) {
    this.us = nowUs(run.entry);
  }

  private decide(verdict: string, certainty: Certainty): void {
    if (this.bound.verdict) return;
    Object.assign(this.bound, { verdict, certainty });
  }

  fill(): void {
    const waves = wavesOf(this.run);
    if (waves === undefined || waves >= 1) return;
    this.decide('too few blocks', 'measured');
    this.bound.evidence.push(`The grid fills at most ${percent(waves)} of the device.`);
  }

  /** Returns whether the bytes are known to need little of the time. */
  bandwidth(): boolean {
    const { evidence, missing } = this.bound;
    const traffic = trafficOf(this.run);
    if ('unknown' in traffic) {
      missing.push(`The bytes of a launch: ${traffic.unknown}.`);
      return false;
    }
    const limit = limitsOf(this.model, this.run)?.copy_bytes_per_second;
    const words = `By the model, the blocks of a launch touch at most ${bytes(traffic.value.touched)}`;
    if (!limit) {
      evidence.push(`${words}.`);
      missing.push(
        `The device’s limits: no input has those of ${this.run.entry.device} (bench/limits/device_limits.cu measures them).`,
      );
      return false;
    }
    const share = traffic.value.touched / (this.us * 1e-6) / limit;
    evidence.push(`${words}; in its time that is ${shareOf(share, `${scaled(limit, 'B/s')} that a copy reaches`)}.`);
    if (share >= largeShare && share <= mostShare) this.decide('memory bandwidth', 'modelled');
    if (share > mostShare) missing.push('How much of what blocks touch comes from caches.');
    return share < largeShare;
  }

  /** Returns whether the operations are known to need little of the time. */
  arithmetic(): boolean {
    const { evidence, missing } = this.bound;
    const computed = computedBy(this.run);
    if ('unknown' in computed) {
      missing.push(`The operations of a launch: ${computed.unknown}.`);
      return false;
    }
    const { functions, isConditional } = computed.value;
    if (!totalOf(computed.value) && !functions.length) {
      evidence.push('It computes no floating-point numbers.');
      return true;
    }
    const least = leastSeconds(computed.value, limitsOf(this.model, this.run));
    const words = `By the model, a launch computes ${isConditional ? 'at most ' : ''}${scaled(totalOf(computed.value), 'FLOP')}`;
    if (functions.length) missing.push(`What calls of ${functions.join(', ')} compute.`);
    if (least === undefined) {
      evidence.push(`${words}.`);
      if (computed.value.double) missing.push('The limits of the device for numbers of 64 bits (double_operations_per_second).');
      return false;
    }
    const share = least / (this.us * 1e-6);
    evidence.push(`${words}; in its time that is ${shareOf(share, 'multiply-adds that the device reaches')}.`);
    if (share >= largeShare && share <= mostShare) this.decide('arithmetic', 'modelled');
    return share < largeShare && !functions.length;
  }

  occupancy(): void {
    const { entry } = this.run;
    if (deviceKind(this.model, entry.device) === 'CPU') return;
    const occupancy = occupancyOf(this.model, this.run, entry.alternative);
    if (occupancy?.percent == null) return;
    this.bound.evidence.push(
      `Occupancy ${occupancy.percent} %, with blocks of ${occupancy.threads} threads and ${occupancy.registers ?? '–'} registers.`,
    );
    if (occupancy.percent <= 25) this.decide('latency: few threads are resident', 'modelled');
  }

  reuse(): void {
    const traffic = trafficOf(this.run);
    if ('unknown' in traffic || !traffic.value.touched) return;
    const { asked, touched, blocks } = traffic.value;
    this.bound.evidence.push(
      `A block of the original asks for ${bytes(asked / blocks)} and touches ${bytes(touched / blocks)}: ${
        asked < touched
          ? `${percent(asked / touched)} of what is moved is asked for`
          : `each byte is asked for ${gain(asked / touched).replace('×', '')} times`
      }.`,
    );
    if (asked / touched >= 4) this.decide('loads that caches answer', 'modelled');
  }

  code(): void {
    const listing = listingsOf(this.run.kernel, this.run)[0];
    const side =
      listing?.sides.find((each) => each.alternative === this.run.entry.alternative) ?? listing?.sides[0];
    if (!side?.totals.instructions) return;
    const accesses = side.accesses
      .filter((each) => each.memory === 'global' || each.memory === 'generic')
      .reduce((all, each) => all + each.count, 0);
    this.bound.evidence.push(
      `The code (${listing.form}) has ${side.totals.instructions} instructions; ${side.totals.fma ?? 0} are fused multiply-adds and ${accesses} access global memory. How often each runs is not counted.`,
    );
  }

  judge(): Bound {
    this.fill();
    const hasBandwidth = this.bandwidth();
    const hasArithmetic = this.arithmetic();
    this.occupancy();
    this.reuse();
    if (this.us < 5) {
      this.decide('the launch itself: it takes a few microseconds', 'measured');
      this.bound.evidence.push(
        `A launch takes ${time(this.us)}. Below 5 µs it counts as bound by its start; what the start alone takes is not measured.`,
      );
    }
    this.code();
    // What is left is not measured: what each thread executes, and waits for.
    if (hasBandwidth && hasArithmetic)
      this.decide('the instructions of each thread, and waiting between them (by exclusion)', 'modelled');
    const computed = computedBy(this.run);
    this.bound.verdict ||= 'unknown' in computed ? `not known: ${computed.unknown}` : 'not known';
    return this.bound;
  }
}

/** What bounds a kernel at the grain that runs. */
export function boundOf(model: Model, run: Run): Bound {
  const judge = new Judge(model, run);
  return judge.judge();
}

export interface SharedBound {
  verdict: string;
  certainty: Certainty;
  classes: number;
  /** Of the time of all the runs. */
  share: number;
}

/** What bounds several classes of launches: each answer with its part of their time, the largest first. */
export function boundsOf(model: Model, runs: Run[]): SharedBound[] {
  const all = runs.reduce((sum, each) => sum + each.afterUs, 0);
  const bounds = new Map<string, SharedBound>();
  for (const run of runs) {
    const { verdict: words, certainty } = boundOf(model, run);
    const verdict = certainty === 'not known' ? 'not known' : words;
    const known = bounds.get(verdict) ?? { verdict, certainty, classes: 0, share: 0 };
    bounds.set(verdict, { ...known, classes: known.classes + 1, share: known.share + run.afterUs / all });
  }
  return [...bounds.values()].sort((a, b) => b.share - a.share);
}
