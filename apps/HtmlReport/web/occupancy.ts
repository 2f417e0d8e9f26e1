// Occupancy: how much of a multiprocessor's slots for warps the blocks of a launch fill.

import { targetOf } from './fates';
import { keyOf, piecesOf } from './grain';
import { blockOf } from './launch';
import type { Model, Run } from './model';
import type { Code, Multiprocessor } from './schema';

export interface Occupancy {
  registers?: number | null;
  /** Threads of the blocks that are counted. */
  threads?: number | null;
  percent?: number | null;
}

const product = (sizes: number[]) => sizes.reduce((all, each) => all * each, 1);
const up = (value: number, unit: number) => Math.ceil(value / unit) * unit;

/** As residentBlocks of compiler/Target/Multiprocessor.h. */
function percentOf(chip: Multiprocessor, threads: number, registers: number, shared: number): number {
  const slots = Math.max(1, Math.ceil(threads / chip.waveThreads));
  const perSlot = up(Math.max(1, registers) * chip.waveThreads, chip.registerUnit);
  const slotsByRegisters = Math.floor(Math.floor(chip.registers / perSlot) / chip.slotUnit) * chip.slotUnit;
  const perBlock = up(shared + chip.sharedOfSystem, chip.sharedUnit);
  const blocks = Math.min(
    chip.blocks,
    Math.floor(chip.slots / slots),
    Math.floor(slotsByRegisters / slots),
    perBlock ? Math.floor(chip.sharedBytes / perBlock) : Infinity,
  );
  return Math.floor((100 * blocks * slots) / chip.slots);
}

/** Threads of a block as the grain launches it; nothing where its pieces do not tell it. */
export function threadsOf(run: Run, id: string): number | undefined {
  const threads = product(blockOf(run).split('x').map(Number));
  const keys = id === 'original' ? [] : piecesOf(id).map(keyOf);
  if (!threads || keys.some((each) => each === 'thread' || each === 'split')) return undefined;
  const shape = id.match(/(^|,)shape=([\dx]+)/)?.[2];
  return shape ? product(shape.split('x').map(Number)) : threads;
}

const dynamicShared = (run: Run) => Number(run.entry.class.match(/shared=(\d+)/)?.[1] ?? 0);

/**
 * Of the blocks that the class launches. If they or the chip are not known, it is the compiler's figure, with the
 * threads for which it holds; of other blocks than those that are launched there is no figure.
 */
export function occupancyOf(model: Model, run: Run, id: string): Occupancy | undefined {
  const own = id === 'original' ? run.entry.original_code : id === run.entry.alternative ? run.entry.chosen_code : null;
  const arch = targetOf(run)?.arch;
  const alternatives = run.kernel.built.flatMap((each) => each.kernel.alternatives ?? []);
  const codes: Code[] = alternatives.filter((each) => each.id === id).flatMap((each) => each.code);
  const code = codes.find((each) => each.symbol && each.arch === arch);
  const figures = own ?? code;
  if (!figures) return undefined;
  const { registers, occupancy_percent: percent, occupancy_threads: compiledFor } = figures;
  const threads = threadsOf(run, id);
  if (threads === undefined) return { registers, threads: compiledFor, percent };
  const chip = arch === undefined ? undefined : model.envelope.multiprocessors?.[arch];
  if (chip && registers != null && code)
    return { registers, threads, percent: percentOf(chip, threads, registers, (code.static_shared_bytes ?? 0) + dynamicShared(run)) };
  return { registers, threads, percent: compiledFor === threads && !dynamicShared(run) ? percent : null };
}
