// What became of each grain of a kernel, and why.

import { isTimed, type Kernel, type Run } from './model';
import type { Measurement, Refusal } from './schema';

export type State =
  | 'chosen'
  | 'measured'
  | 'refused'
  | 'inapplicable'
  | 'off-target'
  | 'pruned'
  | 'timed-out'
  | 'excluded'
  | 'dropped'
  | 'not-tried'
  | 'unmeasured';

export const stateNames: Record<State, string> = {
  chosen: 'chosen',
  measured: 'measured',
  refused: 'refused',
  inapplicable: 'not applicable here',
  'off-target': 'not for this target',
  pruned: 'pruned',
  'timed-out': 'compile timed out',
  excluded: 'excluded',
  dropped: 'dropped',
  'not-tried': 'not tried',
  unmeasured: 'not measured',
};

/** What each state means, for the legend. */
export const stateMeanings: Record<State, string> = {
  chosen: 'the grain that runs',
  measured: 'timed, with the original’s results',
  refused: 'could change results, or that it does not is not proved',
  inapplicable: 'the compiler finds nothing in the kernel to which it may apply the grain',
  'off-target': 'beyond a limit of the target, or made for another one',
  pruned: 'legal, but the compiler did not keep it for the target: for lack of room or prospects',
  'timed-out': 'the compiler gave it up',
  excluded: 'gave other results or broke the program, and never runs again',
  dropped: 'given up while tuning, for instance because no launch of the class fits its conditions',
  'not-tried': 'the budget did not suffice',
  unmeasured: 'legal or compiled, but no measurement is among the inputs',
};

export interface Fate {
  id: string;
  state: State;
  reason: string;
  remedy: string;
  place: string;
  /** Of the class of launches, if it was timed: gain, its interval, and the time at the original's median. */
  gain?: number;
  low?: number;
  high?: number;
  us?: number;
  measurements: Measurement[];
}

const blank = (id: string, state: State, reason = ''): Fate => ({
  id,
  state,
  reason,
  remedy: '',
  place: '',
  measurements: [],
});

const isInapplicable = /^(nothing-|already-|contradiction|unsuitable-argument|not-in-warps|partial-warps|not-offered|no-body)/;
const isOffTarget =
  /^(parameter-limit|export-failed|undefined-symbol|variable-address|managed-variable|no-clusters|no-wide-atomics|not-on-target|shared-memory|target-limit|too-large|back-end-failed|vendor-code)$/;

/** What a refusal means, by the kind of its reason (compiler/Refusal/RefusalKind.def); otherwise by its stage. */
function stateOfRefusal(kind: string | null | undefined, stage: string | null): State {
  if (kind && isInapplicable.test(kind)) return 'inapplicable';
  if (kind && isOffTarget.test(kind)) return 'off-target';
  return kind || !stage || stage === 'transform' ? 'refused' : 'off-target';
}

const fromRefusal = (id: string, refusal: Refusal): Fate => ({
  ...blank(id, stateOfRefusal(refusal.kind, refusal.stage), refusal.reason),
  remedy: refusal.remedy ?? '',
  place: refusal.file ? `${refusal.file}${refusal.line ? `:${refusal.line}` : ''}` : '',
});

const stateOfOutcome: Record<string, State> = { pruned: 'pruned', 'timed-out': 'timed-out' };

export interface Target {
  kind: string;
  arch: string;
}

/** The target that the run's code is of. */
export function targetOf(run: Run): Target | undefined {
  for (const { image } of run.kernel.built) {
    const target = image.targets.find((each) => each.generation && each.generation === run.entry.generation);
    if (target) return target;
  }
  return undefined;
}

function fromBuilt(kernel: Kernel, target: Target | undefined, fates: Map<string, Fate>): void {
  for (const { image, kernel: built } of kernel.built) {
    for (const each of built.alternatives ?? []) fates.set(each.id, blank(each.id, 'unmeasured', 'compiled'));
    for (const each of built.candidates ?? []) {
      const code = each.code.find((one) => one.target === target?.arch || one.target === target?.kind);
      const verdict = each.outcome === 'kept' && code ? code : each;
      const others = each.code
        .filter((one) => one.outcome !== 'kept' && one.reason)
        .map((one) => `${one.target}: ${one.outcome}, ${one.reason}`);
      const state =
        verdict.outcome === 'refused'
          ? stateOfRefusal(null, verdict.stage)
          : (stateOfOutcome[verdict.outcome] ?? 'unmeasured');
      fates.set(
        each.id,
        blank(
          each.id,
          state,
          verdict.reason ?? (state === 'unmeasured' && others.length ? others.join('; ') : 'compiled'),
        ),
      );
    }
    for (const each of image.refusals) if (each.kernel === built.symbol) fates.set(each.id, fromRefusal(each.id, each));
  }
}

function fromExplanations(kernel: Kernel, fates: Map<string, Fate>): void {
  for (const explained of kernel.explained) {
    for (const group of explained.grains) {
      for (const id of group.ids) {
        if (fates.has(id) && fates.get(id)!.state !== 'unmeasured') continue;
        const finding = group.findings?.find((each) => each.id === id);
        if (group.state === 'refused' && group.refusal) fates.set(id, fromRefusal(id, group.refusal));
        else if (group.state === 'pruned')
          fates.set(id, blank(id, 'pruned', finding ? `${finding.target}: ${finding.reason}` : ''));
        else if (!fates.has(id)) fates.set(id, blank(id, 'unmeasured', group.state === 'legal' ? 'legal' : 'compiled'));
      }
    }
  }
}

/** The gain over all launches: each counts by how many pairs were timed. */
function addTimes(fate: Fate, run: Run): void {
  const timed = fate.measurements.filter(isTimed);
  const pairs = timed.reduce((all, each) => all + each.pairs, 0);
  const mean = (of: (each: Measurement) => number) =>
    Math.exp(timed.reduce((all, each) => all + each.pairs * Math.log(of(each)), 0) / pairs);
  fate.gain = mean((each) => each.gain);
  fate.low = mean((each) => each.gain_low);
  fate.high = mean((each) => each.gain_high);
  fate.us = run.entry.original_us / fate.gain;
}

function fromRun(run: Run, fates: Map<string, Fate>): void {
  const byGrain = new Map<string, Measurement[]>();
  for (const each of run.entry.measurements) {
    if (each.alternative === 'original') continue;
    byGrain.set(each.alternative, [...(byGrain.get(each.alternative) ?? []), each]);
  }
  for (const [id, measurements] of byGrain) {
    const last = measurements[measurements.length - 1].outcome;
    const fate = { ...blank(id, 'measured', last), measurements };
    const ended = measurements.find((each) =>
      /^(dropped|excluded|not tried|not replayed|not tuned)/.test(each.outcome),
    );
    if (measurements.some(isTimed)) addTimes(fate, run);
    if (ended) {
      fate.reason = ended.outcome.replace(/^[a-z ]+: /, '');
      if (ended.outcome.startsWith('excluded')) fate.state = 'excluded';
      else if (ended.outcome.startsWith('not tried')) fate.state = fate.gain ? 'measured' : 'not-tried';
      else fate.state = fate.gain ? 'measured' : 'dropped';
    }
    fates.set(id, fate);
  }
}

function addChoice(run: Run, fates: Map<string, Fate>): void {
  const { entry } = run;
  const chosen = {
    ...(fates.get(entry.alternative) ?? blank(entry.alternative, 'chosen')),
    state: 'chosen' as State,
    reason: entry.verdict,
  };
  if (entry.alternative === 'original') Object.assign(chosen, { us: entry.original_us, gain: 1, low: 1, high: 1 });
  else Object.assign(chosen, { us: entry.chosen_us, gain: entry.gain, low: entry.gain_low, high: entry.gain_high });
  fates.set(entry.alternative, chosen);
  if (entry.alternative !== 'original') {
    fates.set('original', {
      ...blank('original', 'measured', 'the base of all gains'),
      us: entry.original_us,
      gain: 1,
      low: 1,
      high: 1,
    });
  }
}

const cache = new WeakMap<object, Fate[]>();

/** Returns all grains that the inputs know for the kernel; for one class of its launches if there is one. */
export function fatesOf(kernel: Kernel, run: Run | undefined): Fate[] {
  const known = cache.get(run ?? kernel);
  if (known) return known;
  const fates = new Map<string, Fate>();
  fromBuilt(kernel, run && targetOf(run), fates);
  fromExplanations(kernel, fates);
  if (run) fromRun(run, fates);
  for (const each of kernel.notTried) {
    if (run && each.class !== run.entry.class) continue;
    const reason = `the budget did not suffice; --budget ${Math.ceil(each.budget)} would`;
    for (const id of each.alternatives) if (!fates.get(id)?.gain) fates.set(id, blank(id, 'not-tried', reason));
  }
  for (const each of kernel.excluded) {
    if (!run || each.device === run.entry.device)
      fates.set(each.alternative, {
        ...blank(each.alternative, 'excluded', each.reason),
        measurements: fates.get(each.alternative)?.measurements ?? [],
      });
  }
  if (run) addChoice(run, fates);
  const all = [...fates.values()];
  cache.set(run ?? kernel, all);
  return all;
}

/** Returns why a grain is not used, in one sentence. */
export function sentenceOf(fate: Fate): string {
  const why = fate.reason ? `: ${fate.reason}` : '';
  const place = fate.place ? ` (${fate.place})` : '';
  const remedy = fate.remedy ? ` Remedy: ${fate.remedy}.` : '';
  return `${stateNames[fate.state]}${why}${place}.${remedy}`;
}
