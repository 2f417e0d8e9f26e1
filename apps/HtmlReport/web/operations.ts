// How many floating-point operations a thread executes, as far as a listing tells.

import type { Instruction, Side } from './schema';

// Of PTX, SASS, AMD's and x86's assembly, in this order.
const twoOperations = /^(fma|mad)\.(\w+\.)*b?f\d|^[dfh]fma|^v_(pk_)?(fma|fmac|mad)_f|^vfn?m(add|sub)/i;
const oneOperation =
  /^(add|sub|mul|div)\.(\w+\.)*b?f\d|^[dfh](add|mul)|^v_(pk_)?(add|sub|subrev|mul)_f|^v?(add|sub|mul|div)[ps][sd]$/i;
const isPair = /f16x2|^h(add|mul|fma)2|^v_pk_/i;

/** How many numbers an instruction computes. */
function lanesOf({ opcode, text }: Instruction): number {
  if (isPair.test(opcode)) return 2;
  const packed = opcode.match(/^v.*p([sd])$/i);
  if (!packed) return 1;
  const bits = /zmm/.test(text) ? 512 : /ymm/.test(text) ? 256 : 128;
  return bits / (packed[1].toLowerCase() === 's' ? 32 : 64);
}

export function operationsOf(instruction: Instruction): number {
  const { opcode } = instruction;
  const each = twoOperations.test(opcode) ? 2 : oneOperation.test(opcode) ? 1 : 0;
  return each && each * lanesOf(instruction);
}

/** Whether each thread executes each instruction once. A branch may be that of a loop: listings have no labels. */
export const isStraight = (side: Side) =>
  side.totals.branches === 0 && !side.instructions.some((each) => /^(call|s_swappc)/i.test(each.opcode));

export const operationsOfThread = (side: Side) => side.instructions.reduce((all, each) => all + operationsOf(each), 0);
