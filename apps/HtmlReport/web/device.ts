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

const cache = new WeakMap<Model, Map<string, DeviceKind>>();

/** By any run on the device; undefined: the inputs do not tell. */
export function deviceKind(model: Model, device: string): DeviceKind {
  const known = cache.get(model);
  if (known) return known.get(device);
  const kinds = new Map<string, DeviceKind>();
  for (const run of model.kernels.flatMap((each) => each.runs))
    if (!kinds.get(run.entry.device)) kinds.set(run.entry.device, kindOf(run));
  cache.set(model, kinds);
  return kinds.get(device);
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
