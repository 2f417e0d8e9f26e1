// On what kind of device times were measured.

import { targetOf } from './fates';
import type { Model, Run } from './model';

export type DeviceKind = 'CPU' | 'GPU' | undefined;

function kindOf(run: Run): DeviceKind {
  const target = targetOf(run);
  if (target) return target.kind === 'cpu' ? 'CPU' : 'GPU';
  // Only a GPU's driver tells the registers of a kernel.
  if (run.entry.original_code || /^(NVIDIA|AMD Instinct|AMD Radeon)\b/.test(run.entry.device)) return 'GPU';
  return undefined;
}

/** By any run on the device; undefined: the inputs do not tell. */
export function deviceKind(model: Model, device: string): DeviceKind {
  const runs = model.kernels.flatMap((each) => each.runs).filter((each) => each.entry.device === device);
  return runs.map(kindOf).find((each) => each);
}

/** "AMD EPYC, a CPU". */
export function deviceWords(model: Model, device: string): string {
  const kind = deviceKind(model, device);
  return kind ? `${device}, a ${kind}` : `${device} (no input tells whether it is a CPU or a GPU)`;
}

/** The devices of all tuning runs and stored choices. */
export const devicesOf = (model: Model) => [
  ...new Set(model.kernels.flatMap((kernel) => kernel.runs.map((each) => each.entry.device))),
];
