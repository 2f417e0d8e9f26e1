// How many floating-point operations a listing has, for each byte of global memory.

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

/** Operations for each byte that global accesses ask for, with every instruction counted once. */
export function intensityOf(side: Side): number | undefined {
  const moved = side.accesses
    .filter((each) => each.memory === 'global' || each.memory === 'generic')
    .reduce((all, each) => all + (each.count * (each.bits ?? 32)) / 8, 0);
  const operations = side.instructions.reduce((all, each) => all + operationsOf(each), 0);
  return moved && operations ? operations / moved : undefined;
}
