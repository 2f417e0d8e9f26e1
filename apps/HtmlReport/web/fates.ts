// What became of each grain of a kernel, and why.

import { interval, plural } from './format';
import { intervalWords, isTimed, nowUs, type Kernel, type Run } from './model';
import type { Choice, Measurement, Refusal } from './schema';

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
  /** Of the class of launches, if it was timed: gain, low end and words of its interval, and the time at the original's median. */
  gain?: number;
  low?: number;
  interval?: string;
  us?: number;
  /** Which part of the launches the gain is of, if not of all. */
  coverage?: string;
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
  fate.interval = intervalWords(timed, fate.low, mean((each) => each.gain_high));
  fate.us = run.entry.original_us / fate.gain;
}

const launchesIn = (all: Measurement[]) => new Set(all.filter(isTimed).map((each) => each.launch)).size;

function fromRun(run: Run, fates: Map<string, Fate>): void {
  const byGrain = new Map<string, Measurement[]>();
  for (const each of run.entry.measurements) {
    if (each.alternative === 'original' || each.outcome === 'reviewed') continue;
    byGrain.set(each.alternative, [...(byGrain.get(each.alternative) ?? []), each]);
  }
  for (const [id, measurements] of byGrain) {
    const last = measurements[measurements.length - 1].outcome;
    const fate = { ...blank(id, 'measured', last), measurements };
    const ended = measurements.find((each) =>
      /^(dropped|excluded|not tried|not replayed|not tuned)/.test(each.outcome),
    );
    if (measurements.some(isTimed)) {
      addTimes(fate, run);
      const [some, all] = [launchesIn(measurements), launchesIn(run.entry.measurements)];
      if (some < all) fate.coverage = `timed in ${some} of ${plural(all, 'sampled launch', 'sampled launches')}, and compared in these alone`;
    }
    if (ended) {
      fate.reason = fate.gain ? last : ended.outcome.replace(/^[a-z ]+: /, '');
      if (ended.outcome.startsWith('excluded')) fate.state = 'excluded';
      else if (ended.outcome.startsWith('not tried')) fate.state = fate.gain ? 'measured' : 'not-tried';
      else fate.state = fate.gain ? 'measured' : 'dropped';
    }
    fates.set(id, fate);
  }
}

/** The candidate whose gain the class has where the original stays. */
const bestTried = (entry: Choice) =>
  entry.alternative === 'original' ? entry.verdict.match(/; best (\S+)$/)?.[1] : undefined;

/** The verdict; the best candidate is that of those that were timed in as many launches as any. */
export const verdictWords = (entry: Choice) =>
  entry.verdict.replace(/; best (\S+)$/, '; best of those that stayed to the last launch: $1');

function addChoice(run: Run, fates: Map<string, Fate>): void {
  const { entry } = run;
  const words = interval(entry.gain_low, entry.gain_high);
  const chosen = {
    ...(fates.get(entry.alternative) ?? blank(entry.alternative, 'chosen')),
    state: 'chosen' as State,
    reason: verdictWords(entry),
  };
  if (entry.alternative === 'original') {
    Object.assign(chosen, { us: entry.original_us, gain: 1, low: 1 });
    // The gain of the class is then that of the best candidate.
    const best = fates.get(bestTried(entry) ?? '');
    if (best?.gain !== undefined)
      Object.assign(best, { us: entry.original_us / entry.gain, gain: entry.gain, low: entry.gain_low, interval: words });
  }
  else Object.assign(chosen, { us: nowUs(entry), gain: entry.gain, low: entry.gain_low, interval: words });
  fates.set(entry.alternative, chosen);
  if (entry.alternative !== 'original') {
    fates.set('original', {
      ...blank('original', 'measured', 'the base of all gains'),
      us: entry.original_us,
      gain: 1,
      low: 1,
    });
  }
}

const isCompiled = ({ kernel }: Kernel['built'][number], id: string) =>
  (kernel.alternatives ?? []).some((each) => each.id === id);

/** As far as the inputs tell: the grain was not compiled, nobody tuned the kernel, or the run did not come to it. */
function whyUnmeasured(kernel: Kernel, run: Run | undefined, { id, reason }: Fate): string {
  const files = kernel.built.filter((each) => each.kernel.alternatives?.length);
  if (!files.length) return `${reason}; no built file is among the inputs, which would tell whether it was compiled`;
  if (!files.some((each) => isCompiled(each, id))) {
    const count = Math.max(...files.map((each) => each.kernel.alternatives!.length - 1));
    return reason === 'legal'
      ? `legal, but not compiled: the file has ${plural(count, 'other grain')} (regrain cc --alternatives or --coarsen makes more)`
      : `${reason}, but its code is not in the file`;
  }
  if (!run) return `${reason}; no tuning run of the kernel is among the inputs`;
  return `${reason}; ${run.program.isStored ? 'the database has no measurement of it for this class' : 'the tuning run has no measurement of it for this class, and does not tell why'}`;
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
    const had = run?.program.document.budget_seconds;
    const reason = `the budget${had ? ` of ${had} s` : ''} did not suffice; ${Math.ceil(each.budget)} s would, as far as can be told (regrain tune --budget=${Math.ceil(each.budget)})`;
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
  for (const each of fates.values())
    if (each.state === 'unmeasured') each.reason = whyUnmeasured(kernel, run, each);
  const all = [...fates.values()];
  cache.set(run ?? kernel, all);
  return all;
}

/** Returns why a grain is not used, in one sentence. */
export function sentenceOf(fate: Fate): string {
  const why = fate.reason ? `: ${fate.reason}` : '';
  const place = fate.place ? ` (${fate.place})` : '';
  const remedy = fate.remedy ? ` Remedy: ${fate.remedy}.` : '';
  const coverage = fate.coverage ? ` It was ${fate.coverage}.` : '';
  return `${stateNames[fate.state]}${why}${place}.${coverage}${remedy}`;
}
