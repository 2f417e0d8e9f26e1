// What the inputs tell of the launches of a run: their blocks, how they fill the device, and what they touch.

import type { Model, Run } from './model';
import type { Footprint, Limits } from './schema';

export const limitsOf = (model: Model, run: Run): Limits | undefined =>
  model.limits.find(
    (each) =>
      each.device === run.entry.device && (!each.multiprocessors || each.multiprocessors === run.entry.multiprocessors),
  );

/** That of the run's own launches, if inputs tell it; otherwise that of any launch. */
export function footprintOf(run: Run): Footprint | undefined {
  const all = run.kernel.built
    .flatMap(({ kernel }) => [kernel.footprint, ...(kernel.launch_footprints ?? [])])
    .filter((each): each is Footprint => !!each);
  return all.find((each) => each.launch && each.launch === run.entry.launch) ?? all.find((each) => !each.launch);
}

/** The program's blocks in a launch of the class. */
export function blocksOf(run: Run): number | undefined {
  const known = run.entry.measurements
    .map((each) => each.blocks ?? 0)
    .filter((each) => each > 0)
    .sort((a, b) => a - b);
  return known[Math.floor(known.length / 2)];
}

export const blockOf = (run: Run) => run.entry.class.match(/block=([\dx]+)/)?.[1] ?? '';

/** How often the grid fills the device, at most. */
export function wavesOf(run: Run): number | undefined {
  const text = run.entry.class.match(/waves=(\d+)(?:\/(\d+))?/);
  return text ? Number(text[1]) / Number(text[2] ?? 1) : undefined;
}
