// What a launch of a kernel moves and computes, by the compiler's model of the original, if inputs tell all its parts.

import type { Run } from './model';
import type { Footprint, Limits } from './schema';
import { blockOf, blocksOf, footprintOf } from './launch';

/** What is known, or why it is not. */
export type Known<Value> = { value: Value } | { unknown: string };

const unknown = (words: string) => ({ unknown: words });

/**
 * Whether a sum has the trips of loops whose length nobody told. The model then counts a fixed number of trips; such a
 * count is no figure of a launch.
 */
export const isOpen = (footprint: Footprint, sum: string) => !footprint.trips_given && /\bn\d/.test(sum);

const inLoops = (what: string) => `the ${what} are in loops whose length neither the code nor the integers of the launch tell`;

const noBlocks = 'the report does not tell the blocks (regrain tune tells them since version 1.5 of its JSON)';
const noFootprint = 'no input has a footprint (regrain inspect --json --footprint)';

export interface Traffic {
  asked: number;
  /** At most: what blocks share counts for each of them. */
  touched: number;
  blocks: number;
  isBlockRight: boolean;
}

export function trafficOf(run: Run): Known<Traffic> {
  const footprint = footprintOf(run);
  const blocks = blocksOf(run);
  if (!footprint) return unknown(noFootprint);
  if (!blocks) return unknown(noBlocks);
  if (footprint.unknown.length || footprint.memories.some((each) => each.touched_bytes === null))
    return unknown('of some accesses it is not known which bytes they touch');
  if (footprint.memories.some((each) => isOpen(footprint, each.bytes_per_thread))) return unknown(inLoops('accesses'));
  const sum = (of: 'asked_bytes' | 'touched_bytes') =>
    footprint.memories.reduce((all, each) => all + (each[of] ?? 0), 0) * blocks;
  const isBlockRight = blockOf(run) === footprint.block.join('x');
  return { value: { asked: sum('asked_bytes'), touched: sum('touched_bytes'), blocks, isBlockRight } };
}

export interface Computed {
  /** By the bits of the numbers: 64, or fewer. */
  single: number;
  double: number;
  /** What these compute is not counted. */
  functions: string[];
  isConditional: boolean;
}

export const totalOf = (computed: Computed) => computed.single + computed.double;

/** Operations of a launch of the original; what is computed does not depend on the grain. */
export function computedBy(run: Run): Known<Computed> {
  const footprint = footprintOf(run);
  const blocks = blocksOf(run);
  const threadsIn = (block: number[]) => block.reduce((all, each) => all * each, 1);
  const threads = threadsIn(blockOf(run).split('x').map(Number));
  if (!footprint) return unknown(noFootprint);
  if (!footprint.arithmetic)
    return unknown('the footprint does not tell them (it does since version 1.9, of code that is compiled since then)');
  if (!blocks || !threads) return unknown(noBlocks);
  const counted = footprint.arithmetic.filter((each) => !each.function);
  if (counted.some((each) => isOpen(footprint, each.per_thread))) return unknown(inLoops('operations'));
  const sum = (isDouble: boolean) =>
    (counted.filter((each) => (each.bits === 64) === isDouble).reduce((all, each) => all + each.of_block, 0) /
      threadsIn(footprint.block)) *
    threads *
    blocks;
  return {
    value: {
      single: sum(false),
      double: sum(true),
      functions: footprint.arithmetic.filter((each) => each.function).map((each) => each.function!),
      isConditional: counted.some((each) => each.conditional),
    },
  };
}

/** The seconds that multiply-adds alone would take, or nothing if a limit is not known. */
export function leastSeconds(computed: Computed, limits: Limits | undefined): number | undefined {
  const [single, double] = [limits?.float_operations_per_second, limits?.double_operations_per_second];
  if ((computed.single && !single) || (computed.double && !double)) return undefined;
  return (computed.single && computed.single / single!) + (computed.double && computed.double / double!);
}
